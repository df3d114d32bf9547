package import ArgumentParser
import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation

/// Looks for damage.
package struct CheckCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Checks a store: its structure, its indexes against its rows, its values and references.",
        discussion: """
            A file is read from its first page to its last. Then every row of every entity is read, and what it \
            refers to is looked for. The exit code is 2 where something is damaged, or a copy is not finished.

            Example: dbclient check heroes.store
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @OptionGroup var keys: KeyOptions

    package init() {}

    package func perform() async throws -> Bool {
        let address = try StoreAddress(store)
        var key = try keys.key()
        do {
            switch address {
            case .objectStore(let url):
                (_, key) = try Store.withKey(key) {
                    try ObjectStoreDBClient.verify(at: url, key: $0)
                }
            case .sqlite(let url):
                try SQLDBClient.verifySQLite(at: url, trustsSchema: keys.trustsSchema)
            case .postgreSQL: break
            }
        } catch let error as DBClientError where error.code == .corrupt {
            try Terminal.write("damaged: \(Failure.text(error))\n")
            return false
        }
        return try await Store.with(store, key: key, trustsSchema: keys.trustsSchema) { store in
            let catalog = try await EntityCatalog(storedIn: store.client)
            var problems: [String] = []
            var count = 0
            for entity in catalog.entities {
                let check = RowCheck(entity, catalog)
                let (rows, found) = try await store.client.read { try check.run(in: $0) }
                count += rows
                problems += found
            }
            for problem in problems { try Terminal.write("damaged: \(problem)\n") }
            let copies = try await store.unfinishedCopies()
            for copy in copies { try Terminal.write("not finished: a copy \(copy.text)\n") }
            if problems.isEmpty {
                try Terminal.write(
                    "no damage: \(count) rows of \(catalog.entities.count) entities\n"
                )
            }
            return problems.isEmpty && copies.isEmpty
        }
    }
}
