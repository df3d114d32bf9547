import CLMDB
import DBClientCore

/// A range of the table in the form that its cursor takes: bytes, or for an integer key the machine's
/// own eight.
struct TableBounds {
    private let memory: UnsafeMutableRawPointer
    let lower: MDB_val
    private let upper: MDB_val
    let hasUpper: Bool
    private let hasIntegerKey: Bool

    init(_ range: KeyRange, hasIntegerKey: Bool) {
        self.hasIntegerKey = hasIntegerKey
        hasUpper = range.upper != nil
        let upperBytes = range.upper ?? []
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(range.lower.count, 8) + max(upperBytes.count, 8),
            alignment: 8
        )
        if hasIntegerKey {
            memory.storeBytes(of: Self.word(range.lower), as: UInt64.self)
            memory.storeBytes(of: Self.word(upperBytes), toByteOffset: 8, as: UInt64.self)
            lower = MDB_val(memory, range.lower.isEmpty ? 0 : 8)
            upper = MDB_val(memory + 8, 8)
        } else {
            let split = max(range.lower.count, 8)
            UnsafeMutableRawBufferPointer(start: memory, count: range.lower.count)
                .copyBytes(from: range.lower)
            UnsafeMutableRawBufferPointer(start: memory + split, count: upperBytes.count)
                .copyBytes(from: upperBytes)
            lower = MDB_val(memory, range.lower.count)
            upper = MDB_val(memory + split, upperBytes.count)
        }
        self.memory = memory
    }

    func deallocate() {
        memory.deallocate()
    }

    /// The number whose big-endian bytes begin with these and go on with zeros.
    private static func word(_ bytes: [UInt8]) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        return word
    }

    @inline(__always)
    func isPast(_ key: MDB_val) -> Bool {
        guard hasUpper else { return false }
        return compare(key, upper) >= 0
    }

    @inline(__always)
    func isBelow(_ key: MDB_val) -> Bool {
        lower.mv_size > 0 && compare(key, lower) < 0
    }

    @inline(__always)
    private func compare(_ left: MDB_val, _ right: MDB_val) -> Int {
        guard hasIntegerKey else { return compareKeys(left.bytes, right.bytes) }
        let first = left.mv_data.loadUnaligned(as: UInt64.self)
        let second = right.mv_data.loadUnaligned(as: UInt64.self)
        return first < second ? -1 : first == second ? 0 : 1
    }

    func moveToLast(
        _ cursor: Cursor,
        _ key: inout MDB_val,
        _ value: inout MDB_val
    ) throws -> Bool {
        guard hasUpper else { return try cursor.move(MDB_LAST, &key, &value) }
        key = upper
        return try cursor.move(MDB_SET_RANGE, &key, &value)
            ? try cursor.move(MDB_PREV, &key, &value)
            : try cursor.move(MDB_LAST, &key, &value)
    }
}
