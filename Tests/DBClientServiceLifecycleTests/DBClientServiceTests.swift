#if ServiceLifecycle
import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import DBClientServiceLifecycle
import DBClientTesting
import Foundation
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

@Suite("A client as a service")
struct DBClientServiceTests {
    private func isClosed(_ client: any DBClient) async -> Bool {
        do {
            try await client.read { _ in }
            return false
        } catch {
            return (error as? DBClientError)?.code == .closed
        }
    }

    @Test("A client is open until its group shuts down, and closed after those that use it")
    func gracefulShutdown() async throws {
        let client = InMemoryDBClient()
        let user = User(client)
        let group = ServiceGroup(
            services: [DBClientService(client), user],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            while !user.hasBegun { try await Task.sleep(for: .milliseconds(1)) }
            #expect(await !isClosed(client))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(user.couldWriteAtItsEnd)
        #expect(await isClosed(client))
    }

    @Test("A task that is cancelled closes its client, too")
    func cancellation() async throws {
        let client = InMemoryDBClient()
        let task = Task { try await DBClientService(client).run() }
        // A service that waits shows nothing; it is given the time to close its client by mistake.
        try await Task.sleep(for: .milliseconds(20))
        #expect(await !isClosed(client))
        task.cancel()
        try await task.value
        #expect(await isClosed(client))
    }

    @Test(
        "A pool is closed once the transactions under way have ended",
        .enabled(if: ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"] != nil)
    )
    func pool() async throws {
        let url = try #require(ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"])
        let client = try await SQLDBClient.postgreSQL(url)
        let running = Atomic(false)
        let sleeper = Task {
            try await client.read { transaction in
                running.store(true, ordering: .relaxed)
                return try transaction.rows("SELECT 1 AS one FROM pg_sleep(0.3)").count
            }
        }
        while !running.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) }
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await DBClientService(client).run()
        }
        #expect(try await sleeper.value == 1)
        #expect(await isClosed(client))
        #expect(client.postgreSQLPool?.inUse == 0 && client.postgreSQLPool?.idle == 0)
    }
}

/// A service that writes when it is shut down.
private final class User: Service {
    private let client: any DBClient
    private let state = Mutex((hasBegun: false, couldWrite: false))

    init(_ client: any DBClient) {
        self.client = client
    }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var couldWriteAtItsEnd: Bool { state.withLock { $0.couldWrite } }

    func run() async throws {
        state.withLock { $0.hasBegun = true }
        try await gracefulShutdown()
        try await client.write { _ in }
        state.withLock { $0.couldWrite = true }
    }
}
#endif
