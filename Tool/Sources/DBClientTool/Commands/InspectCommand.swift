package import ArgumentParser
import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation

/// Shows what a store has.
package struct InspectCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract:
            "Shows what a store has: entities, fields, indexes, numbers of rows, sizes, readers.",
        discussion: """
            What no entity can show, such as a table without a key, is named at the end with the reason.

            Example: dbclient inspect heroes.store
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @Flag(help: "Show each entity's fields, indexes and relationships.")
    var fields = false

    package init() {}

    package func perform() async throws -> Bool {
        try await Store.with(store) { store in
            try Terminal.write("\(store.address) (\(store.address.engine))\n")
            try sizes(of: store)
            let catalog = try await EntityCatalog(storedIn: store.client)
            var table = TextTable(
                ["entity", "rows", "key", "fields", "indexes", "relationships"],
                alignsRight: [false, true, false, true, true, true]
            )
            for entity in catalog.entities {
                table.add([
                    entity.name, String(try await store.client.count(DynamicRequest(entity))),
                    entity.primaryKey.map { entity.fields[$0].name }.joined(separator: ", "),
                    String(entity.fields.count), String(entity.indexes.count),
                    String(entity.relationships.count),
                ])
            }
            try Terminal.write("\n" + table.text)
            if fields { try Terminal.write("\n" + SchemaText.text(of: catalog.entities)) }
            if !catalog.omissions.isEmpty { try Terminal.write("\nLeft out:\n") }
            for omission in catalog.omissions {
                let name = [omission.entity, omission.field].compactMap { $0 }.joined(
                    separator: "."
                )
                try Terminal.write("  \(name): \(omission.reason)\n")
            }
            return true
        }
    }

    /// Writes the sizes of the files, and the readers that keep them from being reused.
    private func sizes(of store: Store) throws {
        if let client = store.client as? ObjectStoreDBClient {
            let statistics = try client.statistics()
            try Terminal.write(
                "size: \(statistics.fileSize) bytes, on disk \(statistics.diskSize)\n"
            )
            if let reader = statistics.oldestReader {
                try Terminal.write(
                    "readers: \(statistics.readers.count), the oldest in process \(reader.process),"
                        + " \(reader.commitsBehind) commits behind\n"
                )
            } else {
                try Terminal.write("readers: none\n")
            }
        } else if case .sqlite = store.address, let client = store.client as? SQLDBClient {
            let statistics = try client.sqliteStatistics()
            try Terminal.write(
                "size: \(statistics.fileSize) bytes, write-ahead log \(statistics.logSize)\n"
            )
        } else if let client = store.client as? SQLDBClient {
            let rows = try client.blocking.read { transaction in
                try transaction.rows("SELECT pg_catalog.pg_database_size(current_database())")
            }
            if case .integer(let size) = rows.first?.values.first {
                try Terminal.write("size of the database: \(size) bytes\n")
            }
        }
    }
}
