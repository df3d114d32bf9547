import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// What observers learn of other clients, through the journal.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct JournalTests {
    /// Runs a body with a client that observes and another one that writes.
    private func withClients(
        _ body: (
            _ observing: SQLDBClient, _ writing: SQLDBClient, _ schema: String
        ) async throws -> Void
    ) async throws {
        try await Server.withClient { observing, schema in
            try await observing.installPostgreSQLJournal(for: Counter.self)
            let writing = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
            try await body(observing, writing, schema)
            try writing.close()
        }
    }

    @Test("Whatever another client writes, and however, reaches an observer")
    func otherClients() async throws {
        try await withClients { observing, writing, _ in
            let table = ObservedTable(observing.observe(Counter.all))
            try await writing.insert((0..<4).map { Counter($0) })
            try await table.settle([Counter(0), Counter(1), Counter(2), Counter(3)])
            try await writing.update(Counter(1, 7))
            try await table.settle([Counter(0), Counter(1, 7), Counter(2), Counter(3)])
            try await writing.write { transaction in
                try transaction.delete(Counter(0))
                try transaction.execute("UPDATE \"Counter\" SET \"value\" = 9 WHERE \"id\" = 3")
            }
            try await table.settle([Counter(1, 7), Counter(2), Counter(3, 9)])
            try await writing.upsert((0..<100).map { Counter($0, 1) })
            try await table.settle((0..<100).map { Counter($0, 1) })
            try await writing.execute("TRUNCATE \"Counter\"")
            try await table.settle([])
            // What is undone is not noted.
            await #expect(throws: CancellationError.self) {
                try await writing.write { transaction in
                    try transaction.insert(Counter(1))
                    throw CancellationError()
                }
            }
            let noted = try await rows(observing)
            try await writing.write { transaction in
                // Longer than the time in which each statement is noted.
                _ = try transaction.rows("SELECT pg_sleep(0.01)")
                try? transaction.write { inner in
                    try inner.insert(Counter(5))
                    throw CancellationError()
                }
                try transaction.insert(Counter(6))
                try transaction.insert(Counter(7))
                try transaction.insert(Counter(8))
                try transaction.delete(Counter(8))
            }
            try await table.settle([Counter(6), Counter(7)])
            #expect(try await rows(observing) == noted + 1)
        }
    }

    @Test("A client's own commits are exact beside the journal")
    func ownCommits() async throws {
        try await withClients { observing, _, _ in
            var commits = observing.changes(of: Counter.self).makeAsyncIterator()
            // The journal is read once when somebody begins to observe.
            var change = try await commits.next()
            #expect(change?.hasUntrackedChanges == true)
            for value in 0..<20 {
                try await observing.upsert(Counter(1, value))
                change = try await commits.next()
                #expect(change?.hasUntrackedChanges == false)
                #expect(change?.inserted.count == (value == 0 ? 1 : 0))
                #expect(change?.updated.map(\.after.value) == (value == 0 ? [] : [value]))
            }
        }
    }

    @Test("What a query of one's own writes is told, through a function that it calls")
    func writingQuery() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            try await client.execute(
                """
                CREATE FUNCTION bump() RETURNS bigint LANGUAGE sql
                AS 'UPDATE "Counter" SET "value" = "value" + 1 RETURNING "value"'
                """
            )
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([Counter(1)])
            let queries: [SQL] = [
                "SELECT bump()", "VALUES (bump())", "WITH b AS (SELECT bump()) SELECT * FROM b",
                "EXPLAIN ANALYZE UPDATE \"Counter\" SET \"value\" = \"value\" + 1",
            ]
            for (index, query) in queries.enumerated() {
                try await client.write { _ = try $0.rows(query) }
                try await table.settle([Counter(1, index + 1)])
            }
        }
    }

    @Test("What the server writes on its own in a commit of one's own is told")
    func serversOwnWrites() async throws {
        try await withClients { observing, _, _ in
            try await observing.insert([Counter(1), Counter(2)])
            try await observing.installPostgreSQLJournal(for: Note.self)
            try await observing.insert(Note(2, "owner"))
            for statement: SQL in [
                """
                CREATE FUNCTION count_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE "Counter" SET "value" = "value" + 1 WHERE "id" = 1; RETURN NULL; END $$
                """,
                """
                CREATE TRIGGER count_note AFTER INSERT ON "Note"
                FOR EACH ROW EXECUTE FUNCTION count_note()
                """,
                """
                ALTER TABLE "Counter" ADD "owner" bigint GENERATED ALWAYS AS (nullif("id", 1)) STORED
                REFERENCES "Note" ("id") ON DELETE CASCADE
                """,
            ] {
                try await observing.execute(statement)
            }
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([Counter(1), Counter(2)])
            for value in 1...5 {
                try await observing.insert(Note(0, "note \(value)"))
                try await table.settle([Counter(1, value), Counter(2)])
            }
            // Also where somebody observes what the call itself writes.
            let count = ObservedValue(observing.observeCount(Note.all))
            try await observing.insert(Note(0, "note 6"))
            try await count.settle(7)
            try await table.settle([Counter(1, 6), Counter(2)])
            try await observing.delete(Note.self, key: 2)
            try await table.settle([Counter(1, 6)])
        }
    }

    @Test("A transaction that commits after a later one is not missed")
    func lateCommit() async throws {
        try await withClients { observing, writing, schema in
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            let other = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
            try await onThread {
                try writing.blocking.write { transaction in
                    // Its row in the journal is the first of the two.
                    try transaction.insert(Counter(1))
                    try other.blocking.insert(Counter(2))
                    let isTold = table.waits(for: [Counter(2)])
                    #expect(isTold)
                }
            }
            try other.close()
            try await table.settle([Counter(1), Counter(2)])
        }
    }

    @Test("A commit of one's own that takes place after its answer was lost is not missed")
    func lateCommitOfOnesOwn() async throws {
        try await withClients { observing, _, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
            defer { proxy.close() }
            let client = try await Server.client(port: proxy.port, schema: schema)
            let table = ObservedTable(observing.observe(Counter.all))
            try await client.insert(Counter(0))
            try await table.settle([Counter(0)])
            // Runs in the commit.
            try await observing.execute(
                """
                CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END'
                """
            )
            try await observing.execute(
                """
                CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON "Counter"
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION linger()
                """
            )
            proxy.set(.cutAfter("COMMIT"))
            #expect(await code { try await client.insert(Counter(1)) } == .commitOutcomeUnknown)
            proxy.set(.pass)
            try await table.settle([Counter(0), Counter(1)])
            try client.close()
        }
    }

    @Test("Nothing is missed while the listening connection is away")
    func lostConnection() async throws {
        try await withClients { observing, writing, _ in
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            for id in 0..<10 {
                // Each time it has come back, it is sent away again.
                let end = ContinuousClock.now + .seconds(10)
                while try await writing.rows(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE pid <> pg_backend_pid() AND query LIKE '%dbclient_journal%'
                    AND state = 'idle' AND datname = current_database()
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
        try await withClients { _, writing, schema in
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
        try await withClients { observing, writing, _ in
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
        try await withClients { observing, writing, _ in
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
        try await withClients { direct, writing, schema in
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

    @Test("A statement of one's own through the client that observes is told")
    func ownStatements() async throws {
        try await Server.withClient { client, _ in
            try await client.insert([Counter(1), Counter(2)])
            let table = ObservedTable(client.observe(Counter.all))
            let count = ObservedValue(client.observeCount(Counter.all))
            try await table.settle([Counter(1), Counter(2)])
            try await client.execute("UPDATE \"Counter\" SET \"value\" = 7 WHERE \"id\" = 1")
            try await table.settle([Counter(1, 7), Counter(2)])
            try await client.write { transaction in
                try transaction.execute("DELETE FROM \"Counter\" WHERE \"id\" = 2")
                try transaction.insert(Counter(3))
            }
            try await table.settle([Counter(1, 7), Counter(3)])
            try await client.execute("INSERT INTO \"Counter\" VALUES (4, 0)")
            try await count.settle(3)
            try await table.settle([Counter(1, 7), Counter(3), Counter(4)])
        }
    }

    @Test(
        "A journal of an earlier version works with this one, and is brought up to date where it is"
    )
    func earlierVersion() async throws {
        try await withClients { observing, writing, schema in
            try await Self.makeEarlierVersion(writing)
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            try await writing.insert(Counter(1))
            try await table.settle([Counter(1)])
            let old = try await rows(observing)
            try await writing.installPostgreSQLJournal(for: Counter.self)
            // What is noted stays, so those who read on miss nothing.
            #expect(try await rows(observing) == old)
            try await writing.insert(Counter(2))
            try await table.settle([Counter(1), Counter(2)])
            // A program that listens as clients of that version do is called by clients, and for a program
            // that does not call by whoever observes.
            let listener = try Listener(schema)
            try await writing.insert(Counter(3))
            try await listener.wait()
            try await table.settle([Counter(1), Counter(2), Counter(3)])
            try await listener.drain()
            try await Self.insertByProgram(Counter(4), schema)
            try await listener.wait()
            try await table.settle([Counter(1), Counter(2), Counter(3), Counter(4)])
            listener.close()
        }
    }

    @Test(
        "A journaled table can be written to beside a publication of all tables, and in two phases"
    )
    func publicationAndTwoPhases() async throws {
        try await PrivateServer.with { server in
            _ = try await Program.run(
                "/usr/bin/psql",
                ["-X", "-c", "ALTER SYSTEM SET max_prepared_transactions = 8", server.url]
            )
            try server.kill()
            try await server.restart()
            let observing = try await SQLDBClient.postgreSQL(server.url)
            try await observing.installPostgreSQLJournal(for: Counter.self)
            try await observing.execute("CREATE PUBLICATION every FOR ALL TABLES")
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            let writing = try await Server.clientElsewhere(server.url)
            try await writing.insert([Counter(1), Counter(2)])
            // Before its rows are made to look old: what is trimmed must have been read.
            try await table.settle([Counter(1), Counter(2)])
            _ = try await writing.write { try $0.rows("SELECT dbclient_trim_journal()") }
            try await writing.execute(
                "UPDATE dbclient_journal SET noted = noted - interval '1 hour'"
            )
            _ = try await writing.write { try $0.rows("SELECT dbclient_trim_journal()") }
            try await table.settle([Counter(1), Counter(2)])
            // The first phase, long before the second.
            _ = try await Program.run(
                "/usr/bin/psql",
                [
                    "-X", "-v", "ON_ERROR_STOP=1", "-c",
                    "BEGIN; DELETE FROM \"Counter\" WHERE \"id\" = 1; PREPARE TRANSACTION 'first'",
                    server.url,
                ]
            )
            try await writing.insert(Counter(3))
            try await table.settle([Counter(1), Counter(2), Counter(3)])
            _ = try await Program.run(
                "/usr/bin/psql",
                ["-X", "-v", "ON_ERROR_STOP=1", "-c", "COMMIT PREPARED 'first'", server.url]
            )
            try await table.settle([Counter(2), Counter(3)])
            try writing.close()
            try observing.close()
        }
    }

    @Test("Others' commits are told within the time that is promised")
    func delivery() async throws {
        try await withClients { observing, writing, schema in
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            func median(
                _ write: (Counter) async throws -> Void,
                from first: Int
            ) async throws -> Duration {
                var times: [Duration] = []
                for id in first..<first + 40 {
                    try await write(Counter(id))
                    let begin = ContinuousClock.now
                    try await table.settle((0...id).map { Counter($0) })
                    times.append(ContinuousClock.now - begin)
                    // The next comes at any moment of what the listener does in turn.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 5..<60)))
                }
                return times.sorted()[times.count / 2]
            }
            let own = try await median({ try await writing.insert($0) }, from: 0)
            let foreign = try await median({ try await Self.insertByProgram($0, schema) }, from: 40)
            print("delivery: \(own) from another client, \(foreign) from another program")
            #expect(own < .milliseconds(50))
            #expect(foreign < .milliseconds(200))
        }
    }

    private static func insertByProgram(_ counter: Counter, _ schema: String) async throws {
        _ = try await Program.run(
            "/usr/bin/psql",
            [
                "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c",
                "INSERT INTO \"\(schema)\".\"Counter\" VALUES (\(counter.id), \(counter.value))",
                try #require(Server.url),
            ]
        )
    }

    /// Makes of the journal what the version before this one made.
    private static func makeEarlierVersion(_ client: SQLDBClient) async throws {
        for statement: SQL in [
            "ALTER TABLE dbclient_journal REPLICA IDENTITY DEFAULT",
            "ALTER TABLE dbclient_journal ALTER noted SET NOT NULL, ALTER horizon SET NOT NULL",
            """
            CREATE OR REPLACE FUNCTION dbclient_note_change() RETURNS trigger LANGUAGE plpgsql
            SECURITY DEFINER AS $$
            DECLARE
                "number" text := pg_current_xact_id()::text;
                "mark" text := 'dbclient.noted_' || TG_RELID;
            BEGIN
                IF current_setting("mark", true) IS DISTINCT FROM "number" THEN
                    PERFORM set_config("mark", "number", true);
                    INSERT INTO dbclient_journal VALUES (
                        pg_current_xact_id(), pg_snapshot_xmin(pg_current_snapshot()),
                        clock_timestamp(), TG_ARGV[0], current_setting('dbclient.writer', true));
                    PERFORM pg_notify('dbclient_journal', '');
                END IF;
                RETURN NULL;
            END $$
            """,
        ] { try await client.execute(statement) }
    }

    @Test("Old rows of the journal are removed, and the journal itself on request")
    func trimming() async throws {
        try await withClients { observing, writing, _ in
            for id in 0..<5 { try await writing.insert(Counter(id)) }
            // What was written beside transactions that still ran is old when they are, those of other tests as well.
            var left = Int.max
            let end = ContinuousClock.now + .seconds(60)
            while left > 1, ContinuousClock.now < end {
                try await observing.execute(
                    "UPDATE dbclient_journal SET noted = noted - interval '1 hour'"
                )
                try await writing.upsert(Counter(5))
                _ = try await observing.write { try $0.rows("SELECT dbclient_trim_journal()") }
                left = try await transactions(observing)
            }
            // The transaction that wrote last. An upsert adds a row as an insert and one as an update.
            #expect(left == 1)
            try await observing.removePostgreSQLJournal()
            try await writing.insert(Counter(6))
            let names = try await observing.rows(
                """
                SELECT tgname::text AS name FROM pg_trigger WHERE tgname = 'dbclient_journal'
                AND tgrelid = '"Counter"'::regclass
                """
            )
            #expect(names.isEmpty)
            let found = await code { _ = try await rows(observing) }
            #expect(found == .invalidRequest)
        }
    }

    private func transactions(_ client: SQLDBClient) async throws -> Int {
        let rows = try await client.rows(
            "SELECT count(DISTINCT \"transaction\"::text) AS n FROM dbclient_journal WHERE entity <> ''"
        )
        return try #require(rows.first?["n", as: Int.self])
    }

    private func rows(_ client: SQLDBClient) async throws -> Int {
        let rows = try await client.rows(
            "SELECT count(*) AS n FROM dbclient_journal WHERE entity <> ''"
        )
        return try #require(rows.first?["n", as: Int.self])
    }
}
