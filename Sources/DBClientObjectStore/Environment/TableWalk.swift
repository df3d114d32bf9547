import CLMDB
import DBClientCore
import Foundation

/// The records of a table from some key on, in key order, read from the pages where they lie.
///
/// A call of LMDB for each record costs more than a look at a small record does. In a read transaction
/// the bytes that a cursor points at are in the map, so the address of one key gives its page, and the
/// page gives the records that follow; LMDB is asked for the next page, for values that have pages of
/// their own, and for everything where a page is not what it should be. The layout is that of LMDB 0.9
/// on a 64-bit, little-endian machine.
struct TableWalk {
    /// The key and the record at the walk's position.
    private(set) var key: MDB_val
    private(set) var value = MDB_val()
    private let cursor: Cursor
    /// The size of a page; 0 where pages are not read.
    private let pageSize: Int
    /// Whether keys are numbers in the machine's order.
    private let isInteger: Bool
    private var page = UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    /// The next entry of the page, and how many there are; both 0 while the cursor alone says.
    private var next = 0
    private var count = 0
    private var hasBegun = false
    /// How many records there may still be; a damaged tree may lead in a circle.
    private var rest: Int

    /// The bytes before the places of the entries.
    private static let headerSize = 16
    private static let leafFlag: UInt16 = 0x02

    /// Creates a walk that begins at the first key that is not less than one; at the first of all when
    /// that has no bytes.
    ///
    /// - Parameters:
    ///   - cursor: The cursor, which nothing else moves meanwhile.
    ///   - lower: The key, whose bytes outlive the first step.
    ///   - pageSize: The size of a page of the map; 0 to leave pages alone.
    ///   - rowCount: How many records the table has.
    ///   - isInteger: Whether the keys are numbers in the machine's order.
    init(
        _ cursor: Cursor,
        from lower: MDB_val = MDB_val(),
        pageSize: Int,
        rowCount: Int,
        isInteger: Bool
    ) {
        self.cursor = cursor
        self.isInteger = isInteger
        self.pageSize = pageSize
        rest = rowCount
        key = lower
    }

    /// Throws, at the end of a walk over a whole table, when there were fewer records than it has.
    func checkEnd() throws {
        if rest != 0 { throw Record.malformed() }
    }

    /// Goes to the next record and returns whether there is one.
    @inline(__always)
    mutating func advance() throws -> Bool {
        if next < count {
            let place = Int(
                page.loadUnaligned(
                    fromByteOffset: Self.headerSize + next * 2,
                    as: UInt16.self
                )
            )
            if place <= pageSize - 8 {
                // The size of the value, flags that are zero where it follows its key, that of the key.
                let header = page.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let keySize = Int(truncatingIfNeeded: header >> 48)
                let valueSize = Int(truncatingIfNeeded: header & 0xFFFF_FFFF)
                let start = place + 8 + keySize
                if header >> 32 & 0xFFFF == 0, start + valueSize <= pageSize {
                    let bytes = UnsafeMutableRawPointer(mutating: page)
                    key = MDB_val(bytes + (place + 8), keySize)
                    value = MDB_val(bytes + start, valueSize)
                    next += 1
                    fetchAhead()
                    return true
                }
            }
        }
        return try advanceByCursor()
    }

    /// Has the processor fetch a record that comes soon, which the loop would otherwise wait for: without it a
    /// fetch of all 100,000 rows took 1.25 times as long as one by hand, with it 1.05 times.
    @inline(__always)
    private func fetchAhead() {
        let place = Int(
            page.loadUnaligned(
                fromByteOffset: Self.headerSize + min(next + Self.ahead, count - 1) * 2,
                as: UInt16.self
            )
        )
        clmdb_prefetch(page + place)
        clmdb_prefetch(page + place + 64)
        clmdb_prefetch(page + place + 128)
    }

    private static let ahead = 2

    @inline(never)
    private mutating func advanceByCursor() throws -> Bool {
        if next < count {
            // A value with pages of its own.
            guard let found = keyBytes(at: next) else { throw Record.malformed() }
            next += 1
            key = found
            guard try cursor.move(MDB_SET_KEY, &key, &value) else { throw Record.malformed() }
            return true
        }
        if count > 0 {
            guard var last = keyBytes(at: count - 1) else { throw Record.malformed() }
            guard try cursor.move(MDB_SET, &last, &value) else { throw Record.malformed() }
        }
        let last = hasBegun ? key : nil
        let operation =
            hasBegun ? MDB_NEXT : key.mv_size == 0 ? MDB_FIRST : MDB_SET_RANGE
        hasBegun = true
        next = 0
        count = 0
        guard try cursor.move(operation, &key, &value) else { return false }
        enterPage()
        // Once for each page: its records, and that it comes after the one before.
        rest -= count - next + 1
        guard rest >= 0, last.map({ isAscending($0, key) }) ?? true else {
            throw Record.malformed()
        }
        return true
    }

    private func isAscending(_ left: MDB_val, _ right: MDB_val) -> Bool {
        if isInteger {
            guard left.mv_size == 8, right.mv_size == 8 else { return false }
            return left.mv_data.loadUnaligned(as: UInt64.self)
                < right.mv_data.loadUnaligned(as: UInt64.self)
        }
        return compareKeys(left.bytes, right.bytes) < 0
    }

    /// Finds the page that the cursor is on, and its place there.
    private mutating func enterPage() {
        guard pageSize > 0, let first = UnsafeRawPointer(key.mv_data) else { return }
        let mask = UInt(bitPattern: pageSize - 1)
        guard let found = UnsafeRawPointer(bitPattern: UInt(bitPattern: first) & ~mask) else {
            return
        }
        let flags = found.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
        let end = Int(found.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        guard flags == Self.leafFlag, end >= Self.headerSize, end <= pageSize else { return }
        page = found
        let entries = (end - Self.headerSize) / 2
        for entry in 0..<entries where keyBytes(at: entry)?.mv_data == key.mv_data {
            next = entry + 1
            count = entries
            return
        }
    }

    /// The key of an entry of the page; nil where it is not inside.
    private func keyBytes(at entry: Int) -> MDB_val? {
        let place = Int(
            page.loadUnaligned(fromByteOffset: Self.headerSize + entry * 2, as: UInt16.self)
        )
        guard place <= pageSize - 8 else { return nil }
        let size = Int(page.loadUnaligned(fromByteOffset: place + 6, as: UInt16.self))
        guard place + 8 + size <= pageSize else { return nil }
        return MDB_val(UnsafeMutableRawPointer(mutating: page + (place + 8)), size)
    }

    /// Returns the size of the pages of an environment's map; 0 where they are not to be read: the
    /// layout is not known, or pages do not begin at multiples of their size.
    static func pageSize(of environment: OpaquePointer) -> Int {
        #if _endian(little) && _pointerBitWidth(_64)
        var minor: Int32 = 0
        var major: Int32 = 0
        var patch: Int32 = 0
        _ = mdb_version(&major, &minor, &patch)
        // 0.9.70 is what comes after 0.9, with a layout of its own.
        guard major == 0, minor == 9, patch < 70 else { return 0 }
        var statistics = MDB_stat()
        guard mdb_env_stat(environment, &statistics) == 0 else { return 0 }
        let size = Int(statistics.ms_psize)
        return size > 0 && size & (size - 1) == 0 && size <= sysconf(Int32(_SC_PAGESIZE))
            ? size : 0
        #else
        return 0
        #endif
    }
}
