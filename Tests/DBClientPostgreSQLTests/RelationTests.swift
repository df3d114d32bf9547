import DBClientCore
import DBClientSQL
import Foundation
import Testing

/// What is read like a table and is none.
@Suite(.enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct RelationTests {
    private typealias Entry<Value: StorableValue & Equatable> = AdoptedColumnTests.Entry<Value>

    /// What each is made by, of a table `Base` with the columns of `Counter`.
    private static let kinds = [
        "CREATE VIEW \"Counter\" AS SELECT * FROM \"Base\"",
        "CREATE VIEW \"Counter\" AS SELECT id, sum(value)::bigint AS value FROM \"Base\" GROUP BY id",
        "CREATE MATERIALIZED VIEW \"Counter\" AS SELECT * FROM \"Base\"",
        """
        CREATE MATERIALIZED VIEW "Counter" AS SELECT * FROM "Base";
        CREATE UNIQUE INDEX ON "Counter" (id)
        """,
        """
        CREATE MATERIALIZED VIEW "Counter" AS SELECT * FROM "Base";
        CREATE UNIQUE INDEX ON "Counter" (value)
        """,
    ]

    private func check(_ client: SQLDBClient, _ kind: String) async throws {
        #expect(
            try await client.findAll(Counter.self) == [Counter(1, 10), Counter(2, 20)],
            "\(kind)"
        )
        #expect(try await client.find(Counter.self, key: 2) == Counter(2, 20), "\(kind)")
        #expect(try await client.count(Counter.where { $0.value > 10 }) == 1, "\(kind)")
        #expect(
            try await client.fetch(Counter.all.sorted { $0.value.descending }).map(\.id) == [
                2, 1,
            ]
        )
        for write in [
            { try await client.insert(Counter(3)) },
            { try await client.insert((3..<60).map { Counter($0) }) },
            { try await client.update(Counter(1, 5)) },
            { _ = try await client.update(Counter.all) { $0.set(\.value, to: 5) } },
            { _ = try await client.modify(Counter.self, key: 1) { $0.value = 5 } },
            { _ = try await client.insertIfAbsent([Counter(3)]) },
            { _ = try await client.upsert(Counter(1, 5)) },
            { _ = try await client.delete(Counter.all) },
            { _ = try await client.delete(Counter.self, key: 1) },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: DBClientError.self, "\(kind)") { try await write() }
            #expect(error?.code == .schemaMismatch && error?.entity == "Counter", "\(kind)")
        }
        #expect(try await client.count(Counter.all) == 2)
    }

    @Test("Views and materialised views are read, and not written", arguments: kinds)
    func views(_ kind: String) async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                "CREATE TABLE \"Base\" (id bigint NOT NULL, value bigint NOT NULL)"
            )
            try await client.execute("INSERT INTO \"Base\" VALUES (1, 10), (2, 20)")
            for statement in kind.split(separator: ";") {
                try await client.execute(SQL(stringLiteral: String(statement)))
            }
            try await check(client, kind)
        }
    }

    @Test("A foreign table is read, and not written", .enabled(if: Shards.areThere))
    func foreignTables() async throws {
        try await Server.withClient { client, schema in
            let server = "server_\(UUID().uuidString)"
            for statement: SQL in [
                "CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA public",
                "CREATE TABLE \"Base\" (id bigint NOT NULL, value bigint NOT NULL)",
                "INSERT INTO \"Base\" VALUES (1, 10), (2, 20)",
            ] { try await client.execute(statement) }
            let row = try #require(
                try await client.rows("SELECT current_database() AS name, current_user AS role")
                    .first
            )
            let (database, role) = (
                try row.value("name", as: String.self), try row.value("role", as: String.self)
            )
            try await client.execute(
                """
                CREATE SERVER \(identifier: server) FOREIGN DATA WRAPPER postgres_fdw
                OPTIONS (host '\(raw: Server.host)', port '\(raw: String(Server.port))',
                    dbname '\(raw: database)')
                """
            )
            try await client.execute(
                """
                CREATE USER MAPPING FOR CURRENT_USER SERVER \(identifier: server)
                OPTIONS (user '\(raw: role)')
                """
            )
            try await client.execute(
                """
                CREATE FOREIGN TABLE "Counter" (id bigint NOT NULL, value bigint NOT NULL)
                SERVER \(identifier: server)
                OPTIONS (schema_name '\(raw: schema)', table_name 'Base')
                """
            )
            try await check(client, "a foreign table")
            try await client.execute("DROP SERVER \(identifier: server) CASCADE")
        }
    }

    @Test("A table in partitions is read and written as one")
    func partitions() async throws {
        try await Server.withClient { client, _ in
            for statement: SQL in [
                "CREATE TABLE \"Counter\" (id bigint PRIMARY KEY, value bigint NOT NULL) PARTITION BY RANGE (id)",
                "CREATE TABLE low PARTITION OF \"Counter\" FOR VALUES FROM (MINVALUE) TO (10)",
                "CREATE TABLE high PARTITION OF \"Counter\" FOR VALUES FROM (10) TO (MAXVALUE)",
            ] { try await client.execute(statement) }
            let counters = (0..<40).map { Counter($0, $0) }
            try await client.insert(counters)
            try await client.update(Counter(5, 50))
            try await client.upsert([Counter(15, 150), Counter(40, 400)])
            try await client.delete(Counter.where { $0.id < 5 })
            #expect(try await client.count(Counter.all) == 36)
            #expect(
                try await client.find(Counter.self, keys: [5, 15, 40]).map(\.value) == [
                    50, 150, 400,
                ]
            )
            let low = try await client.rows("SELECT count(*) AS count FROM low").first
            #expect(try low?.value("count", as: Int.self) == 5)
        }
    }

    private static let unreadable = [
        ("numeric", "'NaN'", "1.5"), ("numeric", "'Infinity'", "1.5"),
        ("numeric(9,2)", "'NaN'", "1.5"),
    ]

    @Test(
        "A number that is none is told with its key, and stops no other row",
        arguments: unreadable
    )
    func unreadableNumbers(_ type: String, _ bad: String, _ good: String) async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                "CREATE TABLE \"Entry\" (id integer PRIMARY KEY, value \(raw: type))"
            )
            try await client.execute(
                "INSERT INTO \"Entry\" VALUES (7, \(raw: bad)), (8, \(raw: good))"
            )
            let error = await #expect(throws: DBClientError.self) {
                _ = try await client.findAll(Entry<Decimal>.self)
            }
            #expect(error?.code == .decoding && error?.field == "value" && error?.key == "7")
            let wanted = try #require(Decimal(string: good))
            #expect(try await client.find(Entry<Decimal>.self, key: 8)?.value == wanted)
            #expect(
                try await client.fetch(Entry<Decimal>.where { $0.id > 7 }).map(\.value) == [wanted]
            )
            #expect(try await client.delete(Entry<Decimal>.self, key: 7))
            #expect(try await client.findAll(Entry<Decimal>.self).map(\.value) == [wanted])
        }
    }

    @Test(
        "A date beyond every date is told with its key",
        arguments: ["timestamptz", "timestamp", "date"],
        ["'infinity'", "'-infinity'"]
    )
    func unreadableDates(_ type: String, _ bad: String) async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                "CREATE TABLE \"Entry\" (id integer PRIMARY KEY, value \(raw: type))"
            )
            try await client.execute(
                "INSERT INTO \"Entry\" VALUES (7, \(raw: bad)), (8, '2020-01-01')"
            )
            let error = await #expect(throws: DBClientError.self) {
                _ = try await client.findAll(Entry<Date>.self)
            }
            #expect(error?.code == .decoding && error?.field == "value" && error?.key == "7")
            #expect(try await client.find(Entry<Date>.self, key: 8)?.value != nil)
            #expect(try await client.delete(Entry<Date>.self, key: 7))
            #expect(try await client.findAll(Entry<Date>.self).map(\.id) == [8])
        }
    }
}
