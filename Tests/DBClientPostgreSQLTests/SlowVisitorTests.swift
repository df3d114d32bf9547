import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Rows that are handed to a caller one by one, who takes longer with them than a statement may.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct SlowVisitorTests {
    private func withClient(
        _ keepsStatements: Bool = true,
        _ body: (SQLDBClient) async throws -> Void
    ) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.statementTimeout = .milliseconds(300)
        configuration.keepsPreparedStatements = keepsStatements
        try await Server.withClient(configuration) { client, _ in try await body(client) }
    }

    @Test(
        "The time that a caller takes is not the statement's, whatever the server has sent by then",
        arguments: [true, false]
    )
    func slowCaller(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements) { client in
            // More than the sockets between the server and the client hold.
            let text = String(repeating: "long", count: 2_000)
            for first in stride(from: 1, to: 4_000, by: 500) {
                try await client.insert((first..<first + 500).map { Note($0, "\($0) \(text)") })
            }
            let count = try await onThread {
                try client.blocking.read { transaction in
                    var count = 0
                    try transaction.forEach(Note.all) { _ in
                        count += 1
                        if count == 1 { Thread.sleep(forTimeInterval: 1) }
                        return true
                    }
                    return count
                }
            }
            #expect(count == 4_000)
            let few = try await client.read { transaction in
                var count = 0
                try transaction.forEach(Note.all.limit(3)) { _ in
                    count += 1
                    Thread.sleep(forTimeInterval: 0.4)
                    return true
                }
                return count
            }
            #expect(few == 3)
        }
    }

    @Test("A statement between has the server's limit, and so has the next one of the transaction")
    func statementsBetween() async throws {
        try await withClient { client in
            try await client.insert((1...100).map { Counter($0) })
            for isBetween in [true, false] {
                let error = await #expect(throws: DBClientError.self) {
                    try await client.read { transaction in
                        try transaction.forEach(Counter.all) { _ in
                            if isBetween { _ = try transaction.rows("SELECT pg_sleep(5)") }
                            return true
                        }
                        _ = try transaction.rows("SELECT pg_sleep(5)")
                    }
                }
                #expect(error?.code == .timeout)
                #expect(error?.engineCode == "57014")
            }
        }
    }

    @Test(
        "A server that takes too long for the rows themselves is not waited for, and goes on with nothing"
    )
    func slowServer() async throws {
        try await withClient { client in
            try await client.execute(
                """
                CREATE VIEW "Counter" AS SELECT number::bigint AS id,
                    CASE WHEN number > 2 THEN length(pg_sleep(20)::text) ELSE 0 END::bigint AS value
                FROM generate_series(1, 3) AS number
                """
            )
            let begin = ContinuousClock.now
            let code = await code {
                try await client.read { try $0.forEach(Counter.all) { _ in true } }
            }
            #expect(code == .timeout)
            #expect(ContinuousClock.now - begin < .seconds(4))
            let end = ContinuousClock.now + .seconds(5)
            var running = 1
            while running > 0, ContinuousClock.now < end {
                running = try await client.rows(
                    """
                    SELECT 1 FROM pg_stat_activity WHERE state = 'active'
                    AND query LIKE '%Counter%' AND query NOT LIKE '%pg_stat_activity%'
                    AND datname = current_database()
                    """
                ).count
            }
            #expect(running == 0)
        }
    }
}
