import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation
import Testing

/// Servers that a test starts for itself: with certificates, with a standby, behind a pooler.
@Suite(
    .serialized,
    .enabled(if: Server.isThere && Server.isLong, "Starts servers of its own; set DBCLIENT_LONG."),
    .timeLimit(.minutes(5))
)
struct ClusterTests {
    @Test("A server is taken only with a certificate for its name from a trusted authority")
    func certificates() async throws {
        let server = try PrivateServer("start-tls")
        defer { server.remove() }
        func url(_ host: String, _ query: String) -> String {
            "postgres://dbclient@\(host):\(server.port)/postgres?\(query)"
        }
        let trusted = "sslmode=verify-full&sslrootcert=\(server.folder)/authority.crt"
        let client = try await SQLDBClient.postgreSQL(url("localhost", trusted))
        let rows = try await client.rows(
            "SELECT ssl, version::text AS version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        )
        #expect(rows.first?["ssl", as: Bool.self] == true)
        try client.close()
        for refused in [
            // The certificate is for another name, or nobody trusted has signed it.
            url("127.0.0.1", trusted), url("localhost", "sslmode=verify-full"),
        ] {
            let found = await code { _ = try await SQLDBClient.postgreSQL(refused) }
            #expect(found == .permission, "\(refused)")
        }
        // A server without encryption is refused as well.
        let plain = "postgres://dbclient@localhost:\(Server.port)/postgres?\(trusted)"
        #expect(await code { _ = try await SQLDBClient.postgreSQL(plain) } == .permission)
    }

    @Test("A promoted standby takes over without a restart of the app")
    func failOver() async throws {
        let primary = try PrivateServer()
        defer { primary.remove() }
        let standby = try PrivateServer("standby", [primary.url])
        defer { standby.remove() }
        var configuration = PostgreSQLConfiguration()
        configuration.connectTimeout = .seconds(2)
        let client = try await SQLDBClient.postgreSQL(
            """
            postgres://dbclient@127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)/postgres\
            ?target_session_attrs=read-write
            """,
            configuration: configuration
        )
        try await client.insert((0..<100).map { Counter($0) })
        let follower = try await SQLDBClient.postgreSQL(standby.url)
        while try await follower.count(Counter.all) < 100 {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(await code { try await follower.insert(Counter(500)) } == .readOnly)
        try primary.kill()
        let killed = ContinuousClock.now
        try standby.promote()
        while await code({ try await client.insert(Counter(100)) }) != nil {
            try await Task.sleep(for: .milliseconds(10))
            guard ContinuousClock.now - killed < .seconds(20) else { break }
        }
        let elapsed = ContinuousClock.now - killed
        #expect(elapsed < .seconds(5))
        #expect(try await client.count(Counter.all) == 101)
        print("fail-over: written to the promoted standby \(elapsed) after the primary's death")
        try follower.close()
        try client.close()
    }

    @Test(
        "Behind a pooler that gives each transaction another connection",
        .enabled(if: Pooler.isThere)
    )
    func pooler() async throws {
        try await Server.withClient { direct, schema in
            let pooler = try Pooler(to: Server.port)
            defer { pooler.stop() }
            var configuration = PostgreSQLConfiguration()
            configuration.keepsPreparedStatements = false
            let client = try await Server.client(
                port: pooler.port,
                schema: schema,
                configuration
            )
            try await client.insert((0..<8).map { Counter($0) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        for _ in 0..<25 {
                            try await client.write { transaction in
                                let found = try transaction.find(Counter.self, key: writer)
                                try transaction.update(Counter(writer, (found?.value ?? 0) + 1))
                            }
                            _ = try await client.fetch(Counter.where { $0.value > 1_000 })
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try await direct.findAll(Counter.self).map(\.value)
                    == Array(repeating: 25, count: 8)
            )
            let outcome = try await client.upsert((4..<100).map { Counter($0, 1) })
            #expect(outcome.updated.count == 4 && outcome.inserted.count == 92)
            #expect(await code { try await client.insert(Counter(4)) } == .duplicateKey)
            try client.close()
        }
    }
}
