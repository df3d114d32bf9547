import Foundation
import GRDBSQLite

/// A connection of the SQLite baseline: no mutex inside, write-ahead log, every commit synced.
final class SQLiteConnection {
    /// The connection.
    let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens or creates a database with the table and its indexes.
    init(path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let handle = opened else {
            throw BenchmarkError("sqlite3_open_v2: \(String(cString: sqlite3_errstr(code)))")
        }
        self.handle = handle
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        try execute(SQLiteTable.pageCache)
        guard try statement("PRAGMA synchronous").integer() == 2 else {
            throw BenchmarkError("SQLite does not sync its commits")
        }
        try execute(SQLiteTable.creation)
    }

    /// Closes the connection and its statements.
    func close() throws {
        for statement in statements.values { statement.finalize() }
        try check(sqlite3_close(handle))
    }

    /// Runs statements without results.
    func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Returns a statement that is prepared once.
    func statement(_ sql: String) throws -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        try check(
            sqlite3_prepare_v3(
                handle,
                sql,
                -1,
                UInt32(SQLITE_PREPARE_PERSISTENT),
                &prepared,
                nil
            )
        )
        guard let prepared else { throw BenchmarkError("SQLite prepared nothing") }
        let statement = SQLiteStatement(prepared, of: handle)
        statements[sql] = statement
        return statement
    }

    /// Runs a body in a write transaction and commits it.
    func write<Value>(_ body: () throws -> Value) throws -> Value {
        try statement("BEGIN IMMEDIATE").run()
        let value: Value
        do {
            value = try body()
        } catch {
            try statement("ROLLBACK").run()
            throw error
        }
        try statement("COMMIT").run()
        return value
    }

    /// Runs a body on one snapshot.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try statement("BEGIN").run()
        let value: Value
        do {
            value = try body()
        } catch {
            try statement("ROLLBACK").run()
            throw error
        }
        try statement("COMMIT").run()
        return value
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK {
            throw BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
        }
    }
}

/// The table that every SQLite contestant by hand has, and its statements.
enum SQLiteTable {
    /// The page cache that the library's client gives each connection; were it not the same for all,
    /// it would be what is compared.
    static let pageCache = "PRAGMA cache_size = -15625"
    /// The table and its two indexes.
    static let creation = """
        CREATE TABLE IF NOT EXISTS character (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            realName TEXT NOT NULL,
            publisherId INTEGER,
            power REAL NOT NULL,
            createdAt INTEGER NOT NULL,
            isActive INTEGER NOT NULL,
            bio TEXT
        );
        CREATE INDEX IF NOT EXISTS character_publisherId ON character (publisherId);
        CREATE INDEX IF NOT EXISTS character_name ON character (name)
        """
    /// The columns in the order of the struct's fields.
    static let columns = "id, name, realName, publisherId, power, createdAt, isActive, bio"
    static let insert = "INSERT INTO character VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    static let upsert = """
        INSERT INTO character VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, realName = excluded.realName,
        publisherId = excluded.publisherId, power = excluded.power,
        createdAt = excluded.createdAt, isActive = excluded.isActive, bio = excluded.bio
        """
    static let get = "SELECT \(columns) FROM character WHERE id = ?"
    static let all = "SELECT \(columns) FROM character ORDER BY id"
    static let ofPublisher = "SELECT \(columns) FROM character WHERE publisherId = ? ORDER BY id"
    static let strongest = """
        SELECT \(columns) FROM character WHERE isActive AND power > ?
        ORDER BY power DESC, id LIMIT ?
        """
    static let countActive = "SELECT count(*) FROM character WHERE isActive AND power > ?"
    static let names = "SELECT id, name FROM character ORDER BY id"
    static let publishers = """
        SELECT publisherId, count(*), sum(id) FROM character
        GROUP BY publisherId ORDER BY publisherId
        """
    static let rename = "UPDATE character SET realName = ? WHERE id = ?"
    static let delete = "DELETE FROM character WHERE id = ?"
}
