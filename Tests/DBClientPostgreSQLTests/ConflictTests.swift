import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// What concurrent units of work do to each other, at each level of isolation.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct ConflictTests {
    static let levels: [PostgreSQLIsolation] = [.serializable, .repeatableRead, .readCommitted]

    /// Runs a body with two clients of one schema, the first at a level.
    private func withClients(
        _ level: PostgreSQLIsolation,
        attempts: Int = PostgreSQLConfiguration().maximumAttempts,
        _ body: (_ ours: SQLDBClient, _ others: SQLDBClient) async throws -> Void
    ) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.isolation = level
        configuration.maximumAttempts = attempts
        try await Server.withClient(configuration) { ours, schema in
            try await ours.insert([Counter(1), Counter(2)])
            let others = try await Server.client(schema: schema)
            try await body(ours, others)
            try others.close()
        }
    }

    @Test("What needs another attempt in any case gets it where conflicts get none")
    func oneAttempt() async throws {
        try await withClients(.serializable, attempts: 1) { ours, _ in
            // Several statements of one call, after a first attempt with one.
            #expect(try await ours.results(of: Counter.all).count == 2)
            #expect(try await ours.find(Counter.self, keys: Array(1...200)).count == 2)
            // A call that failed, after which the body goes on.
            try await ours.write { transaction in
                #expect(throws: DBClientError.self) { try transaction.insert(Counter(1)) }
                try transaction.insert(Counter(3))
            }
            #expect(try await ours.count(Counter.all) == 3)
        }
    }

    @Test(
        "A value that another session is inserting is left out once that has committed",
        arguments: levels
    )
    func insertIfAbsent(_ level: PostgreSQLIsolation) async throws {
        try await withClients(level) { ours, others in
            try await ours.insert(Login(1, "first"))
            for count in [1, 40] {
                let mine = (0..<count).map { Login(1_000 * count + $0, "\(count) \($0)") }
                let theirs = Login(2_000 * count, "\(count) 0")
                let isInserted = DispatchSemaphore(value: 0)
                async let inserted = onThread {
                    isInserted.wait()
                    return try ours.blocking.insertIfAbsent(mine)
                }
                try await onThread {
                    try others.blocking.write { transaction in
                        try transaction.insert(theirs)
                        isInserted.signal()
                        let waiting: SQL = """
                            SELECT 1 FROM pg_locks WHERE NOT granted
                            AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
                            """
                        while try transaction.rows(waiting).isEmpty {
                            Thread.sleep(forTimeInterval: 0.01)
                        }
                    }
                }
                #expect(try await inserted.map(\.id) == mine.dropFirst().map(\.id))
                let found = try await ours.fetch(Login.where { $0.name == "\(count) 0" })
                #expect(found == [theirs])
            }
        }
    }

    @Test(
        "Values that several sessions upsert by a unique field are stored once",
        arguments: levels
    )
    func upsertByUnique(_ level: PostgreSQLIsolation) async throws {
        try await withClients(level, attempts: 50) { ours, others in
            try await ours.insert(Login(1, "first"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...4 {
                    let client = writer % 2 == 0 ? ours : others
                    group.addTask {
                        for round in 0..<10 {
                            try await client.upsert(
                                Login(1_000 * writer + round, "\(round)"),
                                by: \.name
                            )
                        }
                    }
                }
                try await group.waitForAll()
            }
            let logins = try await ours.fetch(Login.all)
            #expect(Set(logins.map(\.name)).count == logins.count)
            #expect(logins.count == 11)
        }
    }

    @Test("What needs another attempt in any case gets it after many conflicts")
    func repairAfterConflicts() async throws {
        try await withClients(.serializable) { ours, others in
            try await others.insert(Note(0, "old"))
            try await others.execute(
                """
                CREATE FUNCTION conflict() RETURNS integer LANGUAGE plpgsql
                AS 'BEGIN RAISE SQLSTATE ''40001''; END'
                """
            )
            let attempts = Atomic(0)
            try await onThread {
                try ours.blocking.write { transaction in
                    let attempt = attempts.add(1, ordering: .relaxed).newValue
                    // What the connection has prepared for it fits no more.
                    if attempt == 13 { try others.blocking.execute("DROP TABLE \"Note\"") }
                    _ = try transaction.find(Note.self, key: 1)
                    if attempt <= 12 { _ = try transaction.rows("SELECT conflict()") }
                }
            }
            #expect(attempts.load(ordering: .relaxed) == 14)
        }
    }

    @Test(
        "A key that was looked up in vain and is there by now is met, not refused",
        arguments: levels
    )
    func lookedUp(_ level: PostgreSQLIsolation) async throws {
        try await withClients(level) { ours, others in
            for (key, goesOn) in [(10, false), (11, true), (12, true)] {
                let attempts = Atomic(0)
                let failures = Atomic(0)
                try await onThread {
                    try ours.blocking.write { transaction in
                        let attempt = attempts.add(1, ordering: .relaxed).newValue
                        let found = try transaction.find(Counter.self, key: key)
                        if attempt == 1 { try others.blocking.upsert(Counter(key, 1)) }
                        if let found {
                            return try transaction.update(Counter(key, found.value + 10))
                        }
                        if !goesOn {
                            try transaction.insert(Counter(key, 5))
                            return
                        }
                        do {
                            if key == 11 {
                                try transaction.insert(Counter(key, 5))
                            } else {
                                try transaction.write { try $0.insert(Counter(key, 5)) }
                            }
                        } catch {
                            // A transaction that goes on after a conflict has read what is not true.
                            _ = try transaction.count(Counter.all)
                            failures.add(1, ordering: .relaxed)
                        }
                    }
                }
                #expect(try await others.find(Counter.self, key: key) == Counter(key, 11))
                #expect(failures.load(ordering: .relaxed) == 0)
                #expect(attempts.load(ordering: .relaxed) == 2)
            }
        }
    }

    @Test(
        "A second key that comes up while a body goes on after a first is met as well",
        arguments: levels
    )
    func lookedUpWhileGoingOn(_ level: PostgreSQLIsolation) async throws {
        try await withClients(level) { ours, others in
            let attempts = Atomic(0)
            try await onThread {
                try ours.blocking.write { transaction in
                    let attempt = attempts.add(1, ordering: .relaxed).newValue
                    _ = try transaction.find(Counter.self, key: 1)
                    // There in truth, so that the unit comes to run with savepoints.
                    #expect(throws: DBClientError.self) { try transaction.insert(Counter(1)) }
                    let found = try transaction.find(Counter.self, key: 20)
                    if attempt == 2 { try others.blocking.upsert(Counter(20, 1)) }
                    if let found {
                        try transaction.update(Counter(20, found.value + 10))
                    } else {
                        try transaction.insert(Counter(20, 5))
                    }
                }
            }
            #expect(try await others.find(Counter.self, key: 20) == Counter(20, 11))
        }
    }

    @Test(
        "A key that is taken in truth is told, at once where nothing was read before",
        arguments: levels
    )
    func genuine(_ level: PostgreSQLIsolation) async throws {
        try await withClients(level) { ours, _ in
            let attempts = Atomic(0)
            for (reads, expected) in [(false, 1), (true, 2)] {
                attempts.store(0, ordering: .relaxed)
                let error = await #expect(throws: DBClientError.self) {
                    try await ours.write { transaction in
                        attempts.add(1, ordering: .relaxed)
                        if reads { _ = try transaction.find(Counter.self, key: 7) }
                        try transaction.insert(Counter(1))
                    }
                }
                #expect(error?.code == .duplicateKey && error?.key == "1")
                #expect(attempts.load(ordering: .relaxed) == expected)
            }
            // A body that goes on after many of them is told of each.
            try await ours.insert((100..<140).map { Counter($0) })
            let refused = try await ours.write { transaction in
                let first = try transaction.find(Counter.self, key: 100)
                var refused = 0
                for key in 100..<140 {
                    do {
                        try transaction.insert(Counter(key, first?.value ?? 0))
                    } catch { refused += 1 }
                }
                return refused
            }
            #expect(refused == 40)
        }
    }

    @Test("Units that each look for a key and insert it leave one row of each", arguments: levels)
    func storm(_ level: PostgreSQLIsolation) async throws {
        try await withClients(level) { ours, others in
            for key in 1_000..<1_040 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for client in [ours, others, ours, others] {
                        group.addTask {
                            try await client.write { transaction in
                                if let found = try transaction.find(Counter.self, key: key) {
                                    try transaction.update(Counter(key, found.value + 1))
                                } else {
                                    try transaction.insert(Counter(key, 1))
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let rows = try await ours.fetch(Counter.where { $0.id >= 1_000 })
            #expect(rows.count == 40)
            if level != .readCommitted { #expect(rows.allSatisfy { $0.value == 4 }) }
        }
    }

    @Test("Units that lock each other's rows are run again", arguments: levels)
    func deadlock(_ level: PostgreSQLIsolation) async throws {
        try await withClients(level) { ours, others in
            let attempts = Atomic(0)
            let met = Barrier(2)
            // Adds one to two rows, in an order.
            let write: @Sendable (SQLDBClient, [Int]) throws -> Void = { client, keys in
                let isFirst = Atomic(true)
                try client.blocking.write { transaction in
                    attempts.add(1, ordering: .relaxed)
                    try transaction.execute("SET LOCAL deadlock_timeout = '50ms'")
                    let first = isFirst.exchange(false, ordering: .relaxed)
                    for (place, key) in keys.enumerated() {
                        if place == 1, first { met.wait() }
                        try transaction.execute(
                            "UPDATE \"Counter\" SET \"value\" = \"value\" + 1 WHERE \"id\" = \(key)"
                        )
                    }
                }
            }
            async let one: Void = onThread { try write(ours, [1, 2]) }
            async let two: Void = onThread { try write(others, [2, 1]) }
            _ = try await (one, two)
            #expect(try await ours.findAll(Counter.self) == [Counter(1, 2), Counter(2, 2)])
            #expect(attempts.load(ordering: .relaxed) > 2)
        }
    }

    @Test("Who meets others at each attempt is told so, after as many as are allowed")
    func attemptsRunOut() async throws {
        try await withClients(.serializable, attempts: 3) { ours, others in
            let attempts = Atomic(0)
            let found = await code {
                try await onThread {
                    try ours.blocking.write { transaction in
                        let attempt = attempts.add(1, ordering: .relaxed).newValue
                        let value = try transaction.find(Counter.self, key: 1)?.value ?? 0
                        try others.blocking.update(Counter(1, attempt * 100))
                        try transaction.update(Counter(1, value + 1))
                    }
                }
            }
            #expect(found == .transactionConflict)
            #expect(attempts.load(ordering: .relaxed) == 3)
            let counter = try await others.find(Counter.self, key: 1)
            #expect(counter == Counter(1, 300))
        }
    }

    @Test("A unit that is run again and again ends when its task is cancelled")
    func cancelledBetweenAttempts() async throws {
        try await withClients(.serializable) { ours, others in
            let attempts = Atomic(0)
            let last = Atomic(0)
            let task = Task {
                try await ours.write { transaction in
                    let attempt = attempts.add(1, ordering: .relaxed).newValue
                    let value = try transaction.find(Counter.self, key: 1)?.value ?? 0
                    try others.blocking.update(Counter(1, attempt * 100))
                    try transaction.update(Counter(1, value + 1))
                }
            }
            while attempts.load(ordering: .relaxed) < 8 {
                try await Task.sleep(for: .milliseconds(1))
            }
            // Pauses are long by now, so it is one that is met.
            last.store(attempts.load(ordering: .relaxed), ordering: .relaxed)
            let elapsed = await ContinuousClock().measure {
                task.cancel()
                #expect(await code { try await task.value } == .cancelled)
            }
            #expect(elapsed < .seconds(1))
            let more = attempts.load(ordering: .relaxed) - last.load(ordering: .relaxed)
            #expect(more <= 1)
            print("cancelled between attempts: ended after \(elapsed)")
        }
    }
}

/// A place at which several threads wait for each other.
final class Barrier: Sendable {
    private let missing: Atomic<Int>

    init(_ count: Int) {
        missing = Atomic(count)
    }

    func wait() {
        missing.subtract(1, ordering: .acquiringAndReleasing)
        let end = ContinuousClock.now + .seconds(10)
        while missing.load(ordering: .acquiring) > 0, ContinuousClock.now < end { usleep(200) }
    }
}

/// With a name that nothing else has.
@Stored private struct Login: Equatable {
    let id: Int
    @Unique var name: String

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
    }
}
