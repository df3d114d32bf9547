package import ArgumentParser
import DBClientCore
import DBClientObjectStore

/// Gives an encrypted object store another key.
package struct RekeyCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Gives an encrypted object store another key, while it is in use.",
        discussion: """
            The pages of the store stay sealed by a key of the store's own, which is sealed anew. Where a key has \
            become known to others, copy the store into a new one instead.

            Example: dbclient rekey heroes.store --key-file old.key --new-key-file new.key
            """
    )

    @Argument(help: "The object store.")
    var store: String
    @OptionGroup var keys: KeyOptions
    @OptionGroup var newKeys: NewKeyOptions

    package init() {}

    package func perform() async throws -> Bool {
        // Before the store is opened, since the files may be wrong.
        guard let key = try newKeys.key() else {
            throw ToolError("Either --new-key-file or --new-passphrase-file must be given.")
                .ofArgument
        }
        return try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) {
            store in
            guard let client = store.client as? ObjectStoreDBClient else {
                throw ToolError("Only an object store gets another key; \(store.address) is none.")
            }
            try client.rekey(to: key)
            return true
        }
    }
}
