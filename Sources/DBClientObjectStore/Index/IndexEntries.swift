import CLMDB
import DBClientCore
import Foundation

/// Entries of one index, or the places of rows by their primary keys, that wait to be written together, in
/// key order: neighbours share pages, so a sorted load touches each page once.
///
/// A key begins with a byte that says whether its first value is there.
struct IndexEntries {
    private struct Entry {
        /// The eight bytes after the key's first, big-endian: zeros for what it does not have and for a nil;
        /// among several with the same, once they are sorted, the eight bytes after those.
        ///
        /// Decides most comparisons without the key.
        var prefix: UInt64
        /// Where the value lies, which the key follows, in words of eight bytes.
        var place: UInt32
        var valueLength: UInt16
        var keyLength: UInt16

        @inline(__always)
        func value(in bytes: UnsafeMutableRawPointer) -> MDB_val {
            MDB_val(bytes + 8 * Int(place), Int(valueLength))
        }

        @inline(__always)
        func key(in bytes: UnsafeMutableRawPointer) -> MDB_val {
            MDB_val(bytes + (8 * Int(place) + Int(valueLength)), Int(keyLength))
        }

        /// A byte of the prefix, counted from the last.
        @inline(__always)
        func bucket(_ byte: Int) -> Int {
            Int(truncatingIfNeeded: prefix >> UInt64(8 * byte) & 0xFF)
        }
    }

    private var entries = GrowingMemory<Entry>()
    private var words = GrowingMemory<UInt64>()

    var isEmpty: Bool { entries.count == 0 }

    func deallocate() {
        entries.deallocate()
        words.deallocate()
    }

    /// Adds an entry, whose value has as many bytes as a key at most.
    mutating func append(key: MDB_val, value: MDB_val) {
        let place = words.count
        words.reserve((key.mv_size + value.mv_size + 7) / 8)
        let bytes = UnsafeMutableRawPointer(words.start + place)
        bytes.copyMemory(from: value.mv_data, byteCount: value.mv_size)
        (bytes + value.mv_size).copyMemory(from: key.mv_data, byteCount: key.mv_size)
        // The first byte says whether the first value is there; zeros are no more than any value.
        let isValue = key.mv_data.load(as: UInt8.self) != 0
        let index = entries.count
        entries.reserve(1)
        entries.start[index] = Entry(
            prefix: isValue ? Self.prefix(of: key, at: 1) : 0,
            place: UInt32(truncatingIfNeeded: place),
            valueLength: UInt16(truncatingIfNeeded: value.mv_size),
            keyLength: UInt16(clamping: key.mv_size)
        )
    }

    /// Returns eight bytes of a key, big-endian, with zeros for what it does not have.
    @inline(__always)
    private static func prefix(of key: MDB_val, at offset: Int) -> UInt64 {
        if key.mv_size >= offset + 8 {
            return UInt64(
                bigEndian: key.mv_data.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            )
        }
        var prefix: UInt64 = 0
        for index in offset..<offset + 8 {
            let byte =
                index < key.mv_size ? key.mv_data.load(fromByteOffset: index, as: UInt8.self) : 0
            prefix = prefix << 8 | UInt64(byte)
        }
        return prefix
    }

    /// Calls a function with the entries in the order of their keys, those of equal keys in the order
    /// in which they were added, and forgets them.
    ///
    /// The function also gets whether the key is that of the entry before. Keys and values stay where they
    /// are until entries are added.
    mutating func drain(_ body: (MDB_val, MDB_val, Bool) throws -> Void) rethrows {
        sort()
        defer { removeAll() }
        let bytes = UnsafeMutableRawPointer(words.start)
        var previous: Entry?
        for index in 0..<entries.count {
            let entry = entries.start[index]
            // They lie where they were added, which is anywhere.
            let coming = entries.start[min(index + Self.lead, entries.count - 1)]
            clmdb_prefetch(bytes + 8 * Int(coming.place))
            let repeats =
                previous.map {
                    $0.prefix == entry.prefix && Self.compareKeys($0, entry, bytes) == 0
                } ?? false
            previous = entry
            try body(entry.key(in: bytes), entry.value(in: bytes), repeats)
        }
    }

