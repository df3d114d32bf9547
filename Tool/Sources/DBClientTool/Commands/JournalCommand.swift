package import ArgumentParser
import DBClientCore
import DBClientPostgreSQL
import DBClientSQL

/// The commands for the journal of a server.
package struct JournalCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Has a PostgreSQL server note what programs write, so that it is seen elsewhere.",
        discussion: """
            watch, browse and copy --follow see what other programs commit. On a server that needs a journal: a \
            table, and a trigger on each table that is noted. Object stores and SQLite files need none.

            Example: dbclient journal install postgres://app@db/heroes
            """,
        subcommands: [Install.self, Remove.self]
    )

    package init() {}

    package struct Install: StoreCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Installs the journal for all entities, or for some more.",
            discussion: """
                It makes the table dbclient_journal, and a trigger on each table that notes in a row which table a \
                transaction wrote. Entities that have it keep it.

                Example: dbclient journal install postgres://app@db/heroes
                """
        )

        @Argument(help: "The store: a postgres:// URL.")
        var store: String
        @Option(help: "An entity; all by default, and several where it is given several times.")
        var entity: [String] = []

        package init() {}

        package func perform() async throws -> Bool {
            try await Store.with(store) { store in
                let client = try JournalCommand.server(store)
                let entities = try await store.entities(named: entity)
                try await client.installPostgreSQLJournal(forEntities: entities)
                try Terminal.write("The server notes what is written to \(Self.names(entities)).\n")
                return true
            }
        }

        private static func names(_ entities: [EntitySchema]) -> String {
            entities.map(\.name).joined(separator: ", ")
        }
    }

    package struct Remove: StoreCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Removes the journal with all of its triggers.",
            discussion: "Example: dbclient journal remove postgres://app@db/heroes"
        )

        @Argument(help: "The store: a postgres:// URL.")
        var store: String
        @Flag(help: "Remove it without being asked.")
        var yes = false

        package init() {}

        package func perform() async throws -> Bool {
            try await Store.with(store) { store in
                let client = try JournalCommand.server(store)
                try Terminal.confirm(
                    "Remove the journal, by which programs see what others write to \(store.address)?",
                    unless: yes
                )
                try await client.removePostgreSQLJournal()
                return true
            }
        }
    }

    private static func server(_ store: Store) throws -> SQLDBClient {
        guard case .postgreSQL = store.address, let client = store.client as? SQLDBClient else {
            throw ToolError(
                "Only a PostgreSQL server keeps a journal; \(store.address) is of \(store.address.engine).",
                hint: "What other programs write to it is seen without one."
            )
        }
        return client
    }
}

extension Store {
    /// Says of which entities nothing tells what other programs write to them.
    ///
    /// - Throws: What asking the server throws.
    func noteMissingJournal(of entities: [EntitySchema]) async throws {
        guard case .postgreSQL = address else { return }
        let rows = try await client.read { transaction in
            try transaction.rows(
                """
                SELECT c.relname::text AS name FROM pg_catalog.pg_trigger t
                JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
                JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
                WHERE t.tgname ~ '^dbclient_journal(_|$)'
                    AND p.pronamespace = pg_catalog.quote_ident(pg_catalog.current_schema())::pg_catalog.regnamespace
                """
            )
        }
        let noted = Set(try rows.map { Array(try $0.value("name", as: String.self).utf8) })
        let missing = entities.map(\.name).filter { !noted.contains(Array($0.utf8)) }
        if missing.isEmpty { return }
        Terminal.note(
            "What other programs write to \(missing.joined(separator: ", ")) is not seen:"
                + " the server has no journal of it. `dbclient journal install` makes one."
        )
    }
}
