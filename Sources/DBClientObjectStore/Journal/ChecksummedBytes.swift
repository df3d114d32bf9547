import DBClientCore

/// Writes what the journal and the list of watchers are made of: a checksum, the version of the form,
/// and parts.
struct ChecksummedOutput {
    private var bytes: [UInt8]

    init(version: UInt16) {
        bytes = [UInt8](repeating: 0, count: ChecksummedInput.headerSize)
        bytes.reserveCapacity(256)
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: version, toByteOffset: 4, as: UInt16.self)
        }
    }

    var count: Int { bytes.count }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ word: UInt32) {
        withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
    }

    /// Writes a name after its length.
    mutating func append(_ name: EntityName) {
        append(UInt32(name.bytes.count))
        bytes.append(contentsOf: name.bytes)
    }

    /// Writes the record of a row after its size; a size of zero for no row.
    mutating func append(_ row: RowBatch?, _ layout: RecordLayout) {
        guard let row else { return append(UInt32(0)) }
        let size = layout.size(of: row.slots)
        append(UInt32(truncatingIfNeeded: size))
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: size))
        bytes.withUnsafeMutableBytes { bytes in
            guard let first = bytes.baseAddress else { return }
            layout.write(row.slots, to: first + start, size: size)
        }
    }

    /// Forgets what was written after the first bytes.
    mutating func truncate(to count: Int) {
        bytes.removeLast(bytes.count - count)
    }

    /// Returns the bytes with their checksum.
    mutating func finish() -> [UInt8] {
        bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            let sum = checksum(UnsafeRawPointer(start) + 4, bytes.count - 4)
            bytes.storeBytes(of: sum, as: UInt32.self)
        }
        return bytes
    }
}

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
