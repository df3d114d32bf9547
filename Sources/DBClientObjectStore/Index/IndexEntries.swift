import CLMDB
import DBClientCore

/// Entries of one index that wait to be written together, in key order: neighbours share pages, so a
/// sorted load touches each page once.
struct IndexEntries {
    private struct Entry {
        /// The eight bytes after the key's first, big-endian, or zero for a nil: decides most
        /// comparisons without the key.
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
        // The first byte says whether the first value is there; zeros are no more than any value.
        let isValue = key.mv_data.load(as: UInt8.self) != 0
        if isValue, key.mv_size >= 9 {
            prefix = UInt64(
                bigEndian: key.mv_data.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
            )
        } else if isValue {
            for index in 1...8 {
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
    ///
    /// The function also gets whether the key is that of the entry before.
    mutating func drain(_ body: (MDB_val, MDB_val, Bool) throws -> Void) rethrows {
        let bytes = bytes
        entries.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let order = Self.compareKeys(left, right, bytes)
            return order != 0 ? order < 0 : left.offset < right.offset
        }
        defer { removeAll() }
        var previous: Entry?
        for entry in entries {
            let repeats =
                previous.map {
                    $0.prefix == entry.prefix && Self.compareKeys($0, entry, bytes) == 0
                } ?? false
            previous = entry
            let key = bytes + entry.offset
            try body(
                MDB_val(key, Int(entry.keyLength)),
                MDB_val(key + Int(entry.keyLength), Int(entry.valueLength)),
                repeats
            )
        }
    }

    /// Returns the order of two keys with one prefix.
    @inline(__always)
    private static func compareKeys(
        _ left: Entry,
        _ right: Entry,
        _ bytes: UnsafeMutableRawPointer
    ) -> Int {
        // The byte before the prefix and the prefix are all of a key of one number.
        if left.keyLength == 9, right.keyLength == 9, left.prefix != 0 { return 0 }
        return Slot.compare(
            .data(UnsafeRawBufferPointer(start: bytes + left.offset, count: Int(left.keyLength))),
            .data(UnsafeRawBufferPointer(start: bytes + right.offset, count: Int(right.keyLength)))
        )
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
