package import ArgumentParser
import DBClientCore
import Foundation

/// Inserts the rows of a file into a store.
package struct ImportCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Inserts the rows of a file of JSON Lines or CSV into a store.",
        discussion: """
            All rows are inserted, or none. The store must have the entities already; a key that it has is an \
            error. An error names the line and the field.

            Example: dbclient import heroes.store heroes.csv --entity Hero
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @Argument(help: "The file; - for the standard input.")
    var file: String
    @OptionGroup var keys: KeyOptions
    @Option(help: "The entity of the rows of a CSV file.")
    var entity: String?
    @Option(help: "jsonl or csv; by the end of the file's name by default.")
    var format: FileFormat?

    package init() {}

    package func validate() throws {
        guard fileFormat == .csv, entity == nil else { return }
        throw ValidationError("--entity must say what the rows of a CSV file are of.")
    }

    private var fileFormat: FileFormat {
        format ?? (file.lowercased().hasSuffix(".csv") ? .csv : .jsonl)
    }

    package func perform() async throws -> Bool {
        try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) { store in
            let path = file == "-" ? nil : file
            let importer = Importer(store: store, format: fileFormat, entity: entity, path: path)
            Terminal.note("\(try await importer.run()) rows")
            return true
        }
    }
}
