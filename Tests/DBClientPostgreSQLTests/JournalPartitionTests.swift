import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation
import Testing

/// What observers are told of statements of other programs that name a part of a table.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct JournalPartitionTests {
    /// A model of a partition of the table of `Counter`.
    @Stored("low") struct LowCounter: Equatable {
        let id: Int
        var value: Int
    }

    /// Runs a body with a client in whose schema `Counter` has the partitions `low`, and `mid` and `high` in `above`, and
    /// with a function that has another program run statements there.
    private func with(
        _ body: (SQLDBClient, _ run: (String) async throws -> Void) async throws -> Void
    ) async throws {
        try await Server.withClient { client, schema in
            for statement: SQL in [
                """
                CREATE TABLE "Counter" (id bigint PRIMARY KEY, value bigint NOT NULL)
                PARTITION BY RANGE (id)
                """,
                "CREATE TABLE low PARTITION OF \"Counter\" FOR VALUES FROM (0) TO (10)",
                """
                CREATE TABLE above PARTITION OF "Counter" FOR VALUES FROM (10) TO (40)
                PARTITION BY RANGE (id)
                """,
                "CREATE TABLE mid PARTITION OF above FOR VALUES FROM (10) TO (20)",
                "CREATE TABLE \"Hi gh\" PARTITION OF above FOR VALUES FROM (20) TO (30)",
            ] { try await client.execute(statement) }
            let url = try #require(Server.url)
            try await body(client) { statement in
                let text = "SET search_path TO \"\(schema)\"; \(statement)"
                _ = try await Program.run(
                    "/usr/bin/psql",
                    ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", text, url]
                )
            }
        }
    }

    /// Returns the number of triggers of journals in the client's schema.
    private func triggers(_ client: SQLDBClient) async throws -> Int? {
        try await client.rows(
            """
            SELECT count(*) AS n FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
            WHERE t.tgname LIKE 'dbclient_journal%'
                AND c.relnamespace = quote_ident(current_schema())::regnamespace
            """
        ).first?["n", as: Int.self]
    }

    @Test("What is written to a partition is told to observers of its table")
    func partitions() async throws {
        try await with { client, run in
            try await client.installPostgreSQLJournal(for: Counter.self)
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([])
            try await run("INSERT INTO low VALUES (1, 1)")
            try await table.settle([Counter(1, 1)])
            try await run("INSERT INTO above VALUES (11, 1)")
            try await table.settle([Counter(1, 1), Counter(11, 1)])
            try await run("INSERT INTO \"Hi gh\" VALUES (21, 1)")
            try await table.settle([Counter(1, 1), Counter(11, 1), Counter(21, 1)])
            try await run("UPDATE low SET value = 2; DELETE FROM mid")
            try await table.settle([Counter(1, 2), Counter(21, 1)])
            try await run("TRUNCATE \"Hi gh\"")
            try await table.settle([Counter(1, 2)])
            try await run("INSERT INTO \"Counter\" VALUES (12, 1)")
            try await table.settle([Counter(1, 2), Counter(12, 1)])
        }
    }

    @Test("A partition that is attached or detached is noticed when the journal is installed again")
    func laterPartitions() async throws {
        try await with { client, run in
            try await client.installPostgreSQLJournal(for: Counter.self)
            #expect(try await triggers(client) == 5)
            try await run("CREATE TABLE new PARTITION OF above FOR VALUES FROM (30) TO (40)")
            try await run("ALTER TABLE \"Counter\" DETACH PARTITION low")
            #expect(try await triggers(client) == 5)
            for _ in 0..<2 {
                try await client.installPostgreSQLJournal(for: Counter.self)
                #expect(try await triggers(client) == 5)
            }
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([])
            try await run("INSERT INTO new VALUES (31, 1)")
            try await table.settle([Counter(31, 1)])
            try await client.removePostgreSQLJournal()
            #expect(try await triggers(client) == 0)
        }
    }

    @Test("What is written to a partition that is a model's own table is told to observers of both")
    func ownModel() async throws {
        try await with { client, run in
            try await client.installPostgreSQLJournal(for: Counter.self, LowCounter.self)
            let whole = ObservedTable(client.observe(Counter.all))
            try await whole.settle([])
            try await run("INSERT INTO low VALUES (1, 1)")
            try await whole.settle([Counter(1, 1)])
            // Longer than the time in which each statement is noted: each name is noted once for the transaction.
            try await client.write { transaction in
                _ = try transaction.rows("SELECT pg_sleep(0.01)")
                try transaction.execute("INSERT INTO low VALUES (2, 1)")
                try transaction.execute("INSERT INTO low VALUES (3, 1)")
                try transaction.execute("DELETE FROM low WHERE id = 1")
            }
            try await whole.settle([Counter(2, 1), Counter(3, 1)])
            let noted = try await client.rows(
                """
                SELECT entity, count(*) AS n FROM dbclient_journal
                WHERE transaction = (
                    SELECT max(transaction) FROM dbclient_journal WHERE entity = 'low')
                GROUP BY entity ORDER BY entity
                """
            )
            let names = try noted.map { try $0.value("entity", as: String.self) }
            let counts = try noted.map { try $0.value("n", as: Int.self) }
            #expect(names == ["Counter", "low"] && counts == [1, 1])
        }
    }

    @Test("What is written to a table that inherits from a model's is told to its observers")
    func inheritance() async throws {
        try await Server.withClient { client, schema in
            try await client.execute(
                "CREATE TABLE \"Counter\" (id bigint PRIMARY KEY, value bigint NOT NULL)"
            )
            try await client.execute("CREATE TABLE child () INHERITS (\"Counter\")")
            try await client.installPostgreSQLJournal(for: Counter.self)
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([])
            let writing = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
            try await writing.execute("INSERT INTO child VALUES (1, 1)")
            try await table.settle([Counter(1, 1)])
            try writing.close()
        }
    }
}
