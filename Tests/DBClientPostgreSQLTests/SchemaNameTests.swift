import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Tables in another schema than the client's, named with it.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct SchemaNameTests {
    /// Runs a body with a client and a schema beside that of the client.
    private func withSchema(
        _ body: (SQLDBClient, _ schema: String) async throws -> Void
    ) async throws {
        try await Server.withClient { client, schema in
            try await client.execute("DROP SCHEMA IF EXISTS dbclient_sales CASCADE")
            try await client.execute("CREATE SCHEMA dbclient_sales")
            do {
                try await body(client, schema)
            } catch {
                _ = try? await client.execute("DROP SCHEMA dbclient_sales CASCADE")
                throw error
            }
            try await client.execute("DROP SCHEMA dbclient_sales CASCADE")
        }
    }

    private func tables(_ client: SQLDBClient) async throws -> [String] {
        try await client.rows(
            """
            SELECT relname::text AS name FROM pg_class
            WHERE relnamespace = 'dbclient_sales'::regnamespace AND relkind IN ('r', 'i')
            ORDER BY relname COLLATE "C"
            """
        ).compactMap { $0["name", as: String.self] }
    }

    @Test("A table is made there, and written and read in every way", arguments: [1, 3, 40])
    func everyCall(count: Int) async throws {
        try await withSchema { client, _ in
            let buyer = Buyer(id: 1, name: "Ann")
            let orders = try await client.insert(
                (1...count).map {
                    Order(
                        code: "c\($0)",
                        weight: $0,
                        buyer: buyer,
                        items: [Item(id: $0, name: "i")]
                    )
                }
            )
            #expect(
                try await tables(client)
                    == [
                        "orders", "orders_buyer_index", "orders_code_unique_index", "orders_items",
                        "orders_items_pkey", "orders_items_target_index", "orders_pkey",
                        "pg_item".reserved,
                        "pg_item_pkey".reserved,
                    ].sorted()
            )
            #expect(try await client.findAll(Order.self) == orders)
            #expect(try await client.upsert(orders).updated == orders)
            try await client.update(orders)
            try await client.update(Order.self, key: orders[0].id) { $0.set(\.weight, to: -1) }
            try await client.update(Order.where { $0.buyer.name == "Ann" }.limit(count)) {
                $0.set(\.weight, to: 8)
            }
            #expect(
                try await client.find(Order.self, keys: orders.map(\.id)).allSatisfy {
                    $0.weight == 8
                }
            )
            let found = Order.where { $0.items.contains { $0.name == "i" } && $0.weight >= 8 }
                .sorted { [$0.buyer.name, $0.code.descending] }
            #expect(try await client.count(found) == count)
            #expect(try await client.fetch(found).count == count)
            #expect(try await client.sum(\.weight, of: Order.all) == 8 * count)
            #expect(try await client.explain(found).contains("dbclient_sales"))
            await #expect(throws: DBClientError.self) {
                try await client.insert(Order(code: "c1", weight: 0, buyer: nil, items: []))
            }
            #expect(try await client.delete(Order.where { $0.weight == 8 }.limit(count)) == count)
            #expect(try await client.count(Item.all) == count)
        }
    }

    @Test("Other programs' writes are observed, and what triggers write")
    func observers() async throws {
        try await withSchema { client, schema in
            try await client.installPostgreSQLJournal(for: Parcel.self, Counter.self)
            let elsewhere = try await Server.clientElsewhere(
                try #require(Server.url),
                schema: schema
            )
            let value = ObservedValue(client.observeCount(Parcel.all))
            try await value.settle(0)
            try await elsewhere.insert([Parcel(id: 1, label: "a"), Parcel(id: 2, label: "b")])
            try await value.settle(2)
            // Each of the two schemas has a table that a trigger of the other's writes.
            try await client.execute(
                """
                CREATE FUNCTION dbclient_sales.add() RETURNS trigger LANGUAGE plpgsql AS
                $$BEGIN INSERT INTO dbclient_sales.parcels VALUES (NEW.id, 'made'); RETURN NEW; END$$
                """
            )
            try await client.execute(
                """
                CREATE TRIGGER adding BEFORE INSERT ON "Counter" FOR EACH ROW
                EXECUTE FUNCTION dbclient_sales.add()
                """
            )
            try await client.insert(Counter(3))
            try await value.settle(3)
            try elsewhere.close()
        }
    }

    @Test("A table there is migrated, and its indexes are built beside other programs")
    func migration() async throws {
        try await withSchema { client, _ in
            try await client.insert((1...20_000).map { Parcel(id: $0, label: "l\($0)") })
            let steps: [Migration] = [.adapt(LaterParcel.self) { $0.set(\.weight, to: 7) }]
            #expect(try await client.pendingChanges(of: steps).count == 1)
            try await client.migrate(steps)
            #expect(try await tables(client).contains("parcels_label_index"))
            #expect(try await client.count(LaterParcel.where { $0.weight == 7 }) == 20_000)
            // A value that is too long for the index has it made again, of a table of many rows.
            let noise = String(
                (0..<9_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126))) }
            )
            try await client.insert(LaterParcel(id: -1, label: noise, weight: 0))
            #expect(try await client.count(LaterParcel.where { $0.label == noise }) == 1)
            #expect(try await tables(client).contains("parcels_label_index"))
            #expect(try await client.pendingChanges(of: steps).isEmpty)
        }
    }

    @Test("A schema that is not there, or forbidden, is an error and no empty store")
    func missingSchemas() async throws {
        try await withSchema { client, schema in
            for call: (SQLDBClient) async throws -> Void in [
                { _ = try await $0.count(Nowhere.all) }, { try await $0.insert(Nowhere(id: 1)) },
                { _ = try await $0.pendingChanges(of: [.adapt(Nowhere.self)]) },
            ] {
                let error = await #expect(throws: DBClientError.self) { try await call(client) }
                #expect(error?.code == .notFound)
                #expect(error?.message.contains("dbclient_nowhere") == true)
            }
            try await client.insert(Parcel(id: 1, label: "a"))
            let role = "outsider_\(Int.random(in: 0..<1_000_000))"
            try await client.execute("CREATE ROLE \(identifier: role) LOGIN")
            try await client.execute(
                "GRANT USAGE ON SCHEMA \(identifier: schema) TO \(identifier: role)"
            )
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            let outsider = try await SQLDBClient.postgreSQL(
                try Server.url(role: role),
                configuration: configuration
            )
            for model in ["stored", "missing"] {
                let error = await #expect(throws: DBClientError.self, "\(model)") {
                    model == "stored"
                        ? try await outsider.count(Parcel.all)
                        : try await outsider.count(Buyers.all)
                }
                #expect(error?.code == .permission, "\(model)")
            }
            #expect(
                await code { try await outsider.insert(Parcel(id: 2, label: "b")) } == .permission
            )
            // It may read what it may not make: a table that is not there is empty.
            try await client.execute("GRANT USAGE ON SCHEMA dbclient_sales TO \(identifier: role)")
            #expect(try await outsider.count(Buyers.all) == 0)
            #expect(await code { _ = try await outsider.write { try $0.count(Buyers.all) } } == nil)
            try outsider.close()
            try await client.execute("DROP OWNED BY \(identifier: role)")
            try await client.execute("DROP ROLE \(identifier: role)")
        }
    }
}

extension String {
    /// A name that begins as those of the server's own tables do has one underscore more.
    fileprivate var reserved: String { "_" + self }
}

@Stored("dbclient_sales.orders") private struct Order: Equatable {
    @PrimaryKey(.generated) let id: Int
    @Unique var code: String
    var weight: Int
    var buyer: Buyer?
    var items: [Item]

    init(id: Int = 0, code: String, weight: Int, buyer: Buyer?, items: [Item]) {
        self.id = id
        self.code = code
        self.weight = weight
        self.buyer = buyer
        self.items = items
    }
}

@Stored private struct Buyer: Equatable {
    let id: Int
    var name: String
}

@Stored("dbclient_sales.pg_item") private struct Item: Equatable {
    let id: Int
    var name: String
}

@Stored("dbclient_sales.parcels") private struct Parcel: Equatable {
    let id: Int
    var label: String
}

@Stored("dbclient_sales.parcels") private struct LaterParcel: Equatable {
    let id: Int
    @Indexed var label: String
    var weight: Int
}

@Stored("dbclient_sales.buyers") private struct Buyers: Equatable {
    let id: Int
}

@Stored("dbclient_nowhere.things") private struct Nowhere: Equatable {
    let id: Int
}
