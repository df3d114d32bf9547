import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// How long a migration waits for the lock of a table that others use.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct LockTimeoutTests {
    /// Runs a body while a transaction reads the table and stays open, as a long report does.
    private func withLongReader(
        _ body: (_ client: SQLDBClient, _ schema: String) async throws -> Void
    ) async throws {
        try await Server.withClient { client, schema in
            try await client.insert((1...10).map { Counter($0) })
            let reader = try await Server.client(schema: schema)
            let isOver = Mutex(false)
            let isReading = Mutex(false)
            let reading = Task {
                try await onThread {
                    try reader.blocking.read { transaction in
                        _ = try transaction.count(Counter.all)
                        isReading.withLock { $0 = true }
                        while !isOver.withLock({ $0 }) { usleep(1_000) }
                    }
                }
            }
            defer { isOver.withLock { $0 = true } }
            try await waitUntil { isReading.withLock { $0 } }
            try await body(client, schema)
            isOver.withLock { $0 = true }
            try await reading.value
            try reader.close()
        }
    }

    /// Migrates with a configuration until it gives up, and returns the longest read beside it, and its time.
    private func giveUp(
        _ configuration: PostgreSQLConfiguration,
        url: String
    ) async throws -> (read: Duration, migration: Duration) {
        var result = (read: Duration.zero, migration: Duration.zero)
        try await withLongReader { client, schema in
            var configuration = configuration
            configuration.schema = schema
            let newer = try await SQLDBClient.postgreSQL(url, configuration: configuration)
            let isOver = Mutex(false)
            let migrating = Task {
                defer { isOver.withLock { $0 = true } }
                let begin = ContinuousClock.now
                let found = await code { try await newer.migrate([.adapt(RankedCounter.self)]) }
                return (found, ContinuousClock.now - begin)
            }
            while !isOver.withLock({ $0 }) {
                let read = try await ContinuousClock().measure {
                    _ = try await client.count(Counter.all)
                }
                result.read = max(result.read, read)
            }
            let (found, elapsed) = await migrating.value
            #expect(found == .busy)
            result.migration = elapsed
            // Nothing is changed, and nothing is left of the attempt.
            #expect(
                try await newer.pendingChanges(of: [.adapt(RankedCounter.self)]).map(\.kinds)
                    == [[.added(["rank"])]]
            )
            try await client.insert(Counter(100))
            try newer.close()
        }
        return result
    }

    @Test(
        "A migration gives up after the time for attempts, and readers wait for one attempt at most"
    )
    func bound() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.lockTimeout = .milliseconds(150)
        configuration.retryTimeout = .seconds(2)
        let (read, migration) = try await giveUp(configuration, url: try #require(Server.url))
        print("gave up after \(migration); longest read \(read)")
        #expect(migration > .seconds(1) && migration < .seconds(10))
        #expect(read < .seconds(1))
    }

    @Test("The connection string has the last word")
    func connectionString() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.lockTimeout = .seconds(50)
        configuration.retryTimeout = .milliseconds(500)
        let url = try Server.url("options", "-c lock_timeout=150")
        let (read, migration) = try await giveUp(configuration, url: url)
        #expect(migration < .seconds(10))
        #expect(read < .seconds(1))
    }

    @Test("A setting of the server's command line is known by each of its spellings")
    func spellings() {
        func sets(_ text: String) -> Bool { StartupOptions(text).names("lock_timeout") }
        #expect(sets("-c lock_timeout=5"))
        #expect(sets("-clock_timeout=5s -c work_mem=1MB"))
        #expect(sets("--lock-timeout=5"))
        #expect(sets("-c geqo=off  -c Lock_Timeout=0"))
        #expect(!sets(""))
        #expect(!sets("-c deadlock_timeout=5"))
        #expect(!sets("-c work_mem=1MB -c"))
        #expect(!sets("lock_timeout=5"))
    }
}

@Stored("Counter") private struct RankedCounter {
    let id: Int
    var value: Int
    var rank = 3
}
