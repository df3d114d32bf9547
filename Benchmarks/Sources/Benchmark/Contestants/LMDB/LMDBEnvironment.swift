import CRawLMDB
import Foundation

/// The environment of the LMDB baseline with its three databases; commits are synced.
struct LMDBEnvironment {
    /// The environment.
    let handle: OpaquePointer
    /// Rows by key: `MDB_INTEGERKEY`.
    let rows: MDB_dbi
    /// Keys by publisher: `MDB_DUPSORT`, `MDB_DUPFIXED` and `MDB_INTEGERDUP`, the dense layout for
    /// few distinct values.
    let publishers: MDB_dbi
    /// Name and key together, without a value: the layout for nearly unique values.
    let names: MDB_dbi

    /// Opens or creates the environment in a folder.
    init(folder: URL) throws {
        var environment: OpaquePointer?
        try check(mdb_env_create(&environment), "mdb_env_create")
        guard let environment else { throw BenchmarkError("mdb_env_create gave nothing") }
        try check(mdb_env_set_mapsize(environment, 8 << 30), "mdb_env_set_mapsize")
        try check(mdb_env_set_maxdbs(environment, 3), "mdb_env_set_maxdbs")
        let path = folder.appendingPathComponent("characters.mdb").path
        try check(
            mdb_env_open(environment, path, UInt32(MDB_NOTLS | MDB_NOSUBDIR), 0o600),
            "mdb_env_open"
        )
        handle = environment
        (rows, publishers, names) = try Self.openDatabases(environment)
    }

    private static func openDatabases(
        _ environment: OpaquePointer
    ) throws -> (MDB_dbi, MDB_dbi, MDB_dbi) {
        do {
            return try openDatabases(environment, reading: true)
        } catch is MissingDatabase {
            return try openDatabases(environment, reading: false)
        }
    }

    private struct MissingDatabase: Error {}

    private static func openDatabases(
        _ environment: OpaquePointer,
        reading: Bool
    ) throws -> (MDB_dbi, MDB_dbi, MDB_dbi) {
        var transaction: OpaquePointer?
        try check(
            mdb_txn_begin(environment, nil, reading ? UInt32(MDB_RDONLY) : 0, &transaction),
            "mdb_txn_begin"
        )
        func open(_ name: String, _ flags: Int32) throws -> MDB_dbi {
            var database: MDB_dbi = 0
            let code = mdb_dbi_open(
                transaction,
                name,
                UInt32(reading ? flags : flags | MDB_CREATE),
                &database
            )
            if code == MDB_NOTFOUND { throw MissingDatabase() }
            try check(code, "mdb_dbi_open")
            return database
        }
        do {
            let opened = (
                try open("rows", MDB_INTEGERKEY),
                try open(
                    "publishers",
                    MDB_INTEGERKEY | MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP
                ),
                try open("names", 0)
            )
            try check(mdb_txn_commit(transaction), "mdb_txn_commit")
            return opened
        } catch {
            // A failed commit has freed the transaction; a failed open has not.
            if error is MissingDatabase { mdb_txn_abort(transaction) }
            throw error
        }
    }

    /// Closes the environment.
    func close() {
        mdb_env_close(handle)
    }

    /// Runs a body in a write transaction and commits it.
    func write<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        var begun: OpaquePointer?
        try check(mdb_txn_begin(handle, nil, 0, &begun), "mdb_txn_begin")
        guard let transaction = begun else { throw BenchmarkError("mdb_txn_begin gave nothing") }
        let value: Value
        do {
            value = try body(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try check(mdb_txn_commit(transaction), "mdb_txn_commit")
        return value
    }

    /// Runs a body with a cursor of a write transaction.
    func withCursor<Value>(
        _ transaction: OpaquePointer,
        _ database: MDB_dbi,
        _ body: (OpaquePointer) throws -> Value
    ) throws -> Value {
        var opened: OpaquePointer?
        try check(mdb_cursor_open(transaction, database, &opened), "mdb_cursor_open")
        guard let cursor = opened else { throw BenchmarkError("mdb_cursor_open gave nothing") }
        defer { mdb_cursor_close(cursor) }
        return try body(cursor)
    }
}

/// Throws what LMDB reports.
@inline(__always)
func check(_ code: Int32, _ call: StaticString) throws {
    if code != MDB_SUCCESS { throw lmdbFailure(code, call) }
}

@inline(never)
private func lmdbFailure(_ code: Int32, _ call: StaticString) -> BenchmarkError {
    BenchmarkError("\(call): \(String(cString: mdb_strerror(code)))")
}

/// One integer where LMDB can point at it: a key or a sorted value.
///
/// LMDB orders integers as unsigned, so the sign bit is turned round.
struct LMDBInteger {
    private let storage: UnsafeMutablePointer<UInt64>

    init() {
        storage = .allocate(capacity: 1)
        storage.pointee = 0
    }

    func deallocate() {
        storage.deallocate()
    }

    /// Points a value at an integer; valid until the next call.
    @inline(__always)
    func callAsFunction(_ integer: Int) -> MDB_val {
        storage.pointee = Self.encode(integer)
        return MDB_val(mv_size: 8, mv_data: storage)
    }

    @inline(__always)
    static func encode(_ integer: Int) -> UInt64 {
        UInt64(bitPattern: Int64(integer)) ^ (1 << 63)
    }

    @inline(__always)
    static func decode(_ bytes: UnsafeRawPointer) -> Int {
        Int(Int64(bitPattern: bytes.loadUnaligned(as: UInt64.self) ^ (1 << 63)))
    }
}
