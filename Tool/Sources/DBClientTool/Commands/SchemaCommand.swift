package import ArgumentParser
import DBClientCore
import Foundation

/// Shows, keeps and compares the shapes of entities.
package struct SchemaCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints what entities a store has, compares two stores, and keeps a lock file.",
        discussion: """
            A lock file is kept with the sources: schema diff store file ends with 2 once the store has \
            entities, fields, keys, indexes or relationships that the file does not tell, so that no model \
            changes unnoticed.

            Example: dbclient schema lock heroes.store --output schema.lock
            """,
        subcommands: [Print.self, Diff.self, Lock.self],
        defaultSubcommand: Print.self
    )

    package init() {}
}

extension SchemaCommand {
    /// Prints the entities of a store.
    package struct Print: StoreCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Prints the entities of a store.",
            discussion: "Example: dbclient schema print heroes.store --entity Hero"
        )

        @Argument(help: "The store: a path or a postgres:// URL.")
        var store: String
        @OptionGroup var keys: KeyOptions
        @Option(help: "An entity; all by default, and several where it is given several times.")
        var entity: [String] = []

        package init() {}

        package func perform() async throws -> Bool {
            try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) { store in
                try Terminal.write(
                    EntityCatalog.schemaText(of: try await store.entities(named: entity))
                )
                return true
            }
        }
    }

    /// Compares a store with another one or with a lock file.
    package struct Diff: StoreCommand {
        package static let configuration = CommandConfiguration(
            abstract:
                "Compares the entities of a store with those of another store or of a lock file.",
            discussion: """
                Lines that only the first has begin with -, those that only the second has with +. The exit \
                code is 2 where they differ.

                Example: dbclient schema diff heroes.store postgres://app@db/heroes
                """
        )

        @Argument(help: "The store: a path or a postgres:// URL.")
        var first: String
        @Argument(help: "The other store, or a lock file.")
        var second: String
        @OptionGroup var keys: KeyOptions
        @OptionGroup var targetKeys: TargetKeyOptions

        package init() {}

        package func perform() async throws -> Bool {
            let lines = SchemaText.differences(
                try await text(of: first, keys.key(), keys.trustsSchema),
                try await text(of: second, targetKeys.key(), targetKeys.trustsSchema)
            )
            for line in lines { try Terminal.write(line + "\n") }
            return lines.isEmpty
        }

        private func text(
            of source: String,
            _ key: StoreKey?,
            _ trustsSchema: Bool
        ) async throws -> String {
            if try SchemaCommand.isLockFile(source) {
                return try String(contentsOfFile: source, encoding: .utf8)
            }
            return try await Store.with(source, key: key, trustsSchema: trustsSchema) {
                EntityCatalog.schemaText(of: try await $0.entities())
            }
        }
    }

    /// Writes a lock file.
    package struct Lock: StoreCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Writes the entities of a store to a file that is compared with later.",
            discussion: "Example: dbclient schema lock heroes.store --output schema.lock"
        )

        @Argument(help: "The store: a path or a postgres:// URL.")
        var store: String
        @OptionGroup var keys: KeyOptions
        @Option(name: .shortAndLong, help: "The file; a lock file is replaced.")
        var output = "schema.lock"

        package init() {}

        package func perform() async throws -> Bool {
            try Self.checkReplaceable(output)
            return try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) {
                store in
                let text = EntityCatalog.schemaText(of: try await store.entities())
                try Self.checkReplaceable(output)
                try (SchemaCommand.head + "\n\n" + text).write(
                    toFile: output,
                    atomically: true,
                    encoding: .utf8
                )
                return true
            }
        }

        /// Throws where there is a file that is no lock file.
        private static func checkReplaceable(_ path: String) throws {
            guard OutputFile.exists(path) else { return }
            try OutputFile.checkReplaceable(path)
            guard try SchemaCommand.isLockFile(path) else {
                throw ToolError("The output must be a new file or a lock file; \(path) is neither.")
            }
        }
    }

    /// Whether a file begins as a lock file does: as one of the command, or as what a test has written.
    static func isLockFile(_ path: String) throws -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        let start = try file.read(upToCount: head.utf8.count) ?? Data()
        return start.elementsEqual(head.utf8) || start.starts(with: "entity ".utf8)
    }

    /// The first line of a lock file.
    static let head = "# Entities of a DBClient store. Written by dbclient schema lock."
}
