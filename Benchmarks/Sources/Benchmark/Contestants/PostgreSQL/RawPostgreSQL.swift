import CRawLibPQ
import Foundation
import Synchronization

/// PostgreSQL by hand: libpq's blocking calls, binary prepared statements, COPY for many rows.
///
/// Safe to share between tasks for `commit` alone.
final class RawPostgreSQL: Contestant, @unchecked Sendable {
    private let handle: OpaquePointer
    private let commits = Mutex(())
    private var prepared: Set<String> = []
    private var copyBuffer = LibPQBuffer()

    init(folder: URL) throws {
        let schema = try PostgreSQLSchema.name(in: folder)
        guard let handle = PQconnectdb(PostgreSQLSchema.url),
            PQstatus(handle) == CONNECTION_OK
        else { throw BenchmarkError("no server at DBCLIENT_POSTGRES_URL") }
        self.handle = handle
        try run("CREATE SCHEMA IF NOT EXISTS \"\(schema)\"")
        try run("SET search_path = \"\(schema)\"")
        try run("SET client_min_messages = error")
        try run(
            """
            CREATE TABLE IF NOT EXISTS "Character" (id bigint PRIMARY KEY,
                name text COLLATE "C" NOT NULL, "realName" text COLLATE "C" NOT NULL,
                "publisherId" bigint, power double precision NOT NULL,
                "createdAt" timestamptz NOT NULL, "isActive" boolean NOT NULL,
                bio text COLLATE "C")
            """
        )
        try run("CREATE INDEX IF NOT EXISTS p ON \"Character\" (\"publisherId\" NULLS FIRST)")
        try run("CREATE INDEX IF NOT EXISTS n ON \"Character\" (name)")
    }

    func close() throws {
        PQfinish(handle)
    }