    /// How many entries ahead their keys are fetched.
    private static let lead = 8

    /// Sorts by the keys, entries of equal ones in the order in which they were added.
    private mutating func sort() {
        let bytes = UnsafeMutableRawPointer(words.start)
        func isBefore(_ left: Entry, _ right: Entry) -> Bool {
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let order = Self.compareKeys(left, right, bytes)
            return order != 0 ? order < 0 : left.place < right.place
        }
        if entries.count >= Self.radixThreshold { Self.sortByPrefix(&entries) }
        var entries = entries.elements
        if entries.count < Self.radixThreshold { return entries.sort(by: isBefore) }
        var start = 0
        for end in 1...entries.count
        where end == entries.count || entries[end].prefix != entries[start].prefix {
            if end - start > 1 {
                var alike = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
                Self.takeNextPrefixes(alike, bytes)
                alike.sort(by: isBefore)
            }
            start = end
        }
    }

    /// From here on the passes over all entries take less time than comparing them does.
    private static let radixThreshold = 256

    /// Sorts entries by their prefixes alone, those of equal ones in the order in which they were: a pass for
    /// each byte, from the last to the first, in which any two differ.
    private static func sortByPrefix(_ entries: inout GrowingMemory<Entry>) {
        let count = entries.count
        var spare = GrowingMemory<Entry>()
        spare.reserve(count)
        defer { spare.deallocate() }
        var places = [Int](repeating: 0, count: 8 * 256)
        for entry in entries.elements {
            for byte in 0..<8 { places[byte * 256 + entry.bucket(byte)] += 1 }
        }
        for byte in 0..<8 {
            let buckets = byte * 256..<(byte + 1) * 256
            if places[buckets.lowerBound + entries.start[0].bucket(byte)] == count { continue }
            var next = 0
            for bucket in buckets {
                let count = places[bucket]
                places[bucket] = next
                next += count
            }
            for entry in entries.elements {
                let bucket = buckets.lowerBound + entry.bucket(byte)
                spare.start[places[bucket]] = entry
                places[bucket] += 1
            }
            swap(&entries, &spare)
        }
    }

    /// Gives entries of one prefix the eight bytes after it in its place, where they have any.
    ///
    /// So each key is fetched once rather than for every comparison.
    private static func takeNextPrefixes(
        _ entries: UnsafeMutableBufferPointer<Entry>,
        _ bytes: UnsafeMutableRawPointer
    ) {
        // With zeros begin nils, too, whose next bytes come after those of no value.
        if entries[0].prefix == 0 || !entries.contains(where: { $0.keyLength > 9 }) { return }
        for index in entries.indices {
            entries[index].prefix = prefix(of: entries[index].key(in: bytes), at: 9)
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
        return DBClientObjectStore.compareKeys(
            left.key(in: bytes).bytes,
            right.key(in: bytes).bytes
        )
    }

    mutating func removeAll() {
        entries.removeAll()
        words.removeAll()
    }
}

/// Plain values in memory of their own, which the system may lengthen without copying them.
private struct GrowingMemory<Element: BitwiseCopyable> {
    private(set) var start: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity = 16

    init() {
        start = .allocate(capacity: capacity)
    }

    func deallocate() {
        free(start)
    }

    var elements: UnsafeMutableBufferPointer<Element> {
        UnsafeMutableBufferPointer(start: start, count: count)
    }

    /// Adds so many elements, whose values are not yet set.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(to: count + more) }
        count += more
    }

    @inline(never)
    private mutating func grow(to wanted: Int) {
        capacity = max(capacity * 2, wanted)
        let size = capacity * MemoryLayout<Element>.stride
        // Without memory nothing goes on, as for every array.
        guard let longer = realloc(start, size) else { abort() }
        start = longer.bindMemory(to: Element.self, capacity: capacity)
    }

    mutating func removeAll() {
        count = 0
    }
}
