import CLMDB
import DBClientCore

/// The commits that other processes observe row by row: a table by LMDB's transaction numbers, written in
/// the transactions that it describes.
struct Journal: Sendable {
    static let tableName = "journal"

    let table: MDB_dbi

    /// So many entries are kept at most.
    ///
    /// A process that has not read an entry before it is removed refetches.
    static let entryLimit = 4_096
    /// So many bytes of pages the entries have at most.
    static let byteLimit = 16 << 20

    // MARK: Writing

    /// Writes the entry of the transaction.
    func append(_ entry: [UInt8], in writer: StoreWriter) throws {
        try withNumber(writer.number) { key in
            try entry.withUnsafeBytes { bytes in
                let value = MDB_val(bytes)
                if try writer.transaction.put(table, key, value, MDB_APPEND) { return }
                // Numbers ascend, so the existing entries are not of this store.
                try clear(in: writer)
                try writer.transaction.put(table, key, value)
            }
        }
        try prune(in: writer)
    }

    /// Removes every entry of the journal.
    func clear(in writer: StoreWriter) throws {
        if try size(in: writer).entries > 0 { try writer.transaction.empty(table) }
    }

    /// Forgets the oldest entries, a quarter of all at once, when there are too many.
    private func prune(in writer: StoreWriter) throws {
        var size = try size(in: writer)
        guard size.entries > Self.entryLimit || size.bytes > Self.byteLimit else { return }
        let cursor = try writer.takeCursor(table)
        defer { writer.giveBack(cursor, table) }
        var key = MDB_val()
        var value = MDB_val()
        while size.entries > 1,
            size.entries > Self.entryLimit * 3 / 4 || size.bytes > Self.byteLimit * 3 / 4,
            try cursor.move(MDB_FIRST, &key, &value)
        {
            try cursor.delete()
            size = try self.size(in: writer)
        }
    }

    /// Returns how many entries there are, and the bytes of their pages.
    func size(in reader: StoreReader) throws -> (entries: Int, bytes: Int) {
        let statistics = try reader.transaction.statistics(of: table)
        return (statistics.ms_entries, statistics.pageCount &* Int(statistics.ms_psize))
    }

    // MARK: Reading

    /// Returns the number of the transaction with the oldest entry; nil where there is none.
    func oldest(in reader: StoreReader) throws -> UInt64? {
        let cursor = try reader.takeCursor(table)
        defer { reader.giveBack(cursor, table) }
        var key = MDB_val()
        var value = MDB_val()
        return try cursor.move(MDB_FIRST, &key, &value) ? Self.number(key) : nil
    }

    /// Calls a function with the entry of each of some transactions, in order; nil for those, one or
    /// several in a row, that have none.
    func read(
        _ numbers: ClosedRange<UInt64>,
        through reader: StoreReader,
        _ visit: (UnsafeRawBufferPointer?) -> Void
    ) {
        var next = numbers.lowerBound
        do {
            let cursor = try reader.takeCursor(table)
            defer { reader.giveBack(cursor, table) }
            try withNumber(next) { first in
                var key = first
                var value = MDB_val()
                var isThere = try cursor.move(MDB_SET_RANGE, &key, &value)
                while isThere, let number = Self.number(key), number <= numbers.upperBound {
                    if number > next { visit(nil) }
                    visit(value.bytes)
                    next = number &+ 1
                    isThere = try cursor.move(MDB_NEXT, &key, &value)
                }
            }
        } catch {
            // What could not be read is as good as missing.
        }
        if next <= numbers.upperBound { visit(nil) }
    }

    private static func number(_ key: MDB_val) -> UInt64? {
        guard key.mv_size == 8 else { return nil }
        return UInt64(bigEndian: key.bytes.loadUnaligned(as: UInt64.self))
    }
}

/// Calls a function with a number as a key of a table that the store keeps for itself.
func withNumber<Value>(_ number: UInt64, _ body: (MDB_val) throws -> Value) rethrows -> Value {
    try withUnsafeBytes(of: number.bigEndian) { try body(MDB_val($0)) }
}
