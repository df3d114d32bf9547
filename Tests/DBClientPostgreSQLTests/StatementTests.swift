import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Synchronization
import Testing

/// Custom statements of SQL.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct StatementTests {
    @Test(
        "A scan that is stopped early does not wait for the rest of the rows",
        .enabled(if: Server.isThere)
    )
    func stoppedScan() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, _ in
            try await client.insert(Counter(0))
            let total = 1_000_000
            try await client.execute(
                "INSERT INTO \"Counter\" SELECT g, 0 FROM generate_series(1, \(total)) g"
            )
            func scan(_ limit: Int, thenFinds key: Int? = nil) async throws -> (Int, Duration) {
                try await onThread {
                    var seen = 0
                    let begin = ContinuousClock.now
                    try client.blocking.read { transaction in
                        try transaction.forEach(Counter.all) { _ in
                            seen += 1
                            return seen < limit
                        }
                        guard let key else { return }
                        #expect(try transaction.find(Counter.self, key: key) == Counter(key))
                    }
                    return (seen, ContinuousClock.now - begin)
                }
            }
            let (count, whole) = try await scan(.max)
            #expect(count == total + 1)
            for _ in 0..<5 {
                let (seen, elapsed) = try await scan(10)
                #expect(seen == 10 && elapsed < whole / 3)
                // The connection is whole, and so is a transaction that goes on after it.
                #expect(try await client.find(Counter.self, key: 5) == Counter(5))
            }
            #expect(try await scan(10, thenFinds: total).0 == 10)
            #expect(client.postgreSQLPool?.idle == 1)
            print("stopped scan: \(total) rows in \(whole), ten of them in \(try await scan(10).1)")
        }
    }

    @Test("A statement that copies from or to the client is refused, and the client goes on")
    func copying() async throws {
        try await Server.withClient { client, _ in
            try await client.insert([Counter(1, 5), Counter(2, 6)])
            let leaving: SQL = "COPY \"Counter\" TO STDOUT"
            let coming: SQL = "COPY \"Counter\" FROM STDIN"
            #expect(await code { try await client.execute(leaving) } == .invalidRequest)
            #expect(await code { try await client.execute(coming) } == .invalidRequest)
            #expect(await code { _ = try await client.rows(leaving) } == .invalidRequest)
            #expect(await code { _ = try client.blocking.rows(leaving) } == .invalidRequest)
            #expect(
                await code { _ = try await client.fetch(Counter.self, sql: leaving) }
                    == .invalidRequest
            )
            let error = await code {
                try await client.write { transaction in
                    try transaction.insert(Counter(3))
                    _ = try transaction.rows("SELECT 1")
                    try transaction.execute(leaving)
                }
            }
            #expect(error == .invalidRequest)
            #expect(try await client.findAll(Counter.self) == [Counter(1, 5), Counter(2, 6)])
        }
    }

    @Test("A transaction goes on after a statement that would have ended it was refused")
    func endedTransaction() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            let error = Mutex<DBClientError.Code?>(nil)
            try await client.write { transaction in
                try transaction.insert(Counter(2))
                do { try transaction.execute("ROLLBACK") } catch let found as DBClientError {
                    error.withLock { $0 = found.code }
                }
                try transaction.insert(Counter(3))
            }
            #expect(error.withLock { $0 } == .invalidRequest)
            #expect(try await client.count(Counter.all) == 3)
        }
    }

    @Test(
        "A statement that is not valid is told of in the server's words, without a constant of it"
    )
    func invalidStatements() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            let expected: [(SQL, String)] = [
                ("SELEC 1", "SELEC"), ("SELECT * FROM missing", "missing"),
                ("SELECT missing FROM \"Counter\"", "missing"),
                ("SELECT * FROM \"Counter\" WHERE", "end of input"),
                ("INSERT INTO \"Counter\" (missing) VALUES (1)", "missing"),
                ("SELECT missing(1)", "missing"), ("DROP TABLE missing", "missing"),
            ]
            for (sql, words) in expected {
                for isQuery in [true, false] {
                    let error = await #expect(throws: DBClientError.self) {
                        if isQuery {
                            try await client.write { _ = try $0.rows(sql).count }
                        } else {
                            try await client.execute(sql)
                        }
                    }
                    #expect(error?.code == .invalidRequest)
                    #expect(
                        error?.description.contains(words) == true,
                        "\(error?.description ?? "")"
                    )
                }
            }
            for sql: SQL in [
                "SELECT 1 'secret' 2", "SELECT 'secret", "SELECT 1 FROM 'secret'",
                "SELECT $$secret$$ $$a$$ 1",
            ] {
                let error = await #expect(throws: DBClientError.self) {
                    _ = try await client.rows(sql)
                }
                #expect(error?.code == .invalidRequest)
                #expect(
                    error?.description.contains("secret") == false,
                    "\(error?.description ?? "")"
                )
            }
        }
    }

    @Test("Statements of one's own have the codes and the counts of every engine")
    func codesAndCounts() async throws {
        try await Server.withClient { client, _ in
            #expect(
                try await client.execute("CREATE TABLE own (id int PRIMARY KEY, a int UNIQUE)") == 0
            )
            #expect(try await client.execute("INSERT INTO own VALUES (1, 1), (2, 2)") == 2)
            #expect(try await client.execute("CREATE TABLE copy AS SELECT * FROM own") == 0)
            #expect(try await client.execute("CREATE INDEX own_index ON own (a)") == 0)
            #expect(try await client.execute("/* x */ UPDATE own SET a = a + 10") == 2)
            #expect(try await client.execute("SELECT * FROM own") == 0)
            #expect(
                await code { try await client.execute("INSERT INTO own VALUES (1, 9)") }
                    == .duplicateKey
            )
            #expect(
                await code { try await client.execute("INSERT INTO own VALUES (9, 11)") }
                    == .uniqueViolation
            )
            // A key whose constraint has a name of its own.
            try await client.execute("CREATE TABLE named (id int CONSTRAINT mine PRIMARY KEY)")
            try await client.execute("INSERT INTO named VALUES (1)")
            #expect(
                await code { try await client.execute("INSERT INTO named VALUES (1)") }
                    == .duplicateKey
            )
            // A key of a table that the client knows.
            try await client.insert(Counter(1))
            #expect(
                await code { try await client.execute("INSERT INTO \"Counter\" VALUES (1, 1)") }
                    == .duplicateKey
            )
        }
    }
}
