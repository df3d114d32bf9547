import CLMDB
import DBClientCore

/// Entries of one index that wait to be written together, in key order: neighbours share pages, so a
/// sorted load touches each page once.
struct IndexEntries {
    private struct Entry {
        /// The key's first eight bytes, big-endian: decides most comparisons without the key.
        var prefix: UInt64
        var offset: Int
        var keyLength: Int32
        var valueLength: Int32
    }

    private var entries: [Entry] = []
    private var bytes: UnsafeMutableRawPointer = .allocate(byteCount: 4096, alignment: 8)
    private var capacity = 4096
    private var used = 0

    var isEmpty: Bool { entries.isEmpty }

    func deallocate() {
        bytes.deallocate()
    }

    mutating func append(key: MDB_val, value: MDB_val) {
        let size = key.mv_size + value.mv_size
        if used + size > capacity { grow(size) }
        (bytes + used).copyMemory(from: key.mv_data, byteCount: key.mv_size)
        (bytes + used + key.mv_size).copyMemory(from: value.mv_data, byteCount: value.mv_size)
        var prefix: UInt64 = 0
        if key.mv_size >= 8 {
            prefix = UInt64(bigEndian: key.mv_data.loadUnaligned(as: UInt64.self))
        } else {
            for index in 0..<8 {
                let byte =
                    index < key.mv_size
                    ? key.mv_data.load(fromByteOffset: index, as: UInt8.self) : 0
                prefix = prefix << 8 | UInt64(byte)
            }
        }
        entries.append(
            Entry(
                prefix: prefix,
                offset: used,
                keyLength: Int32(key.mv_size),
                valueLength: Int32(value.mv_size)
            )
        )
        used += size
    }

    /// Calls a function with the entries in the order of their keys, those of equal keys in the order
    /// in which they were added, and forgets them.
    mutating func drain(_ body: (MDB_val, MDB_val) throws -> Void) rethrows {
        let bytes = bytes
        entries.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let order = Slot.compare(
                .data(
                    UnsafeRawBufferPointer(
                        start: bytes + left.offset,
                        count: Int(left.keyLength)
                    )
                ),
                .data(
                    UnsafeRawBufferPointer(
                        start: bytes + right.offset,
                        count: Int(right.keyLength)
                    )
                )
            )
            return order != 0 ? order < 0 : left.offset < right.offset
        }
        defer { removeAll() }
        for entry in entries {
            let key = bytes + entry.offset
            try body(
                MDB_val(key, Int(entry.keyLength)),
                MDB_val(key + Int(entry.keyLength), Int(entry.valueLength))
            )
        }
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        used = 0
    }

    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, used + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: bytes, byteCount: used)
        bytes.deallocate()
        bytes = larger
    }
}
