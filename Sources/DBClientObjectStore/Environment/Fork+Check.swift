import DBClientCore

extension Fork {
    /// Throws in a forked child, which must not use the parent's store.
    @inline(__always)
    static func check() throws { try check("An object store") }
}
