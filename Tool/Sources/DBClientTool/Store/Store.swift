package import DBClientCore
import DBClientObjectStore
import DBClientPostgreSQL
import DBClientSQL
import DBClientSQLite
import Foundation

/// An opened store.
package struct Store: Sendable {
    /// Where it is.
    package let address: StoreAddress
    /// The client that has it open.
    package let client: any DBClient
    /// The key that it is encrypted with; nil for a plain one, and for a server.
    package let key: StoreKey?

    /// Opens a store, asking for the password that a server wants, or for the passphrase of an encrypted store, where
    /// there is a terminal.
    ///
    /// - Throws: What opening it throws.
    package init(
        _ address: StoreAddress,
        key: StoreKey? = nil,
        trustsSchema: Bool = false
    ) async throws {
        self.address = address
        switch address {
        case .objectStore(let url):
            (client, self.key) = try Self.withKey(key) { try ObjectStoreDBClient(at: url, key: $0) }
        case .sqlite(let url):
            var configuration = SQLiteConfiguration()
            configuration.trustsSchema = trustsSchema
            (client, self.key) = try Self.withKey(key) {
                try SQLDBClient.sqlite(at: url, key: $0, configuration: configuration)
            }
        case .postgreSQL(let url, let schema):
            if key != nil { throw ToolError("A server has no key; \(address) is one.").ofArgument }
            self.key = nil
            do {
                client = try await Self.connect(url, schema)
            } catch let error as DBClientError where error.code == .permission {
                guard getenv("PGPASSWORD") == nil, let password = Terminal.askPassword() else {
                    throw error
                }
                setenv("PGPASSWORD", password, 1)
                client = try await Self.connect(url, schema)
            }
        }
    }

    /// Calls a function with a key, and again with the passphrase that is asked for where it needs a key.
    ///
    /// - Returns: What the function returns, and the key.
    /// - Throws: What the function throws; ``ToolError`` where it needs a key and there is no terminal to ask on.
    static func withKey<Value>(
        _ key: StoreKey?,
        _ body: (StoreKey?) throws -> Value
    ) throws -> (Value, StoreKey?) {
        do { return (try body(key), key) } catch let error as DBClientError
            where error.code == .keyRequired
        {
            guard let text = Terminal.askPassword("Passphrase: ") else {
                throw ToolError(
                    "The store is encrypted, and no key was given.",
                    hint: "--key-file or --passphrase-file names a file with it."
                )
            }
            let key = StoreKey.passphrase(text)
            return (try body(key), key)
        }
    }

    private static func connect(_ url: String, _ schema: String?) async throws -> any DBClient {
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        return try await SQLDBClient.postgreSQL(url, configuration: configuration)
    }

    /// Opens the store with an address, calls a function with it and closes it.
    ///
    /// - Throws: What opening and the function throw.
    package static func with<Value>(
        _ text: String,
        key: StoreKey? = nil,
        trustsSchema: Bool = false,
        mayBeNew: Bool = false,
        _ body: (Store) async throws -> Value
    ) async throws -> Value {
        let store = try await Store(
            StoreAddress(text, mayBeNew: mayBeNew),
            key: key,
            trustsSchema: trustsSchema
        )
        do {
            let value = try await body(store)
            try store.client.close()
            return value
        } catch {
            try? store.client.close()
            throw error
        }
    }

    /// Returns what the store has, all of it or the entities with some names and their relatives.
    ///
    /// - Throws: `.invalidRequest` for a name that is no entity.
    func entities(named names: [String] = []) async throws -> [EntitySchema] {
        let catalog = try await EntityCatalog(storedIn: client)
        return names.isEmpty
            ? catalog.entities : try names.map { try catalog.entity(named: $0) }
    }
}

extension Store {
    /// Throws where the store takes no keys of an entity, so that rows cannot come with theirs.
    ///
    /// - Throws: ``ToolError`` with the entities and the statement that lets their keys in.
    func checkTakesKeys(of entities: [EntitySchema]) async throws {
        guard case .postgreSQL = address else { return }
        let refusing = try await client.read { transaction in
            let catalog = try EntityCatalog(storedIn: transaction)
            let computed = try ComputedFields(address, of: catalog, in: transaction)
            return entities.filter { computed.keys(of: $0) }
        }
        guard let first = refusing.first else { return }
        let names = refusing.map(\.name).joined(separator: ", ")
        let key = first.primaryKey.map { first.fields[$0].name }.joined(separator: ", ")
        throw ToolError(
            "The target must take the keys of the rows; it makes every key of \(names) itself,"
                + " GENERATED ALWAYS AS IDENTITY. Nothing was written.",
            hint:
                "ALTER TABLE \"\(first.name)\" ALTER \"\(key)\" SET GENERATED BY DEFAULT lets them in."
        )
    }
}

extension EntitySchema {
    /// The entities of the links of to-many relationships.
    var links: [EntitySchema] { relationships.compactMap { $0.link?.entity } }
}
