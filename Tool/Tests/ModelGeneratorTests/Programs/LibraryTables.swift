import DBClientCore
import Foundation

// Reads and writes tables that the library made, by models that were generated from them.

@main struct LibraryTablesProgram {
    static func main() async throws {
        let store = try await Store.open(CommandLine.arguments[1])
        let schema = try await store.schema()
        try await update(Studio.self, in: store)
        try await update(Power.self, in: store)
        try await update(Fighter.self, in: store)
        try await update(Contract.self, in: store)
        if try await store.schema() != schema { print("wrong: the tables are altered") }
        guard let ada = try await store.client.find(Fighter.self, key: 1) else { return }
        print("found powers \(ada.powers.keys), rivals \(ada.rivals.map(\.name).sorted())")
        try await store.client.delete(Studio.self, keys: [1])
        print("found contracts \(try await store.client.count(Contract.all))")
    }

    private static func update<Model: Stored & Hashable>(
        _ type: Model.Type,
        in store: Store
    ) async throws {
        let table = Model.schema.entity.name
        let before = try await store.rows(of: table)
        try await store.client.update(try await store.client.fetch(Model.all))
        print(try await store.rows(of: table) == before ? "rows \(table)" : "wrong \(table)")
    }
}
