import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// What becomes of callers where the server, or a pooler in front of it, gives fewer connections than a pool may have.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct ServerLimitTests {
    /// Runs a body with the URL of a role that may have so many connections.
    private func withRole(
        connections: Int,
        in schema: String,
        _ administrator: SQLDBClient,
        _ body: (String) async throws -> Void
    ) async throws {
        let role = "limited_\(Int.random(in: 0..<1_000_000))"
        try await administrator.execute(
            "CREATE ROLE \(identifier: role) LOGIN CONNECTION LIMIT \(raw: "\(connections)")"
        )
        try await administrator.execute(
            "GRANT ALL ON SCHEMA \(identifier: schema) TO \(identifier: role)"
        )
        try await administrator.execute(
            "GRANT ALL ON ALL TABLES IN SCHEMA \(identifier: schema) TO \(identifier: role)"
        )
        do {
            try await body(Server.url(role: role))
        } catch {
            Issue.record(error)
        }
        try await administrator.execute("DROP OWNED BY \(identifier: role)")
        try await administrator.execute("DROP ROLE \(identifier: role)")
    }

    @Test("A pool shrinks to what the server gives, and no call is refused for it")
    func roleLimit() async throws {
        try await Server.withClient { administrator, schema in
            try await administrator.insert(Counter(1))
            try await withRole(connections: 3, in: schema, administrator) { url in
                var configuration = PostgreSQLConfiguration()
                configuration.schema = schema
                configuration.maximumConnections = 16
                let client = try await SQLDBClient.postgreSQL(url, configuration: configuration)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for caller in 0..<24 {
                        group.addTask {
                            if caller % 2 == 0 {
                                _ = try await client.rows("SELECT pg_sleep(0.05)")
                            } else {
                                try await client.update(Counter.self, key: 1) {
                                    $0.set(\.value, to: caller)
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let figures = try #require(client.postgreSQLPool)
                #expect((1...4).contains(figures.allowed))
                #expect(figures.inUse + figures.idle <= 3)
                try client.close()
            }
        }
    }

    @Test(
        "An observer hears of others although the pool had every connection that the server gives"
    )
    func listenerAtTheLimit() async throws {
        try await Server.withClient { administrator, schema in
            try await administrator.installPostgreSQLJournal(for: Counter.self)
            try await withRole(connections: 3, in: schema, administrator) { url in
                let client = try await Server.clientElsewhere(url, schema: schema)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask { _ = try await client.rows("SELECT pg_sleep(0.1)") }
                    }
                    try await group.waitForAll()
                }
                let table = ObservedTable(client.observe(Counter.all))
                try await table.settle([])
                try await administrator.insert(Counter(1))
                try await table.settle([Counter(1)])
                try client.close()
            }
        }
    }

    @Test("A caller waits no longer than the time of the pool for a server that has nothing")
    func exhaustedServer() async throws {
        try await Server.withClient { administrator, schema in
            try await withRole(connections: 1, in: schema, administrator) { url in
                var configuration = PostgreSQLConfiguration()
                configuration.schema = schema
                configuration.minimumConnections = 0
                configuration.poolTimeout = .milliseconds(600)
                let client = try await SQLDBClient.postgreSQL(url, configuration: configuration)
                _ = try await client.rows("SELECT 1")
                let sleeping = Task { _ = try await client.rows("SELECT pg_sleep(2)") }
                let end = ContinuousClock.now + .seconds(10)
                while client.postgreSQLPool?.inUse != 1, ContinuousClock.now < end {
                    try await Task.sleep(for: .milliseconds(5))
                }
                let elapsed = await ContinuousClock().measure {
                    #expect(await code { _ = try await client.rows("SELECT 1") } == .busy)
                }
                #expect((.milliseconds(500)...(.seconds(1.8))).contains(elapsed))
                try await sleeping.value
                _ = try await client.rows("SELECT 1")
                try client.close()
            }
        }
    }

    @Test("A pooler that takes no more clients is told of as a server with no connection left")
    func fullPooler() {
        for words in [
            "connection to server at \"x\" failed: FATAL:  no more connections allowed (max_client_conn)",
            "FATAL:  08P01: no more connections allowed (max_user_client_connections)",
            "FATAL:  53300: sorry, too many clients already",
            "FATAL:  remaining connection slots are reserved for roles with SUPERUSER",
            "FATAL:  Max client connections reached",
        ] {
            #expect(PostgreSQLError.connecting(words).code == .busy, "\(words)")
        }
    }
}
