/// The releases of parts of operations that are under way on a thread.
///
/// A part may hold a closure that holds a part, and so on for a hundred thousand: beyond some depth
/// what is to be released is put aside for the outermost release, so that the stack stays small.
struct Release {
    private var depth = 0
    private var aside: [Any] = []

    /// How deep releases may be nested.
    private static let maximumDepth = 32

    /// Releases a value, or puts it aside for the outermost release where the depth is at its limit.
    fileprivate static func run<Held>(
        _ held: inout Held?,
        in release: UnsafeMutablePointer<Release>
    ) {
        if release.pointee.depth == maximumDepth {
            if let held { release.pointee.aside.append(held) }
            held = nil
            return
        }
        release.pointee.depth += 1
        held = nil
        if release.pointee.depth == 1 {
            while let last = release.pointee.aside.popLast() { withExtendedLifetime(last) {} }
        }
        release.pointee.depth -= 1
    }
}

extension ThreadSlot {
    /// The releases of operations that are under way.
    fileprivate static let releases = ThreadSlot { memory in
        #if canImport(Darwin)
        Release.end(memory)
        #else
        if let memory { Release.end(memory) }
        #endif
    }
}

/// Lets a value go, in bounded stack however long the chain of what it holds is.
func release<Held>(_ held: inout Held?) {
    let slot = ThreadSlot.releases
    if let running = slot.get() {
        return Release.run(&held, in: running.assumingMemoryBound(to: Release.self))
    }
    // Kept until the thread ends, since to set a slot takes longer than to look at it.
    let made = UnsafeMutablePointer<Release>.allocate(capacity: 1)
    made.initialize(to: Release())
    slot.set(UnsafeMutableRawPointer(made))
    Release.run(&held, in: made)
    if slot.get() == nil { Release.end(UnsafeMutableRawPointer(made)) }
}

extension Release {
    /// Frees the memory of a thread's releases.
    static func end(_ memory: UnsafeMutableRawPointer) {
        let release = memory.assumingMemoryBound(to: Release.self)
        release.deinitialize(count: 1)
        release.deallocate()
    }
}

/// A function that a part of an operation holds.
///
/// In a struct, because a function itself is wrapped again where it is passed as a generic value, and would
/// then be released by the caller of `release`.
struct Step<Input, Output>: Sendable {
    let call: @Sendable (Input) throws -> Output

    init(_ call: @escaping @Sendable (Input) throws -> Output) {
        self.call = call
    }
}
