/// The releases of parts of operations that are under way on a thread.
///
/// A part may hold a closure that holds a part, and so on for a hundred thousand. What is released while another
/// release is under way waits for the outermost one, so that the stack stays small.
struct Release {
    private var isRunning = false
    private var waiting: [Any] = []

    /// Releases a value, or lets it wait for the release that is under way.
    ///
    /// A value is taken from the list to be released: one that is at hand before may be released before, too, as far
    /// as the optimiser is concerned, and then nested.
    fileprivate static func run<Held>(
        _ held: inout Held?,
        in release: UnsafeMutablePointer<Release>
    ) {
        release.pointee.take(&held)
        if release.pointee.isRunning { return }
        release.pointee.isRunning = true
        while let last = release.pointee.waiting.popLast() { withExtendedLifetime(last) {} }
        release.pointee.isRunning = false
        if release.pointee.waiting.capacity > keptCapacity { release.pointee.waiting = [] }
    }

    /// Moves a value to the list.
    ///
    /// Apart, so that nothing else holds the value when this returns.
    @inline(never)
    private mutating func take<Held>(_ held: inout Held?) {
        if let value = held.take() { waiting.append(value) }
    }

    /// The room of the list that a thread keeps.
    private static let keptCapacity = 1_024
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
