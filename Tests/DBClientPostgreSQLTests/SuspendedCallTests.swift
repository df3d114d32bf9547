#if os(Linux)
import DBClientCore
import DBClientSQL
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// Calls by themselves that no thread waits for: what may come between their statement and its answer.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct SuspendedCallTests {
    /// Runs a body with a client whose connections, so many, know the table of `Counter` with its 200 rows,
    /// and with another client.
    private func withClient(
        _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration(),
        connections: Int = 1,
        _ body: (SQLDBClient, SQLDBClient) async throws -> Void
    ) async throws {
        var configuration = configuration
        configuration.maximumConnections = connections
        let url = try Server.url("application_name", "suspended")
        try await Server.withClient(configuration, url: url) { client, schema in
            let other = try await Server.client(schema: schema)
            do {
                try await client.insert((1...200).map { Counter($0, $0 * 10) })
                // Each connection comes to know the table while all of them wait for it.
                let lock = try await TableLock(other)
                let calls = (1...connections).map { key in client.finding(key) }
                try await client.pool { $0.inUse == connections }
                try await lock.release()
                for call in calls { _ = try await call.value }
                try await body(client, other)
            } catch {
                try? other.close()
                throw error
            }
            try other.close()
        }
    }

    @Test("Suspended calls get each its answer, and no thread waits")
    func answers() async throws {
        try await withClient(connections: 4) { client, other in
            let lock = try await TableLock(other)
            let calls = (1...4).map { client.finding($0) }
            try await client.suspended(4)
            try await lock.release()
            for (index, call) in calls.enumerated() {
                #expect(try await call.value == Counter(index + 1, (index + 1) * 10))
            }
            try await client.pool { $0.inUse == 0 && $0.idle == 4 }
            #expect(try await client.find(Counter.self, key: 201) == nil)
        }
    }

    @Test("A connection goes from call to call, and each gets its answer", arguments: [1, 2])
    func handedOver(connections: Int) async throws {
        try await withClient(connections: connections) { client, _ in
            // While a task goes on, the connection of its call is the next one's already.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for call in 0..<1_000 {
                            let key = (task * 25 + call) % 200 + 1
                            let found = try await client.find(Counter.self, key: key)
                            #expect(found == Counter(key, key * 10))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await client.pool { $0.inUse == 0 && $0.idle == connections }
        }
    }

    @Test("No thread waits for a call through decorators that need not see it")
    func decorated() async throws {
        try await withClient { client, other in
            let checked: any DBClient = ValidatingDBClient(ReadOnlyDBClient(client), rules: [])
            let decorated = RetryingDBClient(checked)
            let lock = try await TableLock(other)
            let call = Task { try await decorated.find(Counter.self, key: 1) }
            try await client.suspended(1)
            try await lock.release()
            #expect(try await call.value == Counter(1, 10))
        }
    }

    @Test("A suspended call that is cancelled ends on the server, and the connection is whole")
    func cancellation() async throws {
        try await withClient { client, other in
            let lock = try await TableLock(other)
            let call = client.finding(1)
            try await client.suspended(1)
            let elapsed = await ContinuousClock().measure {
                call.cancel()
                #expect(await code { _ = try await call.value } == .cancelled)
            }
            #expect(elapsed < .seconds(2))
            try await client.pool { $0.idle == 1 }
            try await lock.release()
            for key in 1...20 {
                #expect(try await client.find(Counter.self, key: key)?.value == key * 10)
            }
        }
    }

    @Test("A suspended call ends at the limit of a statement")
    func timeout() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.statementTimeout = .milliseconds(300)
        try await withClient(configuration) { client, other in
            let lock = try await TableLock(other)
            let elapsed = await ContinuousClock().measure {
                #expect(await code { _ = try await client.finding(1).value } == .timeout)
            }
            #expect(elapsed > .milliseconds(250) && elapsed < .seconds(2))
            try await lock.release()
            #expect(try await client.find(Counter.self, key: 2)?.value == 20)
        }
    }

    @Test("A suspended call whose server says nothing more is given up at the deadline")
    func frozenServer() async throws {
        let proxy = try Proxy(to: Server.port, of: Server.host)
        defer { proxy.close() }
        try await Server.withClient { administrator, schema in
            try await administrator.insert(Counter(1, 10))
            var configuration = PostgreSQLConfiguration()
            configuration.statementTimeout = .milliseconds(500)
            configuration.maximumConnections = 1
            let client = try await Server.client(port: proxy.port, schema: schema, configuration)
            #expect(try await client.find(Counter.self, key: 1)?.value == 10)
            proxy.set(.stall)
            let call = client.finding(1)
            try await client.suspended(1)
            let elapsed = await ContinuousClock().measure {
                #expect(await code { _ = try await call.value } == .timeout)
            }
            #expect(elapsed < .seconds(3))
            proxy.set(.pass)
            #expect(try await client.find(Counter.self, key: 1)?.value == 10)
            try client.close()
        }
    }

    @Test("A suspended call whose connection is lost is made again on another")
    func lostConnection() async throws {
        try await withClient { client, other in
            let lock = try await TableLock(other)
            let call = client.finding(7)
            try await client.suspended(1)
            let ended = try await other.rows(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = 'suspended' AND wait_event_type = 'Lock'
                """
            )
            #expect(ended.count == 1)
            try await lock.release()
            #expect(try await call.value?.value == 70)
        }
    }

    @Test("A suspended call finds the table that another client has changed")
    func changedTable() async throws {
        try await withClient { client, other in
            for type in ["integer", "bigint"] {
                // The statement that is prepared would give rows of another type.
                try await other.execute(
                    "ALTER TABLE \"Counter\" ALTER COLUMN value TYPE \(raw: type)"
                )
                #expect(try await client.find(Counter.self, key: 3)?.value == 30)
                #expect(try await client.find(Counter.self, key: 4)?.value == 40)
            }
        }
    }

    @Test("Whatever a body does that is run twice, it gets answers to what it asks")
    func bodies() async throws {
        try await withClient { client, _ in
            for _ in 0..<3 {
                let two = try await client.readOnce { transaction in
                    try [1, 2].map { try transaction.find(Counter.self, key: $0)?.value }
                }
                #expect(two == [10, 20])
                let caught = try await client.readOnce { transaction in
                    (try? transaction.find(Counter.self, key: 5))?.value
                }
                #expect(caught == 50)
                let runs = Atomic(0)
                let (key, row) = try await client.readOnce { transaction in
                    let key = runs.add(1, ordering: .relaxed).newValue
                    return (key, try transaction.find(Counter.self, key: key))
                }
                #expect(row == Counter(key, key * 10))
                let none = try await client.readOnce { _ in 3 }
                #expect(none == 3)
            }
            await #expect(throws: Refusal.self) {
                try await client.readOnce { transaction in
                    _ = try transaction.find(Counter.self, key: 1)
                    throw Refusal()
                }
            }
            #expect(try await client.find(Counter.self, keys: Array(1...200)).count == 200)
            #expect(try await client.find(Counter.self, keys: [3, 1, 999]).map(\.id) == [3, 1])
            #expect(try await client.count(Counter.where { $0.value > 1_000 }) == 100)
            #expect(try await client.sum(\.value, of: Counter.all) == 201_000)
            #expect(try await client.fetch(Counter.all.limit(2)).map(\.id) == [1, 2])
            #expect(try await client.exists(Counter.self, key: 200))
            #expect(client.postgreSQLPool?.inUse == 0)
        }
    }

    @Test("Clients are closed on all of Swift's own threads while calls are suspended")
    func closing() async throws {
        try await withClient { client, other in
            let closers = ProcessInfo.processInfo.activeProcessorCount + 1
            let schema = try #require(
                try await other.rows("SELECT current_schema()::text AS name").first
            )["name", as: String.self]
            var clients: [SQLDBClient] = []
            for _ in 0..<closers {
                let client = try await Server.client(
                    port: Server.port,
                    schema: try #require(schema)
                )
                #expect(try await client.find(Counter.self, key: 1) != nil)
                clients.append(client)
            }
            let lock = try await TableLock(other)
            let calls = clients.map { $0.finding(4) }
            for client in clients { try await client.suspended(1) }
            // Once all of them are being closed.
            Thread.detachNewThread { [clients] in
                let end = ContinuousClock.now + .seconds(10)
                while ContinuousClock.now < end, !clients.allSatisfy(\.isClosed) { usleep(1_000) }
                lock.open()
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in clients { group.addTask { try client.close() } }
                try await group.waitForAll()
            }
            for call in calls { #expect(try await call.value?.value == 40) }
            try await lock.release()
            #expect(client.postgreSQLPool?.inUse == 0)
        }
    }
}

private struct Refusal: Error {}

/// A lock that keeps all other transactions from a table.
private final class TableLock: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let holder: Task<Void, any Error>

    /// Takes the lock with a client.
    init(_ client: SQLDBClient) async throws {
        let (taken, isTaken) = AsyncStream.makeStream(of: Void.self)
        holder = Task { [gate] in
            defer { isTaken.finish() }
            try await client.write { transaction in
                try transaction.execute("LOCK TABLE \"Counter\" IN ACCESS EXCLUSIVE MODE")
                isTaken.finish()
                gate.wait()
            }
        }
        for await _ in taken {}
    }

    deinit { gate.signal() }

    /// Lets go of it, later.
    func open() {
        gate.signal()
    }

    /// Lets go of it, and waits until that is done.
    func release() async throws {
        open()
        try await holder.value
    }
}

extension SQLDBClient {
    /// Begins to look a row up.
    fileprivate func finding(_ key: Int) -> Task<Counter?, any Error> {
        Task { try await find(Counter.self, key: key) }
    }

    /// Whether the client refuses calls because it was closed.
    fileprivate var isClosed: Bool {
        do {
            _ = try blocking.rows("SELECT 1")
            return false
        } catch {
            return (error as? DBClientError)?.code == .closed
        }
    }

    /// Waits until so many calls are suspended.
    fileprivate func suspended(_ count: Int) async throws {
        let pool = try #require((engine as? PostgreSQLEngine)?.pool)
        let deadline = ContinuousClock.now + .seconds(10)
        while pool.reactor?.count != count {
            try #require(ContinuousClock.now < deadline, "No \(count) calls are suspended.")
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
#endif