    private func run(_ sql: String) throws {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN: return
        default: throw BenchmarkError(String(cString: PQerrorMessage(handle)))
        }
    }

    /// Runs a prepared statement with parameters of eight bytes each or text.
    private func query(_ sql: String, _ parameters: [LibPQParameter] = []) throws -> OpaquePointer {
        if prepared.insert(sql).inserted {
            PQclear(PQprepare(handle, "p\(sql.hashValue)", sql, 0, nil))
        }
        let name = "p\(sql.hashValue)"
        return try LibPQParameter.with(parameters) { count, values, lengths, formats in
            let result = PQexecPrepared(handle, name, count, values, lengths, formats, 1)
            guard let result,
                [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result))
            else { throw BenchmarkError(String(cString: PQerrorMessage(handle))) }
            return result
        }
    }

    // MARK: Writing

    func insert(_ rows: [Character]) throws {
        try run("BEGIN")
        try copy(rows, into: "\"Character\"")
        try run("COMMIT")
    }

    private func copy(_ rows: [Character], into table: String) throws {
        try run("COPY \(table) FROM STDIN (FORMAT binary)")
        copyBuffer.begin()
        for row in rows {
            copyBuffer.put(row)
            if copyBuffer.isFull { try send() }
        }
        copyBuffer.end()
        try send()
        guard PQputCopyEnd(handle, nil) == 1 else { throw BenchmarkError("COPY fails") }
        let result = PQgetResult(handle)
        let status = PQresultStatus(result)
        PQclear(result)
        while let rest = PQgetResult(handle) { PQclear(rest) }
        guard status == PGRES_COMMAND_OK else {
            throw BenchmarkError(String(cString: PQerrorMessage(handle)))
        }
    }

    private func send() throws {
        guard copyBuffer.send(to: handle) else { throw BenchmarkError("COPY fails") }
    }

    func upsert(_ rows: [Character]) throws {
        try run("BEGIN")
        try run("CREATE TEMPORARY TABLE t (LIKE \"Character\") ON COMMIT DROP")
        try copy(rows, into: "t")
        let result = PQexecParams(
            handle,
            """
            INSERT INTO "Character" SELECT * FROM t ON CONFLICT (id) DO UPDATE SET
                name = EXCLUDED.name, "realName" = EXCLUDED."realName",
                "publisherId" = EXCLUDED."publisherId", power = EXCLUDED.power,
                "createdAt" = EXCLUDED."createdAt", "isActive" = EXCLUDED."isActive",
                bio = EXCLUDED.bio RETURNING ("Character".xmax = 0)
            """,
            0,
            nil,
            nil,
            nil,
            nil,
            1
        )
        var inserted = 0
        for row in 0..<PQntuples(result) where PQgetvalue(result, row, 0)?.pointee != 0 {
            inserted += 1
        }
        let count = Int(PQntuples(result))
        PQclear(result)
        try run("COMMIT")
        guard count == rows.count else { throw BenchmarkError("an upsert leaves rows out") }
    }

    func rename(_ names: [(key: Int, realName: String)]) throws {
        try run("BEGIN")
        for (key, name) in names {
            PQclear(
                try query(
                    "UPDATE \"Character\" SET \"realName\" = $1 WHERE id = $2",
                    [.text(name), .integer(key)]
                )
            )
        }
        try run("COMMIT")
    }

    func delete(_ keys: [Int]) throws -> Int {
        let list = "{" + keys.map(String.init).joined(separator: ",") + "}"
        let result = list.withCString { text in
            var values: [UnsafePointer<CChar>?] = [text]
            return PQexecParams(
                handle,
                "DELETE FROM \"Character\" WHERE id = ANY ($1::bigint[])",
                1,
                nil,
                &values,
                nil,
                nil,
                1
            )
        }
        defer { PQclear(result) }
        return Int(String(cString: PQcmdTuples(result))) ?? 0
    }

    func commit(_ row: Character) async throws {
        try commits.withLock { _ in
            PQclear(
                try query(
                    "INSERT INTO \"Character\" VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                    [
                        .integer(row.id), .text(row.name), .text(row.realName),
                        row.publisherId.map { .integer($0) } ?? .null, .real(row.power),
                        .integer(Int(row.createdMicroseconds - LibPQBuffer.epoch)),
                        .boolean(row.isActive), row.bio.map { .text($0) } ?? .null,
                    ]
                )
            )
        }
    }

    // MARK: Reading

    private static let columns =
        "id, name, \"realName\", \"publisherId\", power, \"createdAt\", \"isActive\", bio"

    private func rows(_ result: OpaquePointer) -> [Character] {
        defer { PQclear(result) }
        let count = PQntuples(result)
        var rows: [Character] = []
        rows.reserveCapacity(Int(count))
        for row in 0..<count { rows.append(Character(result, row)) }
        return rows
    }

    @inline(__always)
    private func find(_ key: Int) throws -> Character? {
        let result = try query(
            "SELECT \(Self.columns) FROM \"Character\" WHERE id = $1",
            [.integer(key)]
        )
        defer { PQclear(result) }
        return PQntuples(result) == 0 ? nil : Character(result, 0)
    }

    func get(_ keys: [Int]) throws -> Int {
        try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        var sum = 0
        for key in keys { sum &+= try find(key)?.weight ?? 0 }
        try run("COMMIT")
        return sum
    }

    func get(_ key: Int) throws -> Character? {
        try find(key)
    }

    /// Row by row, which is faster from Swift than one result of everything.
    func fetchAll() throws -> any FetchedRows {
        let sql = "SELECT \(Self.columns) FROM \"Character\" ORDER BY id"
        guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1,
            PQsetSingleRowMode(handle) == 1
        else { throw BenchmarkError("fetch fails") }
        var rows: [Character] = []
        while let result = PQgetResult(handle) {
            if PQresultStatus(result) == PGRES_SINGLE_TUPLE { rows.append(Character(result, 0)) }
            PQclear(result)
        }
        return rows
    }

    func fetch(publisher: Int) throws -> any FetchedRows {
        rows(
            try query(
                "SELECT \(Self.columns) FROM \"Character\" WHERE \"publisherId\" = $1 ORDER BY id",
                [.integer(publisher)]
            )
        )
    }

    func strongest(over power: Double, limit: Int) throws -> any FetchedRows {
        rows(
            try query(
                """
                SELECT \(Self.columns) FROM "Character" WHERE "isActive" AND power > $1
                ORDER BY power DESC, id LIMIT $2
                """,
                [.real(power), .integer(limit)]
            )
        )
    }

    func countActive(over power: Double) throws -> Int {
        let result = try query(
            "SELECT count(*) FROM \"Character\" WHERE \"isActive\" AND power > $1",
            [.real(power)]
        )
        defer { PQclear(result) }
        return Int(LibPQBuffer.word(PQgetvalue(result, 0, 0)))
    }

    func stream(limit: Int) async throws -> Int {
        let rows = try query(
            "SELECT \(Self.columns) FROM \"Character\" ORDER BY id LIMIT $1",
            [.integer(limit)]
        )
        return self.rows(rows).reduce(0) { $0 &+ $1.weight }
    }
}

