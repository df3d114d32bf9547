import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// Two versions of a program at work on one table, of which the newer one has an index or a property more.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(4)))
struct RolloutTests {
    /// How many rows there are, and the limit of a statement: in the long form, an index takes longer than that.
    private static let (rows, limit) = Server.isLong ? (2_000_000, 1_500) : (60_000, 1_000)

    private func clients(
        _ schema: String,
        limit: Int? = nil
    ) async throws -> (former: SQLDBClient, newer: SQLDBClient) {
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        if let limit { configuration.statementTimeout = .milliseconds(limit) }
        let url = try #require(Server.url)
        let former = try await Server.clientElsewhere(url, schema: schema)
        return (former, try await SQLDBClient.postgreSQL(url, configuration: configuration))
    }

    private func fill(_ client: SQLDBClient, _ count: Int) async throws {
        try await client.insert(FormerJob(id: 0, name: "first", code: 0))
        try await client.execute(
            """
            INSERT INTO "Job" SELECT g, md5(g::text) || md5((g + 1)::text), g
            FROM generate_series(1, \(count)) g
            """
        )
    }

    private func indexes(_ client: SQLDBClient) async throws -> [String] {
        try await client.rows(
            """
            SELECT i.relname::text || CASE WHEN x.indisvalid THEN '' ELSE ' broken off' END AS name
            FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
            WHERE x.indrelid = to_regclass('"Job"') AND NOT x.indisprimary ORDER BY 1
            """
        ).compactMap { $0["name", as: String.self] }
    }

