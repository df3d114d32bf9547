import DBClientCore
import DBClientSQL
import Testing

@testable import DBClientPostgreSQL

/// What callers meet that find every connection in use.
extension FaultTests {
    @Test("A caller that finds every connection in use waits its turn and no longer")
    func exhaustedPool() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 2
        configuration.poolTimeout = .milliseconds(300)
        try await Server.withClient(configuration) { client, _ in
            let holders = (0..<2).map { _ in
                Task { _ = try await client.rows("SELECT pg_sleep(2)") }
            }
            try await pool(of: client) { $0.inUse == 2 }
            let waiter = Task {
                await code { _ = try await client.rows("SELECT 1") }
            }
            try await pool(of: client) { $0.waiting == 1 }
            let refused = await ContinuousClock().measure {
                #expect(await code { try client.readBlocking { _ in } } == .busy)
            }
            #expect(await waiter.value == .busy)
            print(
                "pool exhausted: 2 of 2 connections held, a limit of 0.3 s, refused after \(refused)"
            )
            for holder in holders { try await holder.value }
            try await pool(of: client) { $0.inUse == 0 && $0.idle == 2 && $0.waiting == 0 }
        }
    }

    @Test("A caller that waits for a connection can be cancelled")
    func cancelledWaiter() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 2
        try await Server.withClient(configuration) { client, _ in
            let holders = (0..<2).map { _ in
                Task { _ = try await client.rows("SELECT pg_sleep(1)") }
            }
            try await pool(of: client) { $0.inUse == 2 }
            let cancelled = Task { await code { _ = try await client.rows("SELECT 1") } }
            try await pool(of: client) { $0.waiting == 1 }
            cancelled.cancel()
            #expect(await cancelled.value == .cancelled)
            for holder in holders { try await holder.value }
        }
    }

    /// Waits until a pool's figures are as they should become.
    private func pool(
        of client: SQLDBClient,
        are fulfilled: (PostgreSQLPoolFigures) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let figures = try #require(client.postgreSQLPool)
            if fulfilled(figures) { return }
            try #require(ContinuousClock.now < deadline, "The pool is \(figures).")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
