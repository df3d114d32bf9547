import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Journals that an earlier version made, that a publication has, and whose rows are removed.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct JournalUpkeepTests {
    @Test(
        "A journal of an earlier version works with this one, and is brought up to date where it is"
    )
    func earlierVersion() async throws {
        try await JournalClients.with { observing, writing, schema in
            try await Self.makeEarlierVersion(writing)
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([])
            try await writing.insert(Counter(1))
            try await table.settle([Counter(1)])
            let old = try await JournalClients.rows(observing)
            try await writing.installPostgreSQLJournal(for: Counter.self)
            // What is noted stays, so a reader that goes on misses nothing.
            #expect(try await JournalClients.rows(observing) == old)
            try await writing.insert(Counter(2))
            try await table.settle([Counter(1), Counter(2)])
            // A program that listens as clients of that version do is called by clients, and for a program
            // that does not call by an observing client.
            let listener = try Listener(schema)
            try await writing.insert(Counter(3))
            try await listener.wait()
            try await table.settle([Counter(1), Counter(2), Counter(3)])
            try await listener.drain()
            try await JournalClients.insertByProgram(Counter(4), schema)
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

    @Test("Old rows of the journal are removed, and the journal itself on request")
    func trimming() async throws {
        try await JournalClients.with { observing, writing, _ in
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
            let found = await code { _ = try await JournalClients.rows(observing) }
            #expect(found == .invalidRequest)
        }
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

    private func transactions(_ client: SQLDBClient) async throws -> Int {
        let rows = try await client.rows(
            "SELECT count(DISTINCT \"transaction\"::text) AS n FROM dbclient_journal WHERE entity <> ''"
        )
        return try #require(rows.first?["n", as: Int.self])
    }
}
