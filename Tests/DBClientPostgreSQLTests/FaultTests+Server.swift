import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing
import TrustRow

@testable import DBClientPostgreSQL

/// What a server under strain does to many writers.
extension FaultTests {
    @Test("Sixteen writers of one row lose nothing")
    func serialisationStorm() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            let rounds = Server.isLong ? 500 : 25
            let clock = ContinuousClock()
            let elapsed = try await clock.measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<16 {
                        group.addTask {
                            for _ in 0..<rounds {
                                try await client.write { transaction in
                                    let counter = try transaction.find(Counter.self, key: 1)
                                    let value = (counter?.value ?? 0) + 1
                                    try transaction.update(Counter(1, value))
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(try await client.find(Counter.self, key: 1)?.value == 16 * rounds)
            print("storm: \(16 * rounds) increments of one row by 16 writers in \(elapsed)")
        }
    }

    @Test("Connections that the server ends under eight writers lose and double nothing")
    func terminatedConnections() async throws {
        let url = try Server.url("application_name", "terminated")
        try await Server.withClient(url: url) { client, _ in
            try await client.insert((0..<8).map { Counter($0) })
            let start = ContinuousClock.now
            let row = TrustRow("R12")
            // Some sixty connections are ended in a second.
            let seconds = 3.0 * Double(row.size("DBCLIENT_SERVER_KILLS", short: 2)) / 2
            let end = start + .seconds(seconds)
            let tally = Tally()
            let killer = Task {
                let administrator = try await SQLDBClient.postgreSQL(try #require(Server.url))
                var count = 0
                while ContinuousClock.now < end {
                    let rows = try await administrator.rows(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE application_name = 'terminated'
                        """
                    )
                    count += rows.count
                    try await Task.sleep(for: .milliseconds(100))
                }
                try administrator.close()
                return count
            }
            await tally.run(writers: 8, on: client) { ContinuousClock.now < end }
            let killed = try await killer.value
            try await tally.check(on: client)
            let whole = try await wholeAgain(client)
            #expect(whole < .seconds(5) && client.postgreSQLPool?.inUse == 0)
            print(
                """
                terminated: \(killed) connections ended in \(seconds) s; all of the pool within \(whole); \(tally)
                """
            )
            #expect(killed > 0)
            row.report(killed, of: "connections", since: start)
        }
    }

    @Test(
        "A full disk on the server is told, loses nothing, and is over when there is room",
        .counts(for: "R5", part: "PostgreSQL"),
        .enabled("A file system can be mounted here") { await Disk.canBeMounted() }
    )
    func fullDisk() async throws {
        try await PrivateServer.with { server in
            let disk = try await Disk(megabytes: 6, ownedLike: server.folder + "/data")
            do {
                try await fill(disk, of: server)
            } catch {
                await disk.remove()
                throw error
            }
            await disk.remove()
        }
    }

    private func fill(_ disk: Disk, of server: PrivateServer) async throws {
        try await onThread {
            let administrator = try PostgreSQLConnection(
                ConnectionString.parameters(server.url, PostgreSQLConfiguration()),
                PostgreSQLConfiguration()
            )
            try administrator.execute("CREATE TABLESPACE small LOCATION '\(disk.path)'")
            administrator.close()
        }
        let ballast = disk.path + "/ballast"
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: ballast))
        let url = server.url + "?options=-c%20default_tablespace%3Dsmall"
        let client = try await SQLDBClient.postgreSQL(url)
        // No two texts are alike, so that the server cannot pack them.
        func notes(_ count: Int) -> [Note] {
            (0..<count).map { _ in
                Note(0, "", tags: (0..<50).map { _ in UUID().uuidString })
            }
            .map { Note(0, UUID().uuidString, tags: $0.tags) }
        }
        var acknowledged = 0
        var failure: DBClientError.Code?
        while failure == nil, acknowledged < 100_000 {
            failure = await code {
                try await client.insert(notes(50))
                acknowledged += 50
            }
        }
        #expect(failure == .full)
        #expect(acknowledged > 0)
        #expect(try await client.count(Note.all) == acknowledged)
        #expect(await code { try await client.insert(notes(50)) } == .full)
        try FileManager.default.removeItem(atPath: ballast)
        try await client.insert(notes(50))
        #expect(try await client.count(Note.all) == acknowledged + 50)
        print("disk full: \(acknowledged) rows acknowledged and there, then refused as full")
        try client.close()
    }

    /// Otherwise they would go on after a server that cannot be started again, and the test would never end.
    @Test("Writers end with the test that has them write")
    func cancelledWriters() async throws {
        try await Server.withClient { client, _ in
            try await client.insert((0..<2).map { Counter($0) })
            let limit = ContinuousClock.now + .seconds(10)
            let writers = Task {
                await Tally().run(writers: 2, on: client) { ContinuousClock.now < limit }
            }
            try await Task.sleep(for: .milliseconds(50))
            writers.cancel()
            await writers.value
            #expect(ContinuousClock.now < limit)
        }
    }

    @Test("A server that is killed and comes back has every acknowledged write")
    func killedServer() async throws {
        try await PrivateServer.with { server in
            // A connection of any program could get the port while the server is away, and keep it.
            #expect(!PrivateServer.portsOfConnections.contains(server.port))
            let client = try await SQLDBClient.postgreSQL(server.url)
            try await client.insert((0..<8).map { Counter($0) })
            let tally = Tally()
            let isOver = Atomic(false)
            let start = ContinuousClock.now
            let row = TrustRow("R12")
            let rounds = row.size("DBCLIENT_SERVER_KILLS", short: 2)
            async let written: Void = tally.run(writers: 8, on: client) {
                !isOver.load(ordering: .relaxed)
            }
            var recovery = Duration.zero
            for _ in 0..<rounds {
                // The writers write for a second, and find no server for a third of one.
                try await Task.sleep(for: .milliseconds(1_000))
                try server.kill()
                try await Task.sleep(for: .milliseconds(300))
                try await server.restart()
                let back = ContinuousClock.now
                while let refusal = await code({ _ = try await client.count(Counter.all) }) {
                    guard ContinuousClock.now - back < .seconds(60) else {
                        Issue.record("The client does not come back to the server: \(refusal)")
                        break
                    }
                    try await Task.sleep(for: .milliseconds(5))
                }
                recovery = max(recovery, ContinuousClock.now - back)
            }
            isOver.store(true, ordering: .relaxed)
            await written
            try await tally.check(on: client, wasKilled: true)
            #expect(recovery < .seconds(5))
            #expect(tally.failed > 0)
            // Every place of the pool serves again, and none was lost.
            let whole = try await wholeAgain(client)
            #expect(whole < .seconds(5) && client.postgreSQLPool?.inUse == 0)
            print(
                """
                killed: \(rounds) kills; serving again \(recovery) after the server, \
                all of the pool within \(whole); \(tally)
                """
            )
            row.report(rounds, of: "server", since: start)
            try client.close()
        }
    }

    /// Returns how long every place of a client's pool takes to serve again.
    private func wholeAgain(_ client: SQLDBClient) async throws -> Duration {
        try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<PostgreSQLConfiguration().maximumConnections {
                    group.addTask { _ = try await client.rows("SELECT pg_sleep(0.1)") }
                }
                try await group.waitForAll()
            }
        }
    }
}
