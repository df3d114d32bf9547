import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Tables of the client's own schema whose names have a dot, as versions made them that knew no names of schemas.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct WholeNameTests {
    /// Runs a body with a client, its schema, and a schema that the stored names begin with.
    private func withSchema(
        _ body: (SQLDBClient, _ schema: String) async throws -> Void
    ) async throws {
        try await Server.withClient { client, schema in
            try await client.execute("DROP SCHEMA IF EXISTS dbclient_whole CASCADE")
            try await client.execute("CREATE SCHEMA dbclient_whole")
            do {
                try await body(client, schema)
            } catch {
                _ = try? await client.execute("DROP SCHEMA dbclient_whole CASCADE")
                throw error
            }
            try await client.execute("DROP SCHEMA dbclient_whole CASCADE")
        }
    }

    private func tables(of schema: String, _ client: SQLDBClient) async throws -> [String] {
        try await client.rows(
            """
            SELECT c.relname::text AS name FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = \(schema) AND c.relkind = 'r' ORDER BY c.relname COLLATE "C"
            """
        ).compactMap { $0["name", as: String.self] }
    }

    @Test("A table of the whole name is used, and not one in the schema of the name's beginning")
    func wholeName() async throws {
        try await withSchema { client, schema in
            try await client.execute(
                #"CREATE TABLE "dbclient_whole.crate" (id bigint PRIMARY KEY, label text COLLATE "C" NOT NULL)"#
            )
            try await client.execute(
                #"INSERT INTO "dbclient_whole.crate" SELECT n, 'c' || n FROM generate_series(1, 20) n"#
            )
            #expect(try await client.count(Crate.all) == 20)
            #expect(try await client.find(Crate.self, key: 7)?.label == "c7")
            try await client.insert((21...80).map { Crate(id: $0, label: "c\($0)") })
            try await client.upsert(Crate(id: 7, label: "seven"))
            try await client.update(Crate.self, key: 8) { $0.set(\.label, to: "eight") }
            try await client.delete(Crate.self, keys: [1, 2])
            #expect(
                try await client.fetch(Crate.where { $0.id < 9 }.sorted { $0.id }).map(\.label)
                    == ["c3", "c4", "c5", "c6", "seven", "eight"]
            )
            #expect(try await tables(of: "dbclient_whole", client) == [])
            let catalog = try await EntityCatalog(storedIn: client)
            #expect(catalog.entities.map(\.name) == ["dbclient_whole.crate"])
            #expect(try await client.count(DynamicRequest(catalog.entities[0])) == 78)

            // As the hint of an earlier version said; the client finds it there.
            try await client.execute(#"ALTER TABLE "dbclient_whole.crate" RENAME TO crate"#)
            try await client.execute("ALTER TABLE crate SET SCHEMA dbclient_whole")
            #expect(try await client.count(Crate.all) == 78)
            try await client.insert(Crate(id: 100, label: "hundred"))
            #expect(try await client.rows(#"SELECT 1 FROM dbclient_whole.crate"#).count == 79)
            let left = try await tables(of: schema, client)
            #expect(!left.contains("dbclient_whole.crate"))
        }
    }

    @Test("A table of the whole name is used where no schema has the name of its beginning")
    func noSchema() async throws {
        try await Server.withClient { client, schema in
            try await client.execute(
                #"CREATE TABLE "dbclient_none.box" (id bigint PRIMARY KEY, label text COLLATE "C" NOT NULL)"#
            )
            try await client.insert(Box(id: 1, label: "one"))
            #expect(try await client.find(Box.self, key: 1)?.label == "one")
            #expect(try await tables(of: schema, client) == ["dbclient_none.box"])
            // One that is not there is made in no other place.
            try await client.execute(#"DROP TABLE "dbclient_none.box""#)
            let error = await #expect(throws: DBClientError.self) {
                try await client.insert(Box(id: 1, label: "one"))
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test("The dot in the name of a to-many relationship ends no schema's name")
    func dottedRelationship() async throws {
        try await withSchema { client, schema in
            let piece = Shelf.Piece(id: 1, label: "p")
            let shelf = Shelf(id: 1, pieces: [piece, Shelf.Piece(id: 2, label: "q")])
            try await client.insert(shelf)
            #expect(try await client.find(Shelf.self, key: 1) == shelf)
            #expect(try await tables(of: schema, client).contains("dbclient_whole_shelf_of.pieces"))
            try await client.update(Shelf(id: 1, pieces: [piece]))
            #expect(try await client.find(Shelf.self, key: 1)?.pieces == [piece])
            try await client.delete(shelf)
            #expect(
                try await client.rows(#"SELECT 1 FROM "dbclient_whole_shelf_of.pieces""#).isEmpty
            )
        }
    }
}

@Stored("dbclient_whole.crate") private struct Crate: Equatable {
    let id: Int
    var label: String
}

@Stored("dbclient_none.box") private struct Box: Equatable {
    let id: Int
    var label: String
}

@Stored("dbclient_whole_shelf") private struct Shelf: Equatable {
    let id: Int
    @StoredName("of.pieces") var pieces: [Piece]

    @Stored("dbclient_whole_piece") struct Piece: Equatable {
        let id: Int
        var label: String
    }
}
