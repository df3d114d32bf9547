import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Two clients of a store with a journal, for tests.
enum JournalClients {
    /// Runs a body with a client that observes and another one that writes.
    static func with(
        observingAs name: String = "observing",
        _ body: (
            _ observing: SQLDBClient, _ writing: SQLDBClient, _ schema: String
        ) async throws -> Void
    ) async throws {
        let url = try Server.url("application_name", name)
        try await Server.withClient(url: url) { observing, schema in
            try await observing.installPostgreSQLJournal(for: Counter.self)
            let writing = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
            try await body(observing, writing, schema)
            try writing.close()
        }
    }

    /// Inserts a row by another program.
    static func insertByProgram(_ counter: Counter, _ schema: String) async throws {
        _ = try await Program.run(
            "/usr/bin/psql",
            [
                "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c",
                "INSERT INTO \"\(schema)\".\"Counter\" VALUES (\(counter.id), \(counter.value))",
                try #require(Server.url),
            ]
        )
    }

    /// Returns the number of rows of the journal.
    static func rows(_ client: SQLDBClient) async throws -> Int {
        let rows = try await client.rows(
            "SELECT count(*) AS n FROM dbclient_journal WHERE entity <> ''"
        )
        return try #require(rows.first?["n", as: Int.self])
    }
}
