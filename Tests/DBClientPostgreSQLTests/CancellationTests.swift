import DBClientCore
import DBClientSQL
import DBClientTesting
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// Calls that are cancelled while the server, or the way to it, answers nothing.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct CancellationTests {
    private var configuration: PostgreSQLConfiguration {
        var configuration = PostgreSQLConfiguration()
        configuration.connectTimeout = .seconds(2)
        return configuration
    }

    @Test("A call that is cancelled while nothing passes to the server ends all the same")
    func stalledWay() async throws {
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
            defer { proxy.close() }
            try await direct.insert(Counter(1))
            let client = try await Server.client(port: proxy.port, schema: schema, configuration)
            for isWrite in [false, true] {
                proxy.set(.pass)
                _ = try await client.count(Counter.all)
                proxy.set(.stall)
                let elapsed = await cancelled {
                    if isWrite {
                        try await client.write { try $0.update(Counter(1, 1)) }
                    } else {
                        _ = try await client.find(Counter.self, key: 1)
                    }
                }
                print("cancelled behind a stalled connection: ended after \(elapsed)")
                #expect(elapsed < .seconds(10))
                proxy.set(.pass)
                proxy.cutAll()
                // The place in the pool serves again.
                #expect(try await client.find(Counter.self, key: 1) == Counter(1))
                #expect(client.postgreSQLPool?.inUse == 0)
            }
            try client.close()
        }
    }

    @Test("A statement that the server begins after it was asked to end it is ended as well")
    func earlyRequest() async throws {
        try await Server.withClient { client, _ in
            let pool = try #require((client.engine as? PostgreSQLEngine)?.pool)
            let (elapsed, isWhole) = try await onThread {
                let session = try pool.sessionBlocking()
                defer { pool.give(session) }
                let cancellation = UnitCancellation()
                #expect(cancellation.arm(session.connection.canceller))
                cancellation.cancel()
                // The request finds nothing to end. That the server has heard it shows nowhere.
                Thread.sleep(forTimeInterval: 0.1)
                let elapsed = ContinuousClock().measure {
                    let error = #expect(throws: DBClientError.self) {
                        try session.connection.execute("SELECT pg_sleep(4)")
                    }
                    #expect(error?.sqlState == "57014")
                }
                return (elapsed, cancellation.disarm())
            }
            #expect(elapsed < .seconds(2))
            #expect(isWhole)
            #expect(try await client.count(Counter.all) == 0)
        }
    }

    @Test("A call that is cancelled while the server is stopped ends all the same")
    func stoppedServer() async throws {
        try await PrivateServer.with { server in
            let client = try await SQLDBClient.postgreSQL(server.url, configuration: configuration)
            try await client.insert(Counter(1))
            try server.signal(SIGSTOP)
            let elapsed = await cancelled { _ = try await client.find(Counter.self, key: 1) }
            print("cancelled at a stopped server: ended after \(elapsed)")
            #expect(elapsed < .seconds(10))
            try server.signal(SIGCONT)
            #expect(try await client.find(Counter.self, key: 1) == Counter(1))
            try client.close()
        }
    }

    @Test("A cancellation that comes late is not the next unit's")
    func lateCancellation() async throws {
        var configuration = configuration
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, _ in
            try await client.insert(Counter(1))
            let seed = UInt64.random(in: 0..<1_000_000)
            print("late cancellation: seed \(seed)")
            let random = RandomSource(seed: seed)
            for round in 0..<200 {
                let task = Task { try await client.find(Counter.self, key: 1) }
                if round.isMultiple(of: 2) { await Task.yield() }
                usleep(UInt32(random.below(600)))
                task.cancel()
                // The one connection's next unit, at once.
                #expect(try await client.find(Counter.self, key: 1) == Counter(1))
                _ = await task.result
            }
        }
    }

    /// Returns how long a call takes to end after its task was cancelled, and expects that it says so.
    private func cancelled(_ body: @escaping @Sendable () async throws -> Void) async -> Duration {
        let task = Task { try await body() }
        // That the call waits for an answer shows nowhere while there is none.
        try? await Task.sleep(for: .milliseconds(200))
        return await ContinuousClock().measure {
            task.cancel()
            #expect(await code { try await task.value } == .cancelled)
        }
    }
}
