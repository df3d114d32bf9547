import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Synchronization
import Testing

/// Statements of one's own.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct StatementTests {
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
