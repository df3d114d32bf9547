import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Testing

/// What a schema that another program made tells of its tables.
@Suite(.enabled(if: Server.isThere)) struct CatalogTests {
    @Test func columnsGetTheTypesThatTheServerTells() async throws {
        try await Server.withClient { client, schema in
            for statement: SQL in [
                """
                CREATE TABLE "Track" (
                    id serial PRIMARY KEY, title text COLLATE "C" NOT NULL, price numeric,
                    length double precision, "isLive" boolean, cover bytea, added timestamptz, code uuid,
                    notes json, size smallint, place point)
                """,
                #"CREATE UNIQUE INDEX ON "Track" (title)"#,
                #"CREATE INDEX ON "Track" (size, title)"#,
                #"CREATE INDEX ON "Track" (lower(title))"#,
                "CREATE TABLE parts (id bigint PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE keyless (a int)",
                #"CREATE VIEW seen AS SELECT id FROM "Track""#,
            ] {
                try await client.execute(statement)
            }
            try await client.execute(
                """
                INSERT INTO "Track" (title, price, "isLive", size, notes)
                VALUES ('a', 1.5, true, 3, '[1]')
                """
            )
            let catalog = try await EntityCatalog(storedIn: client)
            #expect(catalog.entities.map(\.name) == ["Track", "parts"])
            let track = try catalog.entity(named: "Track")
            #expect(
                track.fields.map { "\($0.name) \($0.type.name)\($0.isOptional ? "?" : "")" } == [
                    "id int64", "title text", "price decimal?", "length double?", "isLive boolean?",
                    "cover data?", "added date?", "code uuid?", "notes json?", "size int64?",
                ]
            )
            #expect(track.keyGeneration == .generated)
            #expect(
                track.indexes == [
                    IndexSchema(fields: [1], isUnique: true),
                    IndexSchema(fields: [9, 1], isUnique: false),
                ]
            )
            #expect(catalog.omissions.contains { $0.entity == "Track" && $0.field == "place" })
            #expect(
                Set(catalog.omissions.filter { $0.field == nil }.map(\.entity)) == [
                    "keyless", "seen",
                ]
            )
            let rows = try await client.fetch(DynamicRequest(track))
            #expect(rows.map { $0["notes"] } == [.json("[1]")])
            #expect(rows.map { $0["size"] } == [3])
        }
    }

    @Test func aMissingSchemaIsAnErrorAndNoEmptyCatalog() async throws {
        try await Server.withClient { _, _ in
            let other = try await Server.client(schema: "no such schema")
            await #expect(throws: DBClientError.self) {
                _ = try await EntityCatalog(storedIn: other)
            }
            try other.close()
        }
    }

    @Test func theJournalIsInNoCatalog() async throws {
        try await Server.withClient { client, _ in
            try await client.installPostgreSQLJournal(for: Note.self)
            let catalog = try await EntityCatalog(storedIn: client)
            #expect(catalog.entities.map(\.name) == ["Note"])
            #expect(catalog.omissions.isEmpty)
        }
    }

    @Test func arraysAreLists() async throws {
        try await Server.withClient { client, _ in
            for statement: SQL in [
                "CREATE TYPE mood AS ENUM ('happy', 'sad')",
                """
                CREATE TABLE listing (id int PRIMARY KEY, tags text[], sizes int[], moods mood[], gaps int[],
                    grid int[][], codes uuid[], days date[], opens time)
                """,
                """
                INSERT INTO listing VALUES (1, '{a,b}', '{1,2}', '{sad}', '{1,NULL}', '{{1,2},{3,4}}',
                    '{}', NULL, '08:30')
                """,
            ] { try await client.execute(statement) }
            let catalog = try await EntityCatalog(storedIn: client)
            let listing = try catalog.entity(named: "listing")
            #expect(
                listing.fields.map { "\($0.name) \($0.form.text)" } == [
                    "id int64", "tags json[text]", "sizes json[int64]", "moods json[text]",
                    "gaps json[int64?]", "codes json[uuid]", "opens double",
                ]
            )
            #expect(Set(catalog.omissions.compactMap(\.field)) == ["grid", "days"])
            let row = try #require(try await client.find(listing, key: [1]))
            #expect(row["tags"] == .json(#"["a","b"]"#))
            #expect(row["gaps"]?.asStored == .json("[1,null]"))
            #expect(row["opens"] == 30_600.0)
            var other = row
            try other.set("tags", to: .json(#"["c"]"#))
            try await client.update([other])
            #expect(try await client.find(listing, key: [1])?["tags"] == .json(#"["c"]"#))
        }
    }
}
