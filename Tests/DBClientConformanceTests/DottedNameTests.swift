import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// A stored name with a dot, which is a schema's on PostgreSQL and a part of the name elsewhere.
@Suite struct DottedNameTests {
    @Test("The same model works on every engine", arguments: Backends.chosen)
    func everyEngine(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        let isServer = backend.name.hasPrefix("PostgreSQL")
        let server = isServer ? client as? SQLDBClient : nil
        try await server?.execute("CREATE SCHEMA IF NOT EXISTS dbclient_dotted")
        let orders = (1...20).map { Order(id: $0, label: "o\($0)", parts: [Part(id: $0)]) }
        try await client.insert(orders)
        #expect(try await client.findAll(Order.self) == orders)
        #expect(try await client.count(Order.where { $0.parts.contains { $0.id > 15 } }) == 5)
        let catalog = try await EntityCatalog(storedIn: client)
        #expect(catalog.entities.contains { $0.name == "dbclient_dotted.orders" } == !isServer)
        try await client.delete(Order.all)
        #expect(try await client.count(Order.all) == 0)
        try await server?.execute("DROP SCHEMA dbclient_dotted CASCADE")
        try client.close()
    }
}

@Stored("dbclient_dotted.orders") private struct Order: Equatable {
    let id: Int
    @Indexed var label: String
    var parts: [Part]
}

@Stored private struct Part: Equatable {
    let id: Int
}
