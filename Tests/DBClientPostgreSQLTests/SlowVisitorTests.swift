import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Rows that are handed one by one to a caller that takes longer with them than a statement may.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct SlowVisitorTests {
    private func withClient(
        _ keepsStatements: Bool = true,
        _ body: (SQLDBClient, _ schema: String) async throws -> Void
    ) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.statementTimeout = .seconds(1)
        configuration.keepsPreparedStatements = keepsStatements
        try await Server.withClient(configuration) { client, schema in
            try await body(client, schema)
        }
    }

    @Test(
        "The time that a caller takes is not the statement's, whatever the server has sent by then",
        arguments: [true, false]
    )
    func slowCaller(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements) { client, _ in
            // More than the sockets between the server and the client hold.
            let text = String(repeating: "long", count: 2_000)
            for first in stride(from: 1, to: 4_000, by: 100) {
                try await client.insert((first..<first + 100).map { Note($0, "\($0) \(text)") })
            }
            let count = try await onThread {
                try client.blocking.read { transaction in
                    var count = 0
                    try transaction.forEach(Note.all) { _ in
                        count += 1
                        if count == 1 { Thread.sleep(forTimeInterval: 2) }
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
                    Thread.sleep(forTimeInterval: 0.6)
                    return true
                }
                return count
            }
            #expect(few == 3)
        }
    }

    @Test("A statement between has the server's limit, and so has the next one of the transaction")
    func statementsBetween() async throws {
        try await withClient { client, _ in
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
        try await withClient { client, schema in
            try await client.insert(Counter(1))
            let other = try await Server.client(schema: schema)
            let (locked, hasLocked) = AsyncStream.makeStream(of: Void.self)
            let isOver = DispatchSemaphore(value: 0)
            async let locking: Void = other.write { transaction in
                try transaction.execute("LOCK TABLE \"Counter\"")
                hasLocked.finish()
                // Not for ever, where the reader is not told to end.
                _ = isOver.wait(timeout: .now() + .seconds(6))
            }
            for await _ in locked {}
            let begin = ContinuousClock.now
            let code = await code {
                try await client.read { try $0.forEach(Counter.all) { _ in true } }
            }
            #expect(code == .timeout)
            #expect(ContinuousClock.now - begin < .seconds(4))
            // What waits on the server is told to end, since it would not notice.
            let end = begin + .seconds(5)
            var waiting = 1
            while waiting > 0, ContinuousClock.now < end {
                waiting = try await client.rows(
                    """
                    SELECT 1 FROM pg_locks WHERE NOT granted
                    AND relation = pg_catalog.to_regclass('"Counter"')
                    """
                ).count
            }
            #expect(waiting == 0)
            isOver.signal()
            try await locking
            try other.close()
        }
    }
}
