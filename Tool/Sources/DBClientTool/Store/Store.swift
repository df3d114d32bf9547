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

    /// Opens a store, asking for the password where a server wants one and there is a terminal.
    ///
    /// - Throws: What opening it throws.
    package init(_ address: StoreAddress) async throws {
        self.address = address
        switch address {
        case .objectStore(let url): client = try ObjectStoreDBClient(at: url)
        case .sqlite(let url): client = try SQLDBClient.sqlite(at: url)
        case .postgreSQL(let url, let schema):
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
        mayBeNew: Bool = false,
        _ body: (Store) async throws -> Value
    ) async throws -> Value {
        let store = try await Store(StoreAddress(text, mayBeNew: mayBeNew))
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

extension EntitySchema {
    /// The entities of the links of to-many relationships.
    var links: [EntitySchema] { relationships.compactMap { $0.link?.entity } }
}
