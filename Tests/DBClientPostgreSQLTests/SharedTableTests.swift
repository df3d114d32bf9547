import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// A table that goes by two names, with its schema and without, or that clients of two schemas use.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct SharedTableTests {
    /// Runs a body with a client whose schema is not that of the table, and the name of its schema.
    private func withTable(
        _ body: (_ far: SQLDBClient, _ schema: String) async throws -> Void
    ) async throws {
        try await Server.withClient { client, schema in
            try await client.execute("DROP SCHEMA IF EXISTS dbclient_shared CASCADE")
            try await client.execute("CREATE SCHEMA dbclient_shared")
            let result: Swift.Result<Void, any Error>
            do {
                result = .success(try await body(client, schema))
            } catch {
                result = .failure(error)
            }
            try await client.execute("DROP SCHEMA dbclient_shared CASCADE")
            try result.get()
        }
    }

    /// Returns a client of the table's own schema that shares nothing with others of this process.
    private func near() async throws -> SQLDBClient {
        try await Server.clientElsewhere(try #require(Server.url), schema: "dbclient_shared")
    }

    private func insertByProgram(_ id: Int) async throws {
        _ = try await Program.run(
            "/usr/bin/psql",
            [
                "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c",
                "INSERT INTO dbclient_shared.tokens VALUES (\(id), 'p')",
                try #require(Server.url),
            ]
        )
    }

    private func triggers(_ client: SQLDBClient) async throws -> [String] {
        try await client.rows(
            """
            SELECT t.tgname || ' ' || p.pronamespace::regnamespace::text AS name
            FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE t.tgrelid = 'dbclient_shared.tokens'::regclass AND NOT t.tgisinternal
            ORDER BY t.tgname COLLATE "C"
            """
        ).compactMap { $0["name", as: String.self] }
    }

    @Test("Clients of two schemas observe one table by a journal each", arguments: [true, false])
    func twoSchemas(nearFirst: Bool) async throws {
        try await withTable { far, schema in
            let near = try await near()
            try await near.insert(Token(id: 1, text: "a"))
            if nearFirst {
                try await near.installPostgreSQLJournal(for: Token.self)
                try await far.installPostgreSQLJournal(for: FarToken.self)
            } else {
                try await far.installPostgreSQLJournal(for: FarToken.self)
                try await near.installPostgreSQLJournal(for: Token.self)
            }
            let quoted = "\"\(schema)\""
            #expect(
                try await triggers(near)
                    == (nearFirst
                        ? [
                            "dbclient_journal dbclient_shared",
                            "\(EntitySchema.shortened("dbclient_journal_\(schema)")) \(quoted)",
                        ]
                        : [
                            "dbclient_journal \(quoted)",
                            "dbclient_journal_dbclient_shared dbclient_shared",
                        ])
            )
            // A second time changes nothing.
            try await far.installPostgreSQLJournal(for: FarToken.self)
            try await near.installPostgreSQLJournal(for: Token.self)
            #expect(try await triggers(near).count == 2)
            let seenNear = ObservedValue(near.observeCount(Token.all))
            let seenFar = ObservedValue(far.observeCount(FarToken.all))
            func settle(_ count: Int) async throws {
                try await seenNear.settle(count)
                try await seenFar.settle(count)
            }
            try await settle(1)
            try await far.insert(FarToken(id: 2, text: "b"))
            try await settle(2)
            try await near.insert(Token(id: 3, text: "c"))
            try await settle(3)
            try await insertByProgram(4)
            try await settle(4)
            // A conversion makes another table, which both journals note.
            let conversion = Migration.convert(Token.self, to: ConvertedToken.self) {
                ConvertedToken(id: $0.id, text: [$0.text])
            }
            try await near.migrate([conversion])
            #expect(try await triggers(near).count == 2)
            try await near.removePostgreSQLJournal()
            #expect(try await triggers(near).count == 1)
            try near.close()
        }
    }

    @Test("What is written under one name of a table is told to observers of the other")
    func twoNames() async throws {
        try await withTable { _, _ in
            let client = try await near()
            let plain = ObservedValue(client.observeCount(Token.all))
            let named = ObservedValue(client.observeCount(FarToken.all))
            func settle(_ count: Int) async throws {
                try await plain.settle(count)
                try await named.settle(count)
            }
            try await settle(0)
            try await client.insert(Token(id: 1, text: "a"))
            try await settle(1)
            try await client.insert(FarToken(id: 2, text: "b"))
            try await settle(2)
            try await client.update(Token.self, key: 2) { $0.set(\.text, to: "c") }
            try await client.delete(FarToken.self, key: 1)
            try await settle(1)
            try await client.installPostgreSQLJournal(for: Token.self)
            try await insertByProgram(3)
            try await settle(2)
            try await client.installPostgreSQLJournal(for: FarToken.self)
            #expect(try await triggers(client) == ["dbclient_journal dbclient_shared"])
            try await insertByProgram(4)
            try await settle(3)
            // Another process knows the table by one name alone, and the journal by the other.
            let elsewhere = try await near()
            let other = ObservedValue(elsewhere.observeCount(FarToken.all))
            try await other.settle(3)
            try await insertByProgram(5)
            try await other.settle(4)
            try await settle(4)
            try elsewhere.close()
            try client.close()
        }
    }

    @Test("A table that a search path leads to is noted by its schema")
    func searchPath() async throws {
        try await withTable { far, schema in
            let near = try await near()
            try await near.insert(Token(id: 1, text: "a"))
            try near.close()
            let url = try Server.url("options", "-c search_path=\"\(schema)\",dbclient_shared")
            let found = try await Server.clientElsewhere(url)
            let elsewhere = try await Server.clientElsewhere(
                try #require(Server.url),
                schema: schema
            )
            let seen = ObservedValue(found.observeCount(Token.all))
            let seenElsewhere = ObservedValue(elsewhere.observeCount(FarToken.all))
            try await seen.settle(1)
            try await seenElsewhere.settle(1)
            try await found.installPostgreSQLJournal(for: Token.self)
            for count in 2...3 {
                try await insertByProgram(count)
                try await seen.settle(count)
                try await seenElsewhere.settle(count)
            }
            try await elsewhere.insert(FarToken(id: 4, text: "d"))
            try await seen.settle(4)
            #expect(
                try await far.rows(
                    "SELECT DISTINCT entity FROM dbclient_journal WHERE entity <> ''"
                )
                .compactMap { $0["entity", as: String.self] } == ["dbclient_shared.tokens"]
            )
            try found.close()
            try elsewhere.close()
        }
    }
}

@Stored("tokens") private struct Token: Equatable {
    let id: Int
    var text: String
}

@Stored("dbclient_shared.tokens") private struct FarToken: Equatable {
    let id: Int
    var text: String
}

@Stored("tokens") private struct ConvertedToken: Equatable {
    let id: Int
    var text: [String]
}
