import CRawLMDB
import Foundation

/// LMDB by hand: what a careful programmer gets from its C interface.
///
/// One read transaction is kept and renewed; rows are filtered on the mapped bytes before they are
/// decoded; each struct is decoded once, inlined.
///
/// Safe to share between tasks for `commit` alone, which LMDB's own writer lock serialises.
final class RawLMDB: Contestant, @unchecked Sendable {
    let environment: LMDBEnvironment
    /// The kept read transaction, reset when idle, and its cursors.
    let reader: OpaquePointer
    let rowCursor: OpaquePointer
    let publisherCursor: OpaquePointer
    let readKey = LMDBInteger()

    init(folder: URL) throws {
        environment = try LMDBEnvironment(folder: folder)
        var transaction: OpaquePointer?
        try check(
            mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &transaction),
            "mdb_txn_begin"
        )
        var rows: OpaquePointer?
        var publishers: OpaquePointer?
        try check(mdb_cursor_open(transaction, environment.rows, &rows), "mdb_cursor_open")
        try check(
            mdb_cursor_open(transaction, environment.publishers, &publishers),
            "mdb_cursor_open"
        )
        guard let transaction, let rows, let publishers else {
            throw BenchmarkError("LMDB gave no transaction")
        }
        reader = transaction
        rowCursor = rows
        publisherCursor = publishers
        mdb_txn_reset(transaction)
    }

    func close() throws {
        mdb_cursor_close(rowCursor)
        mdb_cursor_close(publisherCursor)
        mdb_txn_abort(reader)
        environment.close()
        readKey.deallocate()
    }

    /// Runs a body on a snapshot.
    @inline(__always)
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try check(mdb_txn_renew(reader), "mdb_txn_renew")
        defer { mdb_txn_reset(reader) }
        return try body()
    }

    /// Calls a function with every key and record in key order, until it returns false.
    @inline(__always)
    func scan(_ body: (Int, LMDBRecord) -> Bool) throws {
        try check(mdb_cursor_renew(reader, rowCursor), "mdb_cursor_renew")
        var key = MDB_val()
        var record = MDB_val()
        var code = mdb_cursor_get(rowCursor, &key, &record, MDB_FIRST)
        while code == MDB_SUCCESS {
            guard body(LMDBInteger.decode(key.mv_data), LMDBRecord(record.mv_data)) else { return }
            code = mdb_cursor_get(rowCursor, &key, &record, MDB_NEXT)
        }
        if code != MDB_NOTFOUND { try check(code, "mdb_cursor_get") }
    }

    @inline(__always)
    private func record(_ key: Int) throws -> LMDBRecord? {
        var lookup = readKey(key)
        var record = MDB_val()
        let code = mdb_get(reader, environment.rows, &lookup, &record)
        if code == MDB_NOTFOUND { return nil }
        try check(code, "mdb_get")
        return LMDBRecord(record.mv_data)
    }

    func get(_ keys: [Int]) throws -> Int {
        try read {
            var sum = 0
            for key in keys { sum &+= try record(key)?.decode(key: key).weight ?? 0 }
            return sum
        }
    }

    func get(_ key: Int) throws -> Character? {
        try read { try record(key)?.decode(key: key) }
    }

    func fetchAll() throws -> any FetchedRows {
        try read {
            var statistics = MDB_stat()
            try check(mdb_stat(reader, environment.rows, &statistics), "mdb_stat")
            var rows: [Character] = []
            rows.reserveCapacity(statistics.ms_entries)
            try scan { key, record in
                rows.append(record.decode(key: key))
                return true
            }
            return rows
        }
    }

    func stream(limit: Int) async throws -> Int {
        try read {
            var left = limit
            var sum = 0
            try scan { key, record in
                sum &+= record.decode(key: key).weight
                left -= 1
                return left > 0
            }
            return sum
        }
    }
}
