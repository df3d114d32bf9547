import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation
import Testing

/// What the comment of a table says of its columns, and roles that may not make tables.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct ColumnNoteTests {
    @Stored("Event") struct Event {
        let id: Int
        var at: Int
        var tags: String
    }

    @Stored("Event") struct LinkedEvent {
        let id: Int
        var at: Int
        var tags: URL
    }

    @Stored("Event") struct TitledEvent {
        let id: Int
        var at: Int
        var tags: String
        var title: String?
    }

    private static let linking = Migration.convert(Event.self, to: LinkedEvent.self) {
        LinkedEvent(id: $0.id, at: $0.at, tags: URL(string: "https://example.com/\($0.tags)")!)
    }

    private func comment(_ client: SQLDBClient) async throws -> String? {
        try await client.rows("SELECT obj_description('\"Event\"'::regclass, 'pg_class') AS text")
            .first?["text", as: String.self]
    }

    @Test("What others say of a table stays in its comment")
    func beside() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Event(id: 1, at: 1, tags: "a"))
            let note = try #require(try await comment(client))
            #expect(note == #"dbclient columns [["id","int64"],["at","int64"],["tags","text"]]"#)
            let own = "It's ours.\n\n"
            let text = (own + note).replacing("'", with: "''")
            try await client.execute("COMMENT ON TABLE \"Event\" IS '\(raw: text)'")
            #expect(
                await code { _ = try await client.findAll(LinkedEvent.self) } == .schemaMismatch
            )
            try await client.migrate(to: TitledEvent.self)
            let changed = try #require(try await comment(client))
            #expect(changed.hasPrefix(own + "dbclient columns "))
            #expect(changed.hasSuffix(#"["tags","text"],["title","text?"]]"#))
            #expect(try await client.findAll(TitledEvent.self).map(\.tags) == ["a"])
        }
    }

    @Test("A table whose comment is gone is taken for what its columns can hold")
    func withoutNote() async throws {
        try await Server.withClient { client, schema in
            try await client.insert(Event(id: 1, at: 1, tags: "a"))
            try await client.execute("COMMENT ON TABLE \"Event\" IS 'Ours'")
            let other = try await Server.client(schema: schema)
            #expect(try await other.findAll(LinkedEvent.self).map(\.tags.absoluteString) == ["a"])
            try other.close()
        }
    }

    @Test("Text is converted to URLs once")
    func converting() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Event(id: 1, at: 1, tags: "a"))
            #expect(try await client.migrate([Self.linking]).count == 1)
            #expect(try await client.migrate([Self.linking]).isEmpty)
            let found = try await client.findAll(LinkedEvent.self).map(\.tags.absoluteString)
            #expect(found == ["https://example.com/a"])
        }
    }

    @Stored("Shelf") struct Shelf {
        let id: Int
    }

    @Stored("Book") struct Book {
        let id: Int
        @Relationship(onDelete: .cascade) var shelf: Reference<Shelf>?
    }

    @Test("A role that may not make tables writes models with relationships on adopted tables")
    func withoutRights() async throws {
        try await Server.withClient { client, schema in
            let role = "shelver_\(schema)"
            for statement: SQL in [
                "CREATE TABLE \"Shelf\" (\"id\" bigint PRIMARY KEY)",
                """
                CREATE TABLE "Book" ("id" bigint PRIMARY KEY, "shelf" bigint)
                """,
                "CREATE INDEX ON \"Book\" (\"shelf\" NULLS FIRST)",
                "CREATE ROLE \(identifier: role) LOGIN",
                "GRANT USAGE ON SCHEMA \(identifier: schema) TO \(identifier: role)",
                """
                GRANT SELECT, INSERT, UPDATE, DELETE ON "Shelf", "Book" TO \(identifier: role)
                """,
            ] {
                try await client.execute(statement)
            }
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            let url = try Server.url { $0.user = role }
            let clerk = try await SQLDBClient.postgreSQL(url, configuration: configuration)
            var result: Swift.Result<Void, any Error> = .success(())
            do {
                try await clerk.insert([Shelf(id: 1), Shelf(id: 2)])
                try await clerk.insert([
                    Book(id: 1, shelf: Reference(1)), Book(id: 2, shelf: Reference(2)),
                ])
                try await clerk.delete(Shelf.self, key: 1)
                #expect(try await clerk.findAll(Book.self).map(\.id) == [2])
                try await clerk.upsert(Book(id: 3, shelf: Reference(2)))
                try await clerk.delete(Shelf.self, key: 2)
                #expect(try await clerk.count(Book.all) == 0)
                let tables = try await clerk.rows(
                    "SELECT 1 FROM pg_tables WHERE schemaname = \(schema) AND tablename LIKE 'dbclient%'"
                )
                #expect(tables.isEmpty)
            } catch {
                result = .failure(error)
            }
            try clerk.close()
            try await client.execute("DROP OWNED BY \(identifier: role)")
            try await client.execute("DROP ROLE \(identifier: role)")
            try result.get()
        }
    }
}
