package import ArgumentParser
import DBClientCore
import Foundation

/// Copies a store to a new file.
package struct BackupCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store to a new file while it is in use.",
        discussion: """
            It has one snapshot of every entity. An object store has the key of the store, unless another one is \
            named. A store with something that no entity can show, such as a table \
            without a key, is refused, since that would be missing; --partial leaves it out. The file gets its name \
            once it is whole.

            Example: dbclient backup heroes.store object:heroes-2026-11-26.store
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @Argument(help: "The new file: object:path or sqlite:path.")
    var file: String
    @OptionGroup var keys: KeyOptions
    @OptionGroup var targetKeys: TargetKeyOptions
    @Flag(help: "Leave out what no entity can show.")
    var partial = false

    package init() {}

    package func perform() async throws -> Bool {
        guard let prefix = ["object:", "sqlite:"].first(where: file.hasPrefix) else {
            throw ToolError("The new file must be given as object:path or sqlite:path.")
        }
        let path = String(file.dropFirst(prefix.count))
        try Self.checkFree(path, prefix)
        return try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) {
            store in
            let selection = try await Selection(
                of: store,
                withRelatives: true,
                partial: partial,
                for: "backup"
            )
            let unfinished = path + ".partial"
            do {
                Self.remove(unfinished)
                _ = try await Store.with(
                    prefix + unfinished,
                    key: try targetKey(of: store, prefix),
                    mayBeNew: true
                ) { target in
                    try await CopyCommand.copy(selection, from: store, to: target, .refuse)
                }
                // Another program may have made it meanwhile.
                try Self.checkFree(path, prefix)
                guard rename(unfinished, path) == 0 else {
                    throw ToolError("The file \(path) cannot be written.")
                }
                Self.remove(unfinished)
            } catch {
                Self.remove(unfinished)
                throw error
            }
            return true
        }
    }

    /// The key of the new file: that of the store, unless another one is named.
    private func targetKey(of store: Store, _ prefix: String) throws -> StoreKey? {
        if let key = try targetKeys.key() { return key }
        if prefix == "object:" { return store.key }
        if store.key != nil { Terminal.note(CopyCommand.plainTarget) }
        return nil
    }

    /// Throws where the new file is there already, or the log of a SQLite file of its name.
    private static func checkFree(_ path: String, _ prefix: String) throws {
        guard !OutputFile.exists(path) else {
            throw ToolError("The file \(path) must not exist yet.")
        }
        if prefix == "sqlite:" { try OutputFile.checkNoLog(beside: path) }
    }

    /// Removes a store's file and those beside it.
    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal", "-lock"] { unlink(path + suffix) }
    }
}
