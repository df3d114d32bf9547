public import ArgumentParser
import Foundation
import ModelGenerator

/// `dbclient generate`: Swift models of an existing SQLite or PostgreSQL database.
package struct GenerateCommand: StoreCommand {
    /// What the help says of the command.
    package static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes Swift models of an existing SQLite or PostgreSQL database.",
        discussion: """
            One file for each table, and one for each enum type. The database is only read. Files of an earlier run are
            replaced, those of other programs are never touched.

            Example: dbclient generate chinook.sqlite --output Sources/Model
            """
    )

    @Argument(help: "The path of a SQLite file, or a postgres:// URL.")
    var store: String

    @Option(help: "The folder of the files, which is made where it is missing.")
    var output: String

    @Option(
        help:
            "The schema of a PostgreSQL database, as ?schema= in its URL; that of its search_path by default."
    )
    var schema: String?

    @Option(
        name: .customLong("table"),
        help: "A table to make a model of; by default all. Can be repeated."
    )
    var tables: [String] = []

    @Option(help: "How foreign keys become properties: references, values or none.")
    var relationships = GeneratorOptions.Relationships.references

    @Option(help: "From where the models can be used: internal, package or public.")
    var access = GeneratorOptions.Access.internal

    @Option(
        name: .customLong("key"),
        help:
            "The key of a view or of a table that has none, as name=column,column. Can be repeated."
    )
    var keys: [String] = []

    @Flag(help: "Begin the stored names with the schema: @Stored(\"sales.orders\").")
    var qualify = false

    @Flag(help: "Make relationships of foreign keys without an index, which the library then adds.")
    var addIndexes = false

    @Flag(
        help:
            "Trust the tables, triggers and views of a SQLite file, which may call functions of this program."
    )
    var trustSchema = false

    /// Creates the command.
    package init() {}

    /// Refuses options that the store does not have.
    package func validate() throws {
        if schema != nil, !isServer {
            throw ValidationError(
                "--schema is for a PostgreSQL database; a SQLite file has no schemas."
            )
        }
    }

    /// Reads the database and writes the files.
    package func perform() async throws -> Bool {
        let source = try source()
        var options = GeneratorOptions(
            relationships: relationships,
            addsIndexes: addIndexes,
            tables: tables.isEmpty ? nil : Set(tables)
        )
        options.access = access
        options.keys = try keysByName()
        if qualify {
            guard case .postgreSQL(_, let schema?) = source else {
                throw ToolError("--qualify needs the name of a schema; give it by --schema.")
                    .ofArgument
            }
            options.schema = schema
        }
        let models = try await ModelGenerator(options).models(of: source)
        let written = try models.write(to: URL(fileURLWithPath: output))
        for notice in models.notices { print(notice) }
        for name in written.stale { print("\(name): of an earlier run, and no longer generated.") }
        print("\(written.changed.count) files written, \(written.unchanged.count) unchanged.")
        return true
    }

    /// The database, by its address.
    private func source() throws -> ModelSource {
        switch try StoreAddress(store) {
        case .objectStore(let url):
            throw ToolError(
                "Models are made of a SQLite file or a PostgreSQL database; \(url.path) is an object store."
            )
        case .sqlite(let url): return .sqlite(url, trustsSchema: trustSchema)
        case .postgreSQL(let url, let own):
            guard schema == nil || own == nil || schema == own else {
                throw ToolError(
                    "The schema must be given once; the URL says \(own ?? ""), --schema \(schema ?? "")."
                ).ofArgument
            }
            return .postgreSQL(url, schema: schema ?? own)
        }
    }

    /// The keys that are named, by the names of what they are of.
    private func keysByName() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for key in keys {
            guard let sign = key.lastIndex(of: "="), sign != key.startIndex else {
                throw ToolError("--key must be name=column,column; got \(key).").ofArgument
            }
            found[String(key[..<sign])] = key[key.index(after: sign)...]
                .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return found
    }

    private var isServer: Bool {
        store.hasPrefix("postgres://") || store.hasPrefix("postgresql://")
    }
}

extension GeneratorOptions.Relationships: ExpressibleByArgument {}
extension GeneratorOptions.Access: ExpressibleByArgument {}
