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
