import DBClientCore
import DBClientSQL
import Foundation
import Testing
import TrustRow

@testable import DBClientPostgreSQL

/// Servers that a test starts for itself: with certificates and with a standby.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct ClusterTests {
    @Test(
        "A server is taken only with a certificate for its name from a trusted authority",
        .counts(for: "R16", part: "certificates")
    )
    func certificates() async throws {
        try await PrivateServer.with("start-tls") { server in
            func url(_ host: String, _ query: String) -> String {
                "postgres://dbclient@\(host):\(server.port)/postgres?\(query)"
            }
            let trusted = "sslmode=verify-full&sslrootcert=\(server.folder)/authority.crt"
            let client = try await SQLDBClient.postgreSQL(url("localhost", trusted))
            let rows = try await client.rows(
                "SELECT ssl, version::text AS version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
            )
            #expect(rows.first?["ssl", as: Bool.self] == true)
            try await client.insert(Counter(1, 10))
            // From the second time on no thread waits for it.
            for _ in 0..<20 {
                #expect(try await client.find(Counter.self, key: 1) == Counter(1, 10))
            }
            try await largeValues(client)
            try client.close()
            for refused in [
                // The certificate is for another name, or no trusted authority has signed it.
                url("127.0.0.1", trusted), url("localhost", "sslmode=verify-full"),
            ] {
                let found = await code { _ = try await SQLDBClient.postgreSQL(refused) }
                #expect(found == .permission, "\(refused)")
            }
            // A server that goes away in the middle is lost; it has refused no client.
            let proxy = try Proxy(to: server.port)
            defer { proxy.close() }
            for bytes in [60, 300, 700] {
                proxy.set(.cutAfterBytes(bytes))
                let cut =
                    "postgres://dbclient@localhost:\(proxy.port)/postgres?\(trusted)"
                let found = await code { _ = try await SQLDBClient.postgreSQL(cut) }
                #expect(found == .connectionLost, "after \(bytes) bytes")
            }
            // A server without encryption is refused as well.
            let plain = "postgres://dbclient@localhost:\(Server.port)/postgres?\(trusted)"
            #expect(await code { _ = try await SQLDBClient.postgreSQL(plain) } == .permission)
        }
    }

    @Test(
        "Values of any size come through TLS without a pause, in records of any size",
        .enabled(if: Pooler.isThere)
    )
    func largeRecords() async throws {
        try await PrivateServer.with("start-tls") { server in
            let proxy = try Proxy(to: server.port)
            defer { proxy.close() }
            let certificate = server.folder + "/data/server"
            let pooler = try await Pooler(to: proxy.port, certificate: certificate)
            do {
                var configuration = PostgreSQLConfiguration()
                configuration.statementTimeout = .seconds(4)
                let client = try await SQLDBClient.postgreSQL(
                    """
                    postgres://dbclient@localhost:\(pooler.port)/postgres\
                    ?sslmode=verify-full&sslrootcert=\(server.folder)/authority.crt
                    """,
                    configuration: configuration
                )
                try await largeRecords(client, proxy)
                try await largeValues(client)
                try client.close()
            } catch {
                await pooler.stop()
                throw error
            }
            await pooler.stop()
        }
    }

    /// Reads values whose end OpenSSL has read already where libpq has no room for it: a little comes first,
    /// and the rest together.
    private func largeRecords(_ client: SQLDBClient, _ proxy: Proxy) async throws {
        proxy.set(.gather(5_000))
        var slowest = Duration.zero
        var count = 0
        for size in [1 << 14, 1 << 15, 1 << 16] {
            for length in stride(from: size - 72, to: size, by: 8) {
                let begin = ContinuousClock.now
                let rows = try await client.rows("SELECT repeat('x', \(length)) AS text")
                slowest = max(slowest, ContinuousClock.now - begin)
                count += 1
                #expect(rows.first?["text", as: String.self]?.utf8.count == length)
            }
        }
        proxy.set(.pass)
        #expect(slowest < .seconds(1))
        print("TLS: \(count) values of up to 64 KB in large records, the slowest after \(slowest)")
    }

    /// Writes and reads long rows and many, in each of the ways that there are.
    private func largeValues(_ client: SQLDBClient) async throws {
        let sizes = [20_000, 300_000, 5_000_000]
        var notes: [Note] = []
        for size in sizes {
            // What no compression makes short enough for the unique index is a case of its own.
            notes.append(try await client.insert(Note(0, String(repeating: "é", count: size / 2))))
        }
        for note in notes {
            #expect(try await client.find(Note.self, key: note.id) == note)
            #expect(try client.blocking.find(Note.self, key: note.id) == note)
        }
        #expect(try await client.fetch(Note.all.sorted { $0.id }) == notes)
        var streamed: [Note] = []
        for try await note in client.stream(Note.all.sorted { $0.id }) {
            streamed.append(note)
        }
        #expect(streamed == notes)
        let many = (10..<20_010).map { Counter($0, $0) }
        try await client.insert(many)
        #expect(try await client.fetch(Counter.where { $0.id >= 10 }).count == many.count)
        let outcome = try await client.upsert((20_000..<40_000).map { Counter($0, 1) })
        #expect(outcome.inserted.count == 19_990 && outcome.updated.count == 10)
        let texts = (0..<40).map { Note(0, "\($0)" + String(repeating: "z", count: 50_000)) }
        let inserted = try await client.insert(texts)
        #expect(try await client.fetch(Note.all).count == sizes.count + 40)
        try await client.upsert(inserted.map { Note($0.id, $0.text + "!") })
        #expect(try await client.count(Note.where { $0.text.hasSuffix("!") }) == 40)
    }

    @Test(
        "A standby serves reads that miss no write, and takes over when it is promoted",
        .counts(for: "R12", part: "promotion")
    )
    func failOver() async throws {
        try await PrivateServer.with { primary in
            try await PrivateServer.with("standby", [primary.url]) { standby in
                try await readOnReplica(primary, standby)
                try await readOnSilentReplica(primary, standby)
                try await readBesideReplica(primary, standby)
                try await observe(on: standby, writesTo: primary)
                try await failOver(from: primary, to: standby)
            }
        }
    }

    private func readOnReplica(_ primary: PrivateServer, _ standby: PrivateServer) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.readsFromReplica = true
        let client = try await SQLDBClient.postgreSQL(
            "postgres://dbclient@127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)/postgres",
            configuration: configuration
        )
        /// Returns whether a read is served by the standby.
        func isOnStandby() async throws -> Bool? {
            try await client.rows("SELECT pg_is_in_recovery() AS yes").first?["yes", as: Bool.self]
        }
        #expect(try await isOnStandby() == true)
        let begin = ContinuousClock.now
        for id in 0..<50 {
            try await client.insert(Note(0, "\(id)"))
            #expect(try await client.count(Note.all) == id + 1)
            #expect(try client.blocking.count(Note.all) == id + 1)
        }
        print("replica: 50 writes, each read twice afterwards, in \(ContinuousClock.now - begin)")
        #expect(try await isOnStandby() == true)
        // A replica that does not follow is not waited for long.
        let follower = try await SQLDBClient.postgreSQL(standby.url)
        // What it has not heard of may have been committed.
        let lost = CommitOutcome.unknown(1 << 40, nil, DBClientError(.connectionLost, ""))
        #expect(try await follower.commitOutcome(of: lost) == .unknown)
        _ = try await follower.rows("SELECT 1 FROM pg_wal_replay_pause()")
        var state: String?
        while state != "paused" {
            try await Task.sleep(for: .milliseconds(5))
            let rows = try await follower.rows("SELECT pg_get_wal_replay_pause_state() AS state")
            state = rows.first?["state", as: String.self]
        }
        try await client.insert(Note(0, "new"))
        #expect(try await client.count(Note.all) == 51)
        #expect(try await isOnStandby() == false)
        _ = try await follower.rows("SELECT 1 FROM pg_wal_replay_resume()")
        #expect(try await isOnStandby() == true)
        try follower.close()
        try client.close()
    }

    /// Reads where every connection to a replica is in use.
    private func readBesideReplica(_ primary: PrivateServer, _ standby: PrivateServer) async throws
    {
        var configuration = PostgreSQLConfiguration()
        configuration.readsFromReplica = true
        configuration.maximumConnections = 1
        configuration.poolTimeout = .milliseconds(200)
        let client = try await SQLDBClient.postgreSQL(
            "postgres://dbclient@127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)/postgres",
            configuration: configuration
        )
        let holder = Task { _ = try await client.rows("SELECT pg_sleep(1.5)") }
        while client.postgreSQLReplicaPool?.inUse != 1 {
            try await Task.sleep(for: .milliseconds(2))
        }
        let state: SQL = "SELECT pg_is_in_recovery() AS yes"
        #expect(try await client.rows(state).first?["yes", as: Bool.self] == false)
        #expect(try client.blocking.rows(state).first?["yes", as: Bool.self] == false)
        try await holder.value
        #expect(try await client.rows(state).first?["yes", as: Bool.self] == true)
        #expect(client.postgreSQLReplicaPool?.waiting == 0)
        try client.close()
    }

    /// Reads on a replica that does not say that it is one, as servers before version 14.
    private func readOnSilentReplica(
        _ primary: PrivateServer,
        _ standby: PrivateServer
    ) async throws {
        let proxy = try Proxy(to: standby.port)
        defer { proxy.close() }
        proxy.set(.change("in_hot_standby", to: "in_bad_standby"))
        var configuration = PostgreSQLConfiguration()
        configuration.readsFromReplica = true
        let client = try await SQLDBClient.postgreSQL(
            "postgres://dbclient@127.0.0.1:\(primary.port),127.0.0.1:\(proxy.port)/postgres",
            configuration: configuration
        )
        let state: SQL = "SELECT pg_is_in_recovery() AS yes"
        #expect(try await client.rows(state).first?["yes", as: Bool.self] == true)
        let follower = try await SQLDBClient.postgreSQL(standby.url)
        _ = try await follower.rows("SELECT 1 FROM pg_wal_replay_pause()")
        try await client.insert(Counter(77))
        #expect(try await client.exists(Counter.self, key: 77))
        _ = try await follower.rows("SELECT 1 FROM pg_wal_replay_resume()")
        try await client.delete(Counter.self, key: 77)
        try follower.close()
        try client.close()
    }

    private func observe(on standby: PrivateServer, writesTo primary: PrivateServer) async throws {
        let follower = try await SQLDBClient.postgreSQL(standby.url)
        let writing = try await Server.clientElsewhere(primary.url)
        try await writing.installPostgreSQLJournal(for: Counter.self)
        try await writing.insert(Counter(1_000))
        while try await !follower.exists(Counter.self, key: 1_000) {
            try await Task.sleep(for: .milliseconds(5))
        }
        let table = ObservedTable(follower.observe(Counter.all))
        let count = ObservedValue(follower.observeCount(Counter.all))
        try await table.settle([Counter(1_000)])
        let begin = ContinuousClock.now
        try await writing.insert(Counter(1_001))
        try await table.settle([Counter(1_000), Counter(1_001)])
        try await count.settle(2)
        print(
            "standby: observers were told of the primary's commit in \(ContinuousClock.now - begin)"
        )
        try await writing.deleteAll(Counter.self)
        try await table.settle([])
        try await count.settle(0)
        try writing.close()
        try follower.close()
    }

    private func failOver(from primary: PrivateServer, to standby: PrivateServer) async throws {
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
        // A client from before the promotion writes after it as another store of this process.
        let early = try await SQLDBClient.postgreSQL(standby.url)
        _ = try await early.count(Counter.all)
        try primary.kill()
        let killed = ContinuousClock.now
        try await standby.promote()
        // How long a server takes to become the primary is its own matter.
        let promoted = ContinuousClock.now
        while await code({ try await client.insert(Counter(100)) }) != nil {
            try await Task.sleep(for: .milliseconds(10))
            guard ContinuousClock.now - promoted < .seconds(20) else { break }
        }
        let elapsed = ContinuousClock.now - promoted
        #expect(elapsed < .seconds(5))
        #expect(try await client.count(Counter.all) == 101)
        print(
            """
            fail-over: the standby took over in \(promoted - killed), \
            the client wrote to it \(elapsed) later
            """
        )
        let table = ObservedTable(client.observe(Counter.where { $0.id >= 1_000 }))
        try await table.settle([])
        try await early.insert(Counter(2_000))
        try await table.settle([Counter(2_000)])
        try early.close()
        try follower.close()
        try client.close()
    }

    @Test(
        "A server that takes no writes any more is left for the one that does",
        .counts(for: "R12", part: "promotion")
    )
    func demotion() async throws {
        try await PrivateServer.with { first in
            try await PrivateServer.with { second in
                // Two servers of one database for all that the client knows: each has the tables.
                let there = try await SQLDBClient.postgreSQL(second.url)
                try await there.insert(Counter(0))
                let client = try await SQLDBClient.postgreSQL(
                    """
                    postgres://dbclient@127.0.0.1:\(first.port),127.0.0.1:\(second.port)/postgres\
                    ?target_session_attrs=read-write
                    """
                )
                try await client.insert(Counter(1))
                let here = try await SQLDBClient.postgreSQL(first.url)
                try await here.demote(true)
                try await client.insert(Counter(2))
                #expect(try await there.findAll(Counter.self) == [Counter(0), Counter(2)])
                #expect(try await here.findAll(Counter.self) == [Counter(1)])
                // Where no server takes writes, that is the error, and a server that takes them again is used.
                try await there.demote(true)
                #expect(await code { try await client.insert(Counter(3)) } == .readOnly)
                try await here.demote(false)
                try await client.insert(Counter(4))
                #expect(try await here.findAll(Counter.self) == [Counter(1), Counter(4)])
                for client in [client, here, there] { try client.close() }
            }
        }
    }
}

extension SQLDBClient {
    /// Has the server refuse writes of all sessions but those that say otherwise, or take them again.
    fileprivate func demote(_ isDemoted: Bool) async throws {
        let connection = try #require((engine as? PostgreSQLEngine)?.pool)
        try await onThread {
            let connection = try PostgreSQLConnection(
                connection.parameters,
                connection.configuration
            )
            defer { connection.close() }
            try connection.execute(
                "ALTER SYSTEM SET default_transaction_read_only = \(isDemoted ? "on" : "off")"
            )
            try connection.execute("SELECT pg_reload_conf()")
        }
        let state: SQL = "SELECT current_setting('default_transaction_read_only') AS state"
        while try await rows(state).first?["state", as: String.self] != (isDemoted ? "on" : "off") {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