/// A parameter in the server's binary form.
enum LibPQParameter {
    case null
    case integer(Int)
    case real(Double)
    case boolean(Bool)
    case text(String)

    /// Calls a body with the arrays that libpq wants.
    @inline(__always)
    static func with<Value>(
        _ parameters: [LibPQParameter],
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
            UnsafePointer<Int32>?
        ) throws -> Value
    ) rethrows -> Value {
        try withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { memory in
            var values: [UnsafePointer<CChar>?] = []
            var lengths: [Int32] = []
            var used = 0
            for parameter in parameters {
                let start = memory.baseAddress! + used
                let count: Int
                switch parameter {
                case .null: count = -1
                case .integer(let value):
                    start.storeBytes(of: Int64(value).bigEndian, as: Int64.self)
                    count = 8
                case .real(let value):
                    start.storeBytes(of: value.bitPattern.bigEndian, as: UInt64.self)
                    count = 8
                case .boolean(let value):
                    start.storeBytes(of: value ? 1 : 0, as: UInt8.self)
                    count = 1
                case .text(var text):
                    count = text.withUTF8 { bytes in
                        start.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
                        return bytes.count
                    }
                }
                values.append(
                    count < 0 ? nil : UnsafePointer(start.assumingMemoryBound(to: CChar.self))
                )
                lengths.append(Int32(max(count, 0)))
                used += (max(count, 0) + 7) & ~7
            }
            let formats = [Int32](repeating: 1, count: parameters.count)
            return try body(Int32(parameters.count), values, lengths, formats)
        }
    }
}

extension Character {
    /// Reads a row of a binary result.
    @inline(__always)
    fileprivate init(_ result: OpaquePointer?, _ row: Int32) {
        func text(_ column: Int32) -> String {
            let bytes = UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column),
                count: Int(PQgetlength(result, row, column))
            )
            return String(decoding: bytes, as: UTF8.self)
        }
        self.init(
            id: Int(LibPQBuffer.word(PQgetvalue(result, row, 0))),
            name: text(1),
            realName: text(2),
            publisherId: PQgetisnull(result, row, 3) != 0
                ? nil : Int(LibPQBuffer.word(PQgetvalue(result, row, 3))),
            power: Double(
                bitPattern: UInt64(bitPattern: LibPQBuffer.word(PQgetvalue(result, row, 4)))
            ),
            createdAt: Date(
                microseconds: LibPQBuffer.word(PQgetvalue(result, row, 5)) + LibPQBuffer.epoch
            ),
            isActive: PQgetvalue(result, row, 6)?.pointee != 0,
            bio: PQgetisnull(result, row, 7) != 0 ? nil : text(7)
        )
    }
}
