import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// What observers learn through the journal after a connection, a notification, the server or rows of it were lost.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct JournalLossTests {
    @Test("Nothing is missed while the listening connection is away")
    func lostConnection() async throws {
        // Its own name, since other tests' listeners use the same server.
        try await JournalClients.with(observingAs: "sent-away") { observing, writing, _ in
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            for id in 0..<10 {
                // Each time it has come back, it is sent away again.
                let end = ContinuousClock.now + .seconds(10)
                while try await writing.rows(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE application_name = 'sent-away' AND query LIKE '%dbclient_journal%'
                    AND state = 'idle'
                    """
                ).isEmpty {
                    try #require(ContinuousClock.now < end)
                    try await Task.sleep(for: .milliseconds(5))
                }
                try await writing.insert(Counter(id))
            }
            try await table.settle((0..<10).map { Counter($0) })
        }
    }

    @Test("Nothing is missed when a notification is cut off")
    func cutNotification() async throws {
        try await JournalClients.with { _, writing, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
            defer { proxy.close() }
            let observing = try await Server.client(port: proxy.port, schema: schema)
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            for id in 0..<5 {
                // Some bytes of the notification arrive, and never the rest.
                let arrived = proxy.trickledCount
                proxy.set(.trickle(2_000))
                try await writing.insert(Counter(id))
                try await waitUntil { proxy.trickledCount > arrived + 4 }
                proxy.set(.pass)
                proxy.cutAll()
                try await table.settle((0...id).map { Counter($0) })
            }
            print("mid-NOTIFY: 5 notifications cut off, every commit told")
            try observing.close()
        }
    }

    @Test("Nothing is missed across a restart of the server")
    func restart() async throws {
        try await PrivateServer.with { server in
            let observing = try await SQLDBClient.postgreSQL(server.url)
            let writing = try await Server.clientElsewhere(server.url)
            try await observing.installPostgreSQLJournal(for: Counter.self)
            let table = ObservedTable(observing.observe(Counter.all))
            try await writing.insert(Counter(0))
            try await table.settle([Counter(0)])
            for id in 1...2 {
                try server.kill()
                try await server.restart()
                // At once, before the listening connection can be back.
                while await code({ try await writing.insert(Counter(id)) }) != nil {
                    try await Task.sleep(for: .milliseconds(2))
                }
            }
            try await table.settle([Counter(0), Counter(1), Counter(2)])
            try await writing.insert(Counter(3))
            try await table.settle((0...3).map { Counter($0) })
            try writing.close()
            try observing.close()
        }
    }

    @Test("Values and feeds wait for a server that is away, as results do")
    func valuesAcrossARestart() async throws {
        try await PrivateServer.with { server in
            let observing = try await SQLDBClient.postgreSQL(server.url)
            let writing = try await Server.clientElsewhere(server.url)
            try await observing.installPostgreSQLJournal(for: Counter.self)
            let counters = Counter.where { $0.value >= 0 }
            let count = ObservedValue(observing.observeCount(counters))
            let sum = ObservedValue(
                observing.observe(counters) { try $0.sum(\.value, of: counters) }
            )
            let first = ObservedValue(observing.observe(Counter.self, key: 0))
            let table = ObservedTable(observing.observe(counters))
            let feed = ObservedFeed(observing.changes(of: Counter.self))
            try await writing.insert([Counter(0, 1), Counter(1, 2)])
            try await count.settle(2)
            try await sum.settle(3)
            try await first.settle(Counter(0, 1))
            try await table.settle([Counter(0, 1), Counter(1, 2)])
            try server.kill()
            let killed = ContinuousClock.now
            // Everything is to be read again while no server answers, for half a second.
            let hub = try #require((observing.engine as? PostgreSQLEngine)?.hub)
            for _ in 0..<5 {
                hub.noteForeignCommit()
                try await Task.sleep(for: .milliseconds(100))
            }
            try await server.restart()
            let back = ContinuousClock.now
            while await code({ try await writing.upsert([Counter(0, 5), Counter(2, 7)]) }) != nil {
                try await Task.sleep(for: .milliseconds(2))
            }
            try await count.settle(3)
            try await sum.settle(14)
            try await first.settle(Counter(0, 5))
            try await table.settle([Counter(0, 5), Counter(1, 2), Counter(2, 7)])
            let told = ContinuousClock.now - back
            #expect(told < .seconds(5))
            try await observing.insert(Counter(9, 9))
            try await feed.settle { $0.inserted.contains(Counter(9, 9)) }
            print(
                "observers: away for \(back - killed), all told \(told) after the server was back"
            )
            try writing.close()
            try observing.close()
        }
    }

    @Test("The journal is read on from a snapshot, and not trusted when that is old")
    func position() async throws {
        try await JournalClients.with { observing, writing, _ in
            try await onThread { [pool = (observing.engine as? PostgreSQLEngine)?.pool] in
                let pool = try #require(pool)
                let connection = try PostgreSQLConnection(pool.parameters, pool.configuration)
                defer { connection.close() }
                let first = try connection.news(since: nil)
                #expect(first.entities == nil)
                try writing.blocking.insert(Counter(1))
                try observing.blocking.insert(Counter(2))
                let second = try connection.news(since: first.position)
                #expect(second.entities == ["Counter"])
                #expect(try connection.news(since: second.position).entities == [])
                let known = try #require(second.position)
                let old = JournalPosition(
                    run: known.run,
                    snapshot: known.snapshot,
                    moment: known.moment - Journal.trustedAge,
                    table: known.table
                )
                #expect(try connection.news(since: old).entities == nil)
                let elsewhere = JournalPosition(
                    run: known.run.map { ServerRun(beginning: $0.beginning - 1) },
                    snapshot: known.snapshot,
                    moment: known.moment,
                    table: known.table
                )
                #expect(try connection.news(since: elsewhere).entities == nil)
            }
        }
    }

    @Test("A journal that somebody emptied or made anew is told from one that was read on")
    func emptiedJournal() async throws {
        try await JournalClients.with { observing, writing, _ in
            try await onThread { [pool = (observing.engine as? PostgreSQLEngine)?.pool] in
                let pool = try #require(pool)
                let connection = try PostgreSQLConnection(pool.parameters, pool.configuration)
                defer { connection.close() }
                var last = try connection.news(since: nil).position
                func news() throws -> Set<String>? {
                    let news = try connection.news(since: last)
                    last = news.position
                    return news.entities
                }
                try writing.blocking.insert(Counter(1))
                #expect(try news() == ["Counter"])
                try writing.blocking.insert(Counter(2))
                try writing.blocking.execute("TRUNCATE dbclient_journal")
                #expect(try news() == nil)
                #expect(try news() == [])
                try writing.blocking.insert(Counter(3))
                #expect(try news() == ["Counter"])
                try writing.blocking.insert(Counter(4))
                try writing.blocking.execute("ALTER TABLE dbclient_journal RENAME TO kept")
                try writing.blocking.execute("CREATE TABLE dbclient_journal (LIKE kept)")
                #expect(try news() == nil)
                #expect(try news() == [])
                try writing.blocking.execute("DROP TABLE dbclient_journal")
                #expect(try news() == nil)
                #expect(try news() == [])
            }
        }
    }

    @Test("A journal that is emptied while the listener is away leaves no gap")
    func emptiedWhileAway() async throws {
        try await JournalClients.with { direct, writing, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
            defer { proxy.close() }
            let observing = try await Server.client(port: proxy.port, schema: schema)
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            for id in 0..<3 {
                proxy.set(.stall)
                try await writing.insert(Counter(id))
                try await writing.execute("TRUNCATE dbclient_journal")
                proxy.set(.pass)
                proxy.cutAll()
                try await table.settle((0...id).map { Counter($0) })
            }
            try observing.close()
        }
    }
}
