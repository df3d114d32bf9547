import DBClientCore
import DBClientSQL
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// Which caller gets a connection when, and what becomes of connections that are not used.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct PoolTests {
    @Test("Callers get a connection in the order in which they asked")
    func order() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, _ in
            let served = Served()
            let gate = DispatchSemaphore(value: 0)
            let holder = Task { try await client.write { _ in gate.wait() } }
            defer { gate.signal() }
            try await client.pool { $0.inUse == 1 }
            var waiters: [Task<Void, any Error>] = []
            for number in 0..<12 {
                waiters.append(Task { try await served.serve(number, on: client) })
                try await client.pool { $0.waiting == number + 1 }
            }
            gate.signal()
            try await holder.value
            for waiter in waiters { try await waiter.value }
            #expect(served.numbers == Array(0..<12))
        }
    }

    @Test("Clients that are dropped without being closed take their connections with them")
    func droppedClients() async throws {
        let url = try Server.url("application_name", "dropped")
        try await Server.withClient { client, schema in
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            for _ in 0..<20 {
                let short = try await SQLDBClient.postgreSQL(url, configuration: configuration)
                _ = try await short.rows("SELECT 1")
            }
            // Nor do observers through another client keep the connection that they listened with.
            try await client.insert(Counter(1))
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([Counter(1)])
            do {
                let short = try await SQLDBClient.postgreSQL(url, configuration: configuration)
                try await short.insert(Counter(2))
            }
            try await table.settle([Counter(1), Counter(2)])
            let end = ContinuousClock.now + .seconds(5)
            var left: Int?
            while left != 0, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
                left = try await client.rows(
                    "SELECT 1 FROM pg_stat_activity WHERE application_name = 'dropped'"
                ).count
            }
            #expect(left == 0)
        }
    }

    @Test("Connections that nobody uses are closed down to the minimum, and lost ones made up for")
    func idleConnections() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 8
        configuration.minimumConnections = 2
        configuration.idleTimeout = .milliseconds(400)
        let url = try Server.url("application_name", "idle")
        try await Server.withClient(configuration, url: url) { client, schema in
            let gate = DispatchSemaphore(value: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 { group.addTask { try await client.write { _ in gate.wait() } } }
                let isFull = await Swift.Result { try await client.pool { $0.inUse == 6 } }
                for _ in 0..<6 { gate.signal() }
                try isFull.get()
                try await group.waitForAll()
            }
            try await client.pool { $0.idle == 2 && $0.inUse == 0 }
            // They stay, used or not: for twice the time after which others are closed.
            try await Task.sleep(for: .milliseconds(900))
            #expect(client.postgreSQLPool?.idle == 2)
            // The server ends both; without a call, two others are opened.
            let others = try await Server.client(schema: schema)
            let mine: SQL = "application_name = 'idle' AND pid <> pg_backend_pid()"
            let ended = try await others.rows(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(mine)"
            ).count
            #expect(ended >= 2)
            let end = ContinuousClock.now + .seconds(10)
            var processes = 0
            while processes < 2, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
                processes =
                    try await others.rows("SELECT 1 FROM pg_stat_activity WHERE \(mine)").count
            }
            #expect(processes == 2)
            try await client.pool { $0.idle == 2 && $0.inUse == 0 }
            try others.close()
        }
    }

    @Test("Swift's own threads go on while more calls wait for the server than there are cores")
    func cooperativePool() async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount * 4 + 4
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = count / 2
        try await Server.withClient(configuration) { client, _ in
            let isOver = Atomic(false)
            let ticker = Task {
                var ticks = 0
                while !isOver.load(ordering: .relaxed) {
                    try await Task.sleep(for: .milliseconds(10))
                    ticks += 1
                }
                return ticks
            }
            let elapsed = try await ContinuousClock().measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<count {
                        group.addTask {
                            // Half of them wait for a connection first.
                            if number.isMultiple(of: 2) {
                                _ = try await client.rows("SELECT pg_sleep(1)")
                            } else {
                                try await client.write { _ = try $0.rows("SELECT pg_sleep(1)") }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            isOver.store(true, ordering: .relaxed)
            let ticks = try await ticker.value
            print("\(count) calls that slept for \(elapsed): \(ticks) ticks of 10 ms beside them")
            // One in ten would do; were a thread of Swift's blocked by each, there would be a few.
            #expect(ticks > 10)
        }
    }

    @Test("A pool that is closed twice while it is in use is closed for both")
    func closedTwice() async throws {
        try await Server.withClient { _, schema in
            let client = try await Server.client(schema: schema)
            let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
            async let unit: Void = client.write { transaction in
                hasBegun.finish()
                _ = try transaction.rows("SELECT pg_sleep(0.5)")
            }
            for await _ in begun {}
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try await onThread { try client.close() } } }
                try await group.waitForAll()
            }
            try await unit
        }
    }

    @Test("The connections to replicas are counted by themselves")
    func replicas() async throws {
        try await Server.withClient { client, _ in #expect(client.postgreSQLReplicaPool == nil) }
        var configuration = PostgreSQLConfiguration()
        configuration.readsFromReplica = true
        try await Server.withClient(configuration) { client, _ in
            #expect(client.postgreSQLReplicaPool?.idle == 0)
            _ = try await client.rows("SELECT 1")
            #expect(client.postgreSQLReplicaPool?.idle == 1)
            #expect(client.postgreSQLReplicaPool?.inUse == 0)
        }
    }
}

/// Callers by their numbers, in the order in which they had a connection.
private final class Served: Sendable {
    private let state = Mutex<[Int]>([])

    var numbers: [Int] { state.withLock { $0 } }

    /// Writes with a client, blocking or not: both kinds stand in one line.
    func serve(_ number: Int, on client: SQLDBClient) async throws {
        if number.isMultiple(of: 3) {
            try await onThread { [self] in
                try client.blocking.write { _ in state.withLock { $0.append(number) } }
            }
        } else {
            try await client.write { [self] _ in state.withLock { $0.append(number) } }
        }
    }
}

extension SQLDBClient {
    /// Waits until the pool's figures are as they should become.
    func pool(_ isFulfilled: (PostgreSQLPoolFigures) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let figures = try #require(postgreSQLPool)
            if isFulfilled(figures) { return }
            try #require(ContinuousClock.now < deadline, "The pool is \(figures).")
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

extension Swift.Result where Failure == any Error {
    /// Keeps what a body returns or throws.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
