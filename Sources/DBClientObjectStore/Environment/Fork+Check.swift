import DBClientCore

extension Fork {
    /// Throws in a child.
    @inline(__always)
    static func check() throws { try check("An object store") }
}
