import CLMDB
import DBClientCore

/// Entries of one index, or the places of rows by their primary keys, that wait to be written together, in
/// key order: neighbours share pages, so a sorted load touches each page once.
///
/// A key begins with a byte that says whether its first value is there.
struct IndexEntries {
    private struct Entry {
        /// The eight bytes after the key's first, big-endian: zeros for what it does not have and for a nil.
        ///
        /// Decides most comparisons without the key.
        var prefix: UInt64
        var offset: Int
        var keyLength: Int32
        var valueLength: Int32

        /// A byte of the prefix, counted from the last.
        @inline(__always)
        func bucket(_ byte: Int) -> Int {
            Int(truncatingIfNeeded: prefix >> UInt64(8 * byte) & 0xFF)
        }
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
        // The first byte says whether the first value is there; zeros are no more than any value.
        let isValue = key.mv_data.load(as: UInt8.self) != 0
        entries.append(
            Entry(
                prefix: isValue ? Self.prefix(of: key) : 0,
                offset: used,
                keyLength: Int32(key.mv_size),
                valueLength: Int32(value.mv_size)
            )
        )
        used += size
    }

    /// Returns the eight bytes after a key's first, big-endian, with zeros for what it does not have.
    @inline(__always)
    private static func prefix(of key: MDB_val) -> UInt64 {
        if key.mv_size >= 9 {
            return UInt64(
                bigEndian: key.mv_data.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
            )
        }
        var prefix: UInt64 = 0
        for index in 1...8 {
            let byte =
                index < key.mv_size ? key.mv_data.load(fromByteOffset: index, as: UInt8.self) : 0
            prefix = prefix << 8 | UInt64(byte)
        }
        return prefix
    }

    /// Calls a function with the entries in the order of their keys, those of equal keys in the order
    /// in which they were added, and forgets them.
    ///
    /// The function also gets whether the key is that of the entry before.
    mutating func drain(_ body: (MDB_val, MDB_val, Bool) throws -> Void) rethrows {
        let bytes = bytes
        sort()
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

    /// Sorts by the keys, entries of equal ones in the order in which they were added.
    private mutating func sort() {
        let bytes = bytes
        func isBefore(_ left: Entry, _ right: Entry) -> Bool {
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let order = Self.compareKeys(left, right, bytes)
            return order != 0 ? order < 0 : left.offset < right.offset
        }
        if entries.count < Self.radixThreshold { return entries.sort(by: isBefore) }
        Self.sortByPrefix(&entries)
        entries.withUnsafeMutableBufferPointer { entries in
            var start = 0
            for end in 1...entries.count
            where end == entries.count || entries[end].prefix != entries[start].prefix {
                if end - start > 1 {
                    var alike = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
                    alike.sort(by: isBefore)
                }
                start = end
            }
        }
    }

    /// From here on the passes over all entries take less time than comparing them does.
    private static let radixThreshold = 256

    /// Sorts entries by their prefixes alone, those of equal ones in the order in which they were: a pass for
    /// each byte, from the last to the first, in which any two differ.
    private static func sortByPrefix(_ entries: inout [Entry]) {
        var spare = entries
        var places = [Int](repeating: 0, count: 8 * 256)
        for entry in entries {
            for byte in 0..<8 { places[byte * 256 + entry.bucket(byte)] += 1 }
        }
        for byte in 0..<8 {
            let buckets = byte * 256..<(byte + 1) * 256
            if places[buckets.lowerBound + entries[0].bucket(byte)] == entries.count { continue }
            var next = 0
            for bucket in buckets {
                let count = places[bucket]
                places[bucket] = next
                next += count
            }
            entries.withUnsafeBufferPointer { entries in
                spare.withUnsafeMutableBufferPointer { spare in
                    for entry in entries {
                        let bucket = buckets.lowerBound + entry.bucket(byte)
                        spare[places[bucket]] = entry
                        places[bucket] += 1
                    }
                }
            }
            swap(&entries, &spare)
        }
    }

    /// Returns the order of two keys with one prefix.
    @inline(__always)
    private static func compareKeys(
        _ left: Entry,
        _ right: Entry,
        _ bytes: UnsafeMutableRawPointer
    ) -> Int {
        // No key is the beginning of another, so that is all of a short one, unless it may be a nil.
        if left.keyLength <= 9, right.keyLength <= 9, left.prefix != 0 { return 0 }
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
