/// The releases of parts of operations that are under way on a thread.
///
/// A part may hold a closure that holds a part, and so on for a hundred thousand: beyond some depth
/// what is to be released is put aside for the outermost release, so that the stack stays small.
private struct Release {
    var depth = 0
    var aside: [Any] = []

    /// How many releases may stand in each other.
    static let maximumDepth = 32
}

/// Lets a value go, in bounded stack however long the chain of what it holds is.
func release<Held>(_ held: inout Held?) {
    let slot = ThreadSlot.releases
    guard let running = slot.get()?.assumingMemoryBound(to: Release.self) else {
        var release = Release()
        withUnsafeMutablePointer(to: &release) { running in
            slot.set(UnsafeMutableRawPointer(running))
            defer { slot.set(nil) }
            held = nil
            while let last = running.pointee.aside.popLast() { withExtendedLifetime(last) {} }
        }
        return
    }
    guard running.pointee.depth < Release.maximumDepth else {
        if let held { running.pointee.aside.append(held) }
        held = nil
        return
    }
    running.pointee.depth += 1
    held = nil
    running.pointee.depth -= 1
}

/// A function that a part of an operation holds.
///
/// In a struct, because a function itself is wrapped anew where it is passed as a generic value, and
/// would then be let go by the caller of `release`.
struct Step<Input, Output>: Sendable {
    let call: @Sendable (Input) throws -> Output

    init(_ call: @escaping @Sendable (Input) throws -> Output) {
        self.call = call
    }
}
