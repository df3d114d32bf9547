import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing
import TrustRow

@testable import DBClientPostgreSQL

/// Far more tasks than connections, some of which are cancelled at any moment.
///
/// `DBCLIENT_POOL_OPERATIONS` says how many calls they make.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(30)))
struct PoolStormTests {
    private static let tasks = 200

    /// What a connection gives that belongs to another call.
    private struct Poisoned: Error {}

    /// What a task knows of its row.
    private struct Known {
        var least = 0
        var most = 0
        var served = 0
        var cancelled = 0
    }

    @Test("No connection is lost or gives another call's rows, and no write is lost")
    func storm() async throws {
        let row = TrustRow("R14")
        let start = ContinuousClock.now
        let count = max(row.size("DBCLIENT_POOL_OPERATIONS", short: 2_000) / Self.tasks, 1)
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 4
        configuration.poolTimeout = .seconds(120)
        try await Server.withClient(configuration) { client, _ in
            try await client.insert((0..<Self.tasks).map { Counter($0) })
            let known = try await withThrowingTaskGroup(of: (Int, Known).self) { group in
                for task in 0..<Self.tasks {
                    let seed = row.seed &* 1_000 &+ UInt64(task)
                    group.addTask { (task, try await Self.call(task, count, seed, client)) }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for counter in try await client.findAll(Counter.self) {
                let known = try #require(known[counter.id])
                #expect(known.least...known.most ~= counter.value, "task \(counter.id)")
                // No task stood behind all others.
                #expect(known.served > 0, "task \(counter.id)")
            }
            #expect(known.values.contains { $0.cancelled > 0 })
            try await client.pool { $0.inUse == 0 && $0.waiting == 0 && $0.idle <= 4 }
            // Every connection serves again.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { _ = try await client.rows("SELECT pg_sleep(0.05)") }
                }
                try await group.waitForAll()
            }
            #expect(client.postgreSQLPool?.idle ?? 0 <= 4)
        }
        row.report(count * Self.tasks, of: "PostgreSQL", since: start)
    }

    private static func call(
        _ task: Int,
        _ count: Int,
        _ seed: UInt64,
        _ client: SQLDBClient
    ) async throws -> Known {
        var random = SeededGenerator(seed: seed)
        var known = Known()
        for number in 0..<count {
            let isWrite = Int.random(in: 0..<3, using: &random) == 0
            let isCancelled = Int.random(in: 0..<8, using: &random) == 0
            let mark = task * 1_000_000 + number
            let call = Task {
                if isWrite {
                    try await client.write { transaction in
                        let found = try transaction.find(Counter.self, key: task)
                        try transaction.update(Counter(task, (found?.value ?? 0) + 1))
                    }
                } else {
                    let rows = try await client.rows("SELECT \(mark)::bigint AS mark")
                    guard rows.first?["mark", as: Int.self] == mark else { throw Poisoned() }
                }
            }
            if isCancelled {
                let pause = Int.random(in: 0..<3, using: &random)
                if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
                call.cancel()
            }
            do {
                try await call.value
                known.served += 1
                if isWrite { (known.least, known.most) = (known.least + 1, known.most + 1) }
            } catch let error as DBClientError
                where [.cancelled, .commitOutcomeUnknown].contains(error.code) && isCancelled
            {
                known.cancelled += 1
                if isWrite, error.code == .commitOutcomeUnknown { known.most += 1 }
            }
        }
        return known
    }
}
