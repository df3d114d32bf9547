import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// What observers learn of other clients, through the journal.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct JournalTests {
    @Test("Whatever another client writes, and however, reaches an observer")
    func otherClients() async throws {
        try await JournalClients.with { observing, writing, _ in
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
            let noted = try await JournalClients.rows(observing)
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
            #expect(try await JournalClients.rows(observing) == noted + 1)
        }
    }

    @Test("A client's own commits are exact beside the journal")
    func ownCommits() async throws {
        try await JournalClients.with { observing, _, _ in
            var commits = observing.changes(of: Counter.self).makeAsyncIterator()
            // The journal is read once when an observation begins.
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
        try await JournalClients.with { observing, _, _ in
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
            // Also where what the call itself writes is observed.
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
        try await JournalClients.with { observing, writing, schema in
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
        try await JournalClients.with { observing, _, schema in
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

    @Test("Others' commits are told within the time that is promised")
    func delivery() async throws {
        try await JournalClients.with { observing, writing, schema in
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
            let foreign = try await median(
                { try await JournalClients.insertByProgram($0, schema) },
                from: 40
            )
            print("delivery: \(own) from another client, \(foreign) from another program")
            #expect(own < .milliseconds(50))
            #expect(foreign < .milliseconds(200))
        }
    }
}
