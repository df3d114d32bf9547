import CRawLibPQ
import Foundation
import Synchronization

/// PostgreSQL by hand: libpq's blocking calls, binary prepared statements, COPY for many rows.
///
/// Safe to share between tasks for `commit` alone.
final class RawPostgreSQL: Contestant, @unchecked Sendable {
    let handle: OpaquePointer
    private let commits = Mutex(())
    private var prepared: Set<String> = []
    private var copyBuffer = LibPQBuffer()
    private let folder: URL
    /// More connections, for callers at once.
    private let others = Mutex<[RawPostgreSQL]>([])

    init(folder: URL) throws {
        self.folder = folder
        let schema = try PostgreSQLSchema.name(in: folder)
        guard let handle = PQconnectdb(PostgreSQLSchema.url),
            PQstatus(handle) == CONNECTION_OK
        else { throw BenchmarkError("no server at DBCLIENT_POSTGRES_URL") }
        self.handle = handle
        try run("SET client_min_messages = error")
        try run("CREATE SCHEMA IF NOT EXISTS \"\(schema)\"")
        try run("SET search_path = \"\(schema)\"")
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
        for other in others.withLock({ $0 }) { try other.close() }
        PQfinish(handle)
    }

    /// Gets each list on a connection and a thread of its own.
    func getAtOnce(_ lists: [[Int]]) async throws -> Int {
        let connections = try others.withLock { others in
            while others.count < lists.count { others.append(try RawPostgreSQL(folder: folder)) }
            return others
        }
        return try await onThreads(Array(zip(lists, connections))) { keys, connection in
            try keys.reduce(0) { try $0 &+ (connection.get($1)?.weight ?? 0) }
        }
    }

    /// By hand a thread waits for each connection.
    func getAtOnceAsync(_ lists: [[Int]]) async throws -> Int {
        try await getAtOnce(lists)
    }

    /// Runs a statement without parameters or rows.
    func run(_ sql: String) throws {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN: return
        default: throw BenchmarkError(String(cString: PQerrorMessage(handle)))
        }
    }

    /// Runs a prepared statement with parameters of eight bytes each or text.
    func query(_ sql: String, _ parameters: [LibPQParameter] = []) throws -> OpaquePointer {
        let name = try prepare(sql)
        return try LibPQParameter.with(parameters) { count, values, lengths, formats in
            let result = PQexecPrepared(handle, name, count, values, lengths, formats, 1)
            guard let result,
                [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result))
            else { throw BenchmarkError(String(cString: PQerrorMessage(handle))) }
            return result
        }
    }

    /// Runs a prepared statement and calls a function with each row as it comes, in constant memory.
    ///
    /// From Swift this is faster than one result of everything, too.
    @inline(__always)
    func visit(
        _ sql: String,
        _ parameters: [LibPQParameter] = [],
        _ body: (OpaquePointer) -> Void
    ) throws {
        let name = try prepare(sql)
        let isSent = LibPQParameter.with(parameters) { count, values, lengths, formats in
            PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) == 1
        }
        guard isSent, PQsetSingleRowMode(handle) == 1 else {
            throw BenchmarkError(String(cString: PQerrorMessage(handle)))
        }
        var isComplete = false
        while let result = PQgetResult(handle) {
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE: body(result)
            case PGRES_TUPLES_OK: isComplete = true
            default: break
            }
            PQclear(result)
        }
        guard isComplete else { throw BenchmarkError(String(cString: PQerrorMessage(handle))) }
    }

    /// Returns the name of a statement that is prepared once.
    private func prepare(_ sql: String) throws -> String {
        let name = "p\(sql.hashValue)"
        guard prepared.insert(sql).inserted else { return name }
        let result = PQprepare(handle, name, sql, 0, nil)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else {
            throw BenchmarkError(String(cString: PQerrorMessage(handle)))
        }
        return name
    }

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

    /// Renames by one statement over two arrays.
    func renameTogether(_ names: [(key: Int, realName: String)]) throws {
        var keys = LibPQArray(element: 20, count: names.count)
        var texts = LibPQArray(element: 25, count: names.count)
        for (key, name) in names {
            keys.append(key)
            texts.append(name)
        }
        let name = try prepare(
            """
            UPDATE "Character" AS t SET "realName" = k.name
            FROM unnest($1::bigint[], $2::text[]) AS k(id, name) WHERE t.id = k.id
            """
        )
        let count = try keys.withBytes { keys in
            try texts.withBytes { texts in
                let result = PQexecPrepared(
                    handle,
                    name,
                    2,
                    [keys, texts].map { $0.baseAddress?.assumingMemoryBound(to: CChar.self) },
                    [Int32(keys.count), Int32(texts.count)],
                    [1, 1],
                    1
                )
                defer { PQclear(result) }
                guard PQresultStatus(result) == PGRES_COMMAND_OK else {
                    throw BenchmarkError(String(cString: PQerrorMessage(handle)))
                }
                return Int(String(cString: PQcmdTuples(result)))
            }
        }
        guard count == names.count else { throw BenchmarkError("an update leaves rows out") }
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
}
