import DBClientCore
import DBClientObjectStore
import DBClientPostgreSQL
import DBClientSQLite
import Foundation
import Testing

/// What `dbclient inspect` tells of snapshots that another process holds, and of journals.
@Suite struct InspectTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test func theOldestReaderAndTheJournalOfAnObjectStore() async throws {
        let store = try await place.heroes()
        let first = try place.run("inspect", store).output
        #expect(first.contains("readers: none\n"))
        #expect(first.contains("journal: empty\n"))
        let watch = place.process(["watch", store, "Publisher"])
        let pipe = Pipe()
        watch.standardOutput = pipe
        try watch.run()
        defer {
            watch.terminate()
            watch.waitUntilExit()
        }
        var lines = PipeLines(pipe)
        for _ in 1...2 { _ = lines.next() }
        let url = place.folder.appendingPathComponent("heroes.store")
        let client = try ObjectStoreDBClient(at: url)
        let writer = try ObjectStoreDBClient(at: url)
        // The observer is registered in a transaction that follows its first rows.
        var firstID = 3
        while !(try place.run("inspect", store).output.contains("journal: 1 entry,")) {
            try #require(firstID < 100, "The journal has no entry.")
            try writer.blocking.insert(Publisher(id: firstID, name: "new"))
            firstID += 1
        }
        try client.readBlocking { transaction in
            #expect(try transaction.count(Publisher.all) == firstID - 1)
            for id in firstID..<firstID + 3 {
                try writer.blocking.insert(Publisher(id: id, name: "new"))
            }
            let output = try place.run("inspect", store).output
            let process = ProcessInfo.processInfo.processIdentifier
            let behind = try #require(
                output.firstMatch(of: /the oldest in process (\d+), (\d+) commits behind\n/),
                "\(output)"
            )
            #expect(Int32(behind.1) == process)
            // The commands themselves write whether they observe.
            #expect(Int(behind.2) ?? 0 >= 3)
            #expect(
                output.contains(/journal: 4 entries, \d+ bytes, the oldest 3 commits ago\n/),
                "\(output)"
            )
        }
        try client.close()
        try writer.close()
    }

    @Test func theLogOfASQLiteFileThatIsNotCheckpointed() throws {
        let url = place.folder.appendingPathComponent("heroes.sqlite")
        let client = try SQLDBClient.sqlite(at: url)
        let writer = try SQLDBClient.sqlite(at: url)
        try writer.blocking.insert(Publisher(id: 1, name: "Marvel"))
        func pending() throws -> Int? {
            let output = try place.run("inspect", "heroes.sqlite").output
            #expect(output.contains("journal: none\n"))
            let match = output.firstMatch(
                of: /write-ahead log \d+, of which (\d+) bytes of pages are not checkpointed\n/
            )
            return match.flatMap { Int($0.1) }
        }
        try client.blocking.read { transaction in
            #expect(try transaction.count(Publisher.all) == 1)
            for id in 2...4 {
                let name = String(repeating: "x", count: 100_000)
                try writer.blocking.insert(Publisher(id: id, name: name))
            }
            #expect(try pending() ?? 0 > 300_000)
        }
        try client.close()
        // The log is copied as its last connection in a process is closed, and another process goes on.
        let statistics = try writer.sqliteStatistics()
        #expect(try pending() == statistics.pendingLogSize)
        try writer.close()
        #expect(try pending() == 0)
    }

    @Test(.enabled(if: serverURL != nil))
    func theOldestSnapshotAndTheJournalOfAServer() async throws {
        let url = try #require(serverURL)
        let schema = "Inspect_\(UUID().uuidString.lowercased().prefix(8))"
        let administrator = try await SQLDBClient.postgreSQL(url)
        try await administrator.execute("CREATE SCHEMA \(identifier: schema)")
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        let client = try await SQLDBClient.postgreSQL(url, configuration: configuration)
        try await client.insert(Publisher(id: 1, name: "Marvel"))
        let target = url + (url.contains("?") ? "&" : "?") + "schema=\(schema)"
        let plain = try place.run("inspect", target)
        #expect(plain.output.contains("journal: none\n"), "\(plain.errors)")
        try await client.installPostgreSQLJournal(for: Publisher.self)
        for id in 2...3 { try await client.insert(Publisher(id: id, name: "new")) }
        try client.blocking.read { transaction in
            #expect(try transaction.count(Publisher.all) == 3)
            try administrator.blocking.execute(
                "CREATE TABLE \(identifier: schema).later (a integer)"
            )
            let output = try place.run("inspect", target).output
            // Other tests hold snapshots as well.
            let readers = try #require(
                output.firstMatch(
                    of:
                        /readers: (\d+), the oldest in process \d+, begun \d+ seconds? ago, (\d+) transactions? behind\n/
                ),
                "\(output)"
            )
            #expect(Int(readers.1) ?? 0 >= 1)
            #expect(Int(readers.2) ?? 0 >= 1)
            #expect(
                output.contains(
                    /journal: 2 entries, \d+ bytes, the oldest [1-9]\d* transactions? ago\n/
                ),
                "\(output)"
            )
            _ = try administrator.blocking.write {
                try $0.rows("SELECT \(identifier: schema).dbclient_trim_journal()")
            }
            let later = try place.run("inspect", target).output
            #expect(
                later.contains(
                    /journal: 2 entries, .* the oldest \d+ transactions? ago and more than \d+ seconds?\n/
                ),
                "\(later)"
            )
        }
        try client.close()
        try await administrator.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        try administrator.close()
    }
}

private let serverURL = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]
