package import ArgumentParser
import DBClientCore
import DBClientObjectStore
import Foundation

/// Returns unused space to the file system.
package struct CompactCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract:
            "Returns the unused space of an object store to the file system, while it is in use.",
        discussion: """
            SQLite and PostgreSQL have commands of their own for it: VACUUM, and autovacuum.

            Example: dbclient compact heroes.store
            """
    )

    @Argument(help: "The object store.")
    var store: String
    @OptionGroup var keys: KeyOptions

    package init() {}

    package func perform() async throws -> Bool {
        try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) { store in
            guard let client = store.client as? ObjectStoreDBClient else {
                throw ToolError(
                    "Only an object store is compacted; \(store.address) is of \(store.address.engine).",
                    hint: "Use the database's own VACUUM."
                )
            }
            try Terminal.write("\(try client.compact()) bytes less on disk\n")
            return true
        }
    }
}
