import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Synchronization
import Testing

/// Statements of one's own.
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

    @Test("A transaction that a statement has ended takes no more")
    func endedTransaction() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            let codes = Mutex<[DBClientError.Code?]>([])
            let error = await code {
                try await client.write { transaction in
                    try transaction.insert(Counter(2))
                    func code(_ body: () throws -> Void) -> DBClientError.Code? {
                        do { try body() } catch { return (error as? DBClientError)?.code }
                        return nil
                    }
                    let found = [
                        code { try transaction.execute("ROLLBACK") },
                        code { try transaction.insert(Counter(3)) },
                        code { try transaction.execute("DELETE FROM \"Counter\"") },
                        code { try transaction.write { _ = try $0.insert(Counter(4)) } },
                    ]
                    codes.withLock { $0 = found }
                }
            }
            #expect(
                codes.withLock { $0 }
                    == [.invalidRequest, .transactionEnded, .transactionEnded, .transactionEnded]
            )
            #expect(error == .transactionEnded)
            #expect(try await client.findAll(Counter.self) == [Counter(1)])
        }
    }
}
