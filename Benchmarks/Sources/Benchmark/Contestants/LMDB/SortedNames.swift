import Glibc

/// The names of rows in byte order, copied together so that sorting does not chase strings.
///
/// The first eight bytes stand in the entry as an integer and settle nearly every comparison.
struct SortedNames {
    private struct Entry {
        let prefix: UInt64
        let offset: Int
        let length: Int
        let key: Int
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    init(_ rows: [Character]) {
        entries.reserveCapacity(rows.count)
        bytes.reserveCapacity(rows.count * 16)
        for row in rows {
            let offset = bytes.count
            var name = row.name
            let prefix = name.withUTF8 { utf8 in
                bytes.append(contentsOf: utf8)
                var prefix: UInt64 = 0
                withUnsafeMutableBytes(of: &prefix) {
                    $0.copyBytes(from: utf8.prefix(8))
                }
                return prefix.bigEndian
            }
            entries.append(
                Entry(prefix: prefix, offset: offset, length: bytes.count - offset, key: row.id)
            )
        }
        if rows.count > 1 { sort() }
    }

    private mutating func sort() {
        bytes.withUnsafeBytes { bytes in
            entries.sort { left, right in
                if left.prefix != right.prefix { return left.prefix < right.prefix }
                let order = memcmp(
                    bytes.baseAddress! + left.offset,
                    bytes.baseAddress! + right.offset,
                    min(left.length, right.length)
                )
                if order != 0 { return order < 0 }
                return left.length != right.length
                    ? left.length < right.length : left.key < right.key
            }
        }
    }

    /// Calls a function with each name and key in order; the bytes are valid during the call.
    func visit(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
        try bytes.withUnsafeBytes { bytes in
            for entry in entries {
                let end = entry.offset + entry.length
                try body(UnsafeRawBufferPointer(rebasing: bytes[entry.offset..<end]), entry.key)
            }
        }
    }
}
