import DBClientCore

/// Reads what `ChecksummedOutput` wrote; any bytes at all are safe to read.
struct ChecksummedInput {
    /// The checksum (4), the version (2), zero (2).
    static let headerSize = 8

    private let bytes: UnsafeRawBufferPointer
    private var position = headerSize

    /// Nil for bytes that are damaged, or of another version.
    init?(_ bytes: UnsafeRawBufferPointer, version: UInt16) {
        guard Self.isSound(bytes),
            bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == version
        else { return nil }
        self.bytes = bytes
    }

    /// Whether the bytes are what was written.
    static func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= headerSize, let start = bytes.baseAddress else { return false }
        return checksum(start + 4, bytes.count - 4) == start.loadUnaligned(as: UInt32.self)
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        take(1)?.first
    }

    mutating func word() -> UInt32? {
        take(4)?.loadUnaligned(as: UInt32.self)
    }

    mutating func name() -> EntityName? {
        word().flatMap { take(Int($0)) }.map { EntityName(bytes: Array($0)) }
    }

    /// Reads a record; one without bytes where there is no row.
    mutating func record() -> UnsafeRawBufferPointer? {
        word().flatMap { take(Int($0)) }
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
}
