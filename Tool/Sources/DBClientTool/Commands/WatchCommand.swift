package import ArgumentParser
import DBClientCore
import Foundation

/// Prints what becomes of the rows of a request.
package struct WatchCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints the rows of an entity that come, change and go, as they do.",
        discussion: """
            A line begins with + for a row that has come, - for one that has gone, and ~ for one that has \
            changed, and has the row as JSON. The first lines are the rows that there are. Commits of other \
            processes are seen; on PostgreSQL as far as a journal is installed (dbclient help journal). It runs until \
            it is interrupted. The condition is that of query.

            Example: dbclient watch heroes.store Hero "year < 1970"
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @Argument(help: "The entity.")
    var entity: String
    @Argument(help: "The condition; all rows by default.")
    var condition: String?
    @OptionGroup var keys: KeyOptions
    @Option(help: "The number of changes of the whole after which it ends.")
    var changes: Int?

    package init() {}

    package func perform() async throws -> Bool {
        try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) { store in
            let entity = try await store.entities(named: [self.entity])[0]
            try await store.noteMissingJournal(of: [entity])
            var request = DynamicRequest(entity)
            if let condition {
                request = request.filter(
                    try QueryParser.condition(condition, of: entity, note: Terminal.note)
                )
            }
            do {
                try await watch(request, in: store)
            } catch {
                throw ToolError.reading(entity, error)
            }
            return true
        }
    }

    private func watch(_ request: DynamicRequest, in store: Store) async throws {
        var known: [[DynamicValue]: DynamicRow] = [:]
        var left = changes
        for try await rows in store.client.observeRows(try request.validated()) {
            var now: [[DynamicValue]: DynamicRow] = [:]
            var text = ""
            for row in rows {
                now[row.key] = row
                let former = known.removeValue(forKey: row.key)
                if former != row { text += Self.line(former == nil ? "+" : "~", row) }
            }
            // Those that are left have gone; in the order of their text, since a dictionary has none.
            text += known.values.map { Self.line("-", $0) }.sorted().joined()
            known = now
            try Terminal.write(text)
            if left == 0 { break }
            left = left.map { $0 - 1 }
        }
    }

    private static func line(_ mark: String, _ row: DynamicRow) -> String {
        "\(mark) \(JSONText.object(row))\n"
    }
}
