/// What authenticates one sealed page or value, and tells that version of it from every other.
struct PageTag: Equatable {
    var first: UInt64 = 0
    var second: UInt64 = 0

    static let size = 16

    @inline(__always)
    init(first: UInt64 = 0, second: UInt64 = 0) {
        self.first = first
        self.second = second
    }

    /// Reads a tag from its 16 bytes, at any alignment.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer) {
        first = bytes.loadUnaligned(as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }
}
