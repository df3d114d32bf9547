package import ArgumentParser
import DBClientCore
import Foundation

/// Makes the entities of a store what a lock file says.
package struct MigrateCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract:
            "Changes the entities of a store to those of a lock file, or says what it would change.",
        discussion: """
            New optional fields and indexes are added, and fields may be absent that became optional. Fields that the \
            file lacks stay in a SQL database unless --remove names them; an object store needs that. What needs a value for each row that is stored, or a \
            conversion, is refused: the program does it that has the models. An entity that is not stored yet is left \
            to the first write.

            With --dry-run nothing is changed, and the exit code is 2 where there is anything to change.

            Example: dbclient migrate heroes.sqlite --to schema.lock --dry-run
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @OptionGroup var keys: KeyOptions
    @Option(help: "The lock file, by dbclient schema lock or EntityCatalog.schemaText.")
    var to: String
    @Flag(help: "Print the changes, and the statements of a SQL database, and change nothing.")
    var dryRun = false
    @Option(
        name: .customLong("remove"),
        help: "A field to be removed with its values, as Entity.field. Can be repeated."
    )
    var removals: [String] = []
    @Flag(help: "Remove fields without asking.")
    var yes = false

    package init() {}

    package func perform() async throws -> Bool {
        guard try SchemaCommand.isLockFile(to) else {
            throw ToolError("--to must name a lock file; \(to) is none.").ofArgument
        }
        let text = try String(contentsOfFile: to, encoding: .utf8)
        let wanted = try EntityCatalog(schemaText: text)
        return try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) {
            store in
            let stored = try await EntityCatalog(storedIn: store.client)
            let steps = try steps(wanted, stored)
            tell(wanted, text, of: stored)
            let changes = try await store.client.pendingChanges(of: steps)
            if dryRun {
                for change in changes { try Terminal.write("\(change)\n") }
                for statement in try await store.client.pendingStatements(of: steps) {
                    try Terminal.write("\(statement);\n")
                }
                return changes.isEmpty
            }
            let isLosing = changes.contains { change in
                change.kinds.contains { if case .removed = $0 { true } else { false } }
            }
            if isLosing {
                try Terminal.confirm(
                    "\(removals.joined(separator: ", ")) will be removed with all values. Go on?",
                    unless: yes
                )
            }
            for change in try await store.client.migrate(steps) {
                try Terminal.write("\(change)\n")
            }
            return true
        }
    }

    /// The steps for the entities that are stored.
    private func steps(_ wanted: EntityCatalog, _ stored: EntityCatalog) throws -> [Migration] {
        var left = removals
        let steps = wanted.entities.filter { stored.has($0) }.map { entity in
            let removed = left.filter { $0.hasPrefix(entity.name + ".") }
            left.removeAll(where: removed.contains)
            return Migration.adapt(
                entity,
                removing: removed.map { String($0.dropFirst(entity.name.count + 1)) }
            )
        }
        if let unknown = left.first {
            throw ToolError(
                "--remove must name a field of a stored entity of the file; got \(unknown)."
            ).ofArgument
        }
        return steps
    }

    /// Says what the command leaves as it is.
    private func tell(_ wanted: EntityCatalog, _ text: String, of stored: EntityCatalog) {
        for entity in wanted.entities where !stored.has(entity) {
            Terminal.note("\(entity.name): is not stored yet, and left to the first write.")
        }
        for entity in stored.entities where !wanted.has(entity) {
            Terminal.note("\(entity.name): is not in \(to), and stays.")
        }
        var entity = ""
        for line in SchemaText.differences(stored.schemaText, text) {
            if line.hasPrefix("  entity ") { entity = String(line.dropFirst(9)) }
            if line.hasPrefix("+ entity ") { entity = "" }
            guard !entity.isEmpty, line.hasPrefix("+   relationship ") else { continue }
            Terminal.note(
                "\(entity): \(line.dropFirst(4)) is left to the program that has the model."
            )
        }
    }
}

extension EntityCatalog {
    /// Whether an entity of the same stored name is there.
    fileprivate func has(_ entity: EntitySchema) -> Bool {
        entities.contains { $0.exactName == entity.exactName }
    }
}
