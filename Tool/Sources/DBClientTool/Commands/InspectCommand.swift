package import ArgumentParser
import DBClientCore

/// Shows what a store has.
package struct InspectCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract:
            "Shows what a store has: entities, fields, indexes, rows, sizes, readers, journals.",
        discussion: """
            The oldest reader is the snapshot that keeps old pages or rows from being reused. The journal is what \
            the library writes for observers of other processes.

            What no entity can show, such as a table without a key, is named at the end with the reason.

            Example: dbclient inspect heroes.store
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @OptionGroup var keys: KeyOptions
    @Flag(help: "Show each entity's fields, indexes and relationships.")
    var fields = false

    package init() {}

    package func perform() async throws -> Bool {
        try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) { store in
            try Terminal.write("\(store.address) (\(store.address.engine))\n")
            for line in try await StoreStatistics.lines(of: store) {
                try Terminal.write(line + "\n")
            }
            for copy in try await store.unfinishedCopies() {
                try Terminal.write("not finished: a copy \(copy.text)\n")
            }
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
            if fields { try Terminal.write("\n" + catalog.schemaText) }
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
}