    @Test("A new index is not built by a write, and a migration builds it beside those who write")
    func newIndex() async throws {
        try await Server.withClient { client, schema in
            try await fill(client, Self.rows)
            let (former, newer) = try await clients(schema, limit: Self.limit)
            let job = IndexedJob(id: -1, name: "new", code: -1)
            // It works without the index, and says so.
            try await newer.insert(job)
            #expect(try await newer.find(IndexedJob.self, key: -1) == job)
            #expect(try await indexes(client).isEmpty)
            let steps: [Migration] = [.adapt(IndexedJob.self)]
            #expect(
                try await newer.pendingChanges(of: steps).map(\.kinds) == [[.indexed([["name"]])]]
            )
            // The former version writes all the while, and waits for nothing.
            let isOver = Mutex(false)
            let writing = Task {
                var longest = Duration.zero
                var id = -2
                while !isOver.withLock({ $0 }) {
                    let job = FormerJob(id: id, name: "w", code: id)
                    longest = max(
                        longest,
                        try await ContinuousClock().measure { try await former.insert(job) }
                    )
                    id -= 1
                }
                return longest
            }
            let begin = ContinuousClock.now
            let changes = try await newer.migrate(steps)
            let elapsed = ContinuousClock.now - begin
            #expect(changes.map(\.kinds) == [[.indexed([["name"]])]])
            isOver.withLock { $0 = true }
            let longest = try await writing.value
            #expect(try await indexes(client) == ["Job_name_index"])
            #expect(try await newer.pendingChanges(of: steps).isEmpty)
            print("index of \(Self.rows) rows in \(elapsed), longest write beside it \(longest)")
            // The limit of a statement is in force again.
            #expect(await code { _ = try await newer.rows("SELECT pg_sleep(10)") } == .timeout)
            try former.close()
            try newer.close()
        }
    }

    @Test("An index that was broken off is built anew")
    func brokenOffIndex() async throws {
        try await Server.withClient { client, schema in
            try await fill(client, 20_000)
            try await client.execute(
                "INSERT INTO \"Job\" VALUES (1000000, 'a', 1)"
            )
            let (former, newer) = try await clients(schema)
            // What is there twice ends the building and leaves an index that is not valid.
            let pool = try #require((client.engine as? PostgreSQLEngine)?.pool)
            try await onThread {
                let connection = try PostgreSQLConnection(pool.parameters, pool.configuration)
                defer { connection.close() }
                try? connection.execute(
                    "CREATE UNIQUE INDEX CONCURRENTLY \"Job_code_unique_index\" ON \"Job\" (\"code\")"
                )
            }
            #expect(try await indexes(client) == ["Job_code_unique_index broken off"])
            // Writes are refused until it is there; reads and the former version go on.
            let job = UniqueJob(id: -1, name: "u", code: -1)
            let refusal = await #expect(throws: DBClientError.self) { try await newer.insert(job) }
            #expect(refusal?.code == .migrationRequired)
            #expect(refusal?.field == "code")
            #expect(try await newer.count(UniqueJob.all) == 20_002)
            try await former.insert(FormerJob(id: -2, name: "f", code: -2))
            let steps: [Migration] = [.adapt(UniqueJob.self)]
            let error = await #expect(throws: DBClientError.self) { try await newer.migrate(steps) }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.field == "code")
            #expect(try await indexes(client).isEmpty)
            _ = try await former.delete(FormerJob.self, key: 1_000_000)
            try await newer.migrate(steps)
            #expect(try await indexes(client) == ["Job_code_unique_index"])
            try await newer.insert(job)
            #expect(
                await code { try await newer.insert(UniqueJob(id: -9, name: "u", code: -1)) }
                    == .uniqueViolation
            )
            try former.close()
            try newer.close()
        }
    }

    @Test("Two migrations at once build an index once")
    func twoMigrations() async throws {
        try await Server.withClient { client, schema in
            try await fill(client, 20_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let (former, newer) = try await clients(schema)
                        try await newer.migrate([.adapt(IndexedJob.self)])
                        try former.close()
                        try newer.close()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await indexes(client) == ["Job_name_index"])
        }
    }

    @Test("A property with a value to begin with leaves the former version writing and observing")
    func newProperty() async throws {
        try await Server.withClient { client, schema in
            try await fill(client, 10)
            let (former, newer) = try await clients(schema)
            let seen = ObservedValue(
                former.observe(FormerJob.where { $0.id < 0 }) { try $0.count(FormerJob.all) }
            )
            try await seen.settle(11)
            let isOver = Mutex(false)
            let writing = Task {
                var id = -1
                while !isOver.withLock({ $0 }) {
                    try await former.insert(FormerJob(id: id, name: "w", code: id))
                    try await former.update(FormerJob.self, key: id) { $0.set(\.name, to: "x") }
                    id -= 1
                }
                return -1 - id
            }
            try await newer.migrate([.adapt(RankedJob.self)])
            let written = try await newer.count(RankedJob.all)
            let end = ContinuousClock.now + .seconds(20)
            while try await newer.count(RankedJob.all) < written + 20, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(2))
            }
            isOver.withLock { $0 = true }
            let count = try await writing.value
            #expect(count >= 20)
            #expect(try await newer.count(RankedJob.where { $0.priority == 1 }) == 11 + count)
            try await seen.settle(11 + count)
            // The other order: the former version comes after the newer one has written.
            try await newer.insert(RankedJob(id: 5_000, name: "n", code: 5, priority: 7))
            let (late, other) = try await clients(schema)
            try await late.insert(FormerJob(id: 5_001, name: "l", code: 6))
            try await late.update(FormerJob.self, key: 5_000) { $0.set(\.name, to: "m") }
            #expect(try await newer.find(RankedJob.self, key: 5_001)?.priority == 1)
            #expect(try await newer.find(RankedJob.self, key: 5_000)?.priority == 7)
            for client in [former, newer, late, other] { try client.close() }
        }
    }

    @Test("Two migrations at once add a property once")
    func twoAdaptations() async throws {
        try await Server.withClient { client, schema in
            try await fill(client, 100)
            let changes = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let newer = try await Server.client(schema: schema)
                        let changes = try await newer.migrate([.adapt(RankedJob.self)])
                        try newer.close()
                        return changes.count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(changes == 1)
            #expect(try await client.count(RankedJob.where { $0.priority == 1 }) == 101)
        }
    }

    @Test("A migration that waits for a long reader lets the others go on")
    func longReader() async throws {
        try await Server.withClient { client, schema in
            try await fill(client, 10)
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            configuration.lockTimeout = .milliseconds(200)
            let newer = try await SQLDBClient.postgreSQL(
                try #require(Server.url),
                configuration: configuration
            )
            let reading = Task {
                try await client.read { transaction in
                    _ = try transaction.count(FormerJob.all)
                    _ = try transaction.rows("SELECT pg_sleep(2)")
                }
            }
            let end = ContinuousClock.now + .seconds(10)
            let isHeld: SQL = """
                SELECT 1 FROM pg_locks WHERE relation = to_regclass('"Job"')
                    AND mode = 'AccessShareLock' AND pid <> pg_backend_pid()
                """
            while try await client.rows(isHeld).isEmpty, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(5))
            }
            let migrating = Task { try await newer.migrate([.adapt(RankedJob.self)]) }
            var longest = Duration.zero
            while try await client.rows(isHeld).isEmpty == false {
                let elapsed = try await ContinuousClock().measure {
                    _ = try await client.count(FormerJob.all)
                }
                longest = max(longest, elapsed)
            }
            try await reading.value
            #expect(try await migrating.value.count == 1)
            #expect(longest < .milliseconds(900))
            print("longest read beside a migration that waits: \(longest)")
            try newer.close()
        }
    }
}

@Stored("Job") private struct FormerJob: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var code: Int
}

@Stored("Job") private struct IndexedJob: Equatable {
    @PrimaryKey let id: Int
    @Indexed var name: String
    var code: Int
}

@Stored("Job") private struct UniqueJob: Equatable {
    @PrimaryKey let id: Int
    var name: String
    @Unique var code: Int
}

@Stored("Job") private struct RankedJob: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var code: Int
    var priority = 1
}
