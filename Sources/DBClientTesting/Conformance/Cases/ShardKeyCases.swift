import DBClientCore

/// Models with a shard key: a value and what it refers to have the same one, and requests mean what they mean without.
enum ShardKeyCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "a value refers to none of another shard key") { client in
            let own = Buyer(1, 1, "own")
            let other = Buyer(2, 1, "other")
            try await client.insert([own, other])
            func refused(_ body: () async throws -> Void) async throws {
                let error = try await expectError(.invalidValue, body)
                try expect(["buyer", "gifts"].contains(error.field), "the field is \(error)")
            }
            try await refused { try await client.insert(Purchase(1, 1, buyer: other)) }
            try await refused {
                try await client.insert(Purchase(1, 1, buyer: own, gifts: [other]))
            }
            try await refused { try await client.upsert([Purchase(1, 1, buyer: other)]) }
            try expectEqual(try await client.count(Purchase.all), 0)
            let purchase = Purchase(1, 1, buyer: own, gifts: [own])
            try await client.insert([purchase, Purchase(2, 1, buyer: other, gifts: [other])])
            try await refused { try await client.update(Purchase(1, 1, buyer: other)) }
            try await refused {
                try await client.update(Purchase.where { $0.id == 1 }) {
                    $0.set(\.buyer, to: Reference(to: own))
                }
            }
            try await refused {
                try await client.update(Purchase.where { $0.tenant == 1 }) {
                    $0.set(\.gifts, to: [other.primaryKey])
                }
            }
            try expectEqual(
                try await client.fetch(Purchase.all),
                [purchase, Purchase(2, 1, buyer: other, gifts: [other])]
            )
            // What it may refer to it refers to by every call.
            try await client.insert(Buyer(1, 2, "second"))
            try await client.update(Purchase.where { $0.tenant == 1 }) {
                $0.set(\.buyer, to: Reference(to: Buyer(1, 2)))
            }
            try await client.update(Purchase(2, 1, buyer: nil))
            try expectEqual(
                try await client.fetch(Purchase.all),
                [Purchase(1, 1, buyer: Buyer(1, 2), gifts: [own]), Purchase(2, 1, buyer: nil)]
            )
        },
        promise(.entities, "an entity refers to none of another shard key") { client in
            let own = Buyer(1, 1, "own")
            let other = Buyer(2, 1, "other")
            let purchase = Purchase(1, 1, buyer: own)
            try await client.insert([own, other])
            try await client.insert(purchase)
            let error = try await expectError(.invalidValue) {
                try await client.write { transaction in
                    let context = try transaction.entities
                    let found = try EntityCases.required(
                        context.find(Purchase.self, key: purchase.primaryKey)
                    )
                    try found.set(\Purchase.buyer, to: Reference(to: other))
                }
            }
            try expectEqual(error.field, "buyer")
            try expectEqual(try await client.fetch(Purchase.all), [purchase])
        },
        promise(.conditions, "requests of models with a shard key are those of any other") {
            client in
            try await fill(client)
            func ids(
                _ condition: @Sendable (Fields<Purchase>) -> Condition<Purchase>
            ) async throws -> [[Int]] {
                let found = try await client.fetch(Purchase.where(condition))
                try expectEqual(try await client.count(Purchase.where(condition)), found.count)
                return found.map { [$0.tenant, $0.id] }
            }
            try expectEqual(try await ids { $0.buyer.name == "b1" }, [[1, 1], [2, 1]])
            try expectEqual(try await ids { $0.tenant == 2 && $0.buyer.name == "b1" }, [[2, 1]])
            try expectEqual(try await ids { $0.buyer == Reference(to: Buyer(2, 2)) }, [[2, 2]])
            try expectEqual(try await ids { $0.buyer.tenant == 1 }, [[1, 1], [1, 2]])
            try expectEqual(try await ids { $0.buyer == nil }, [[1, 3], [2, 3]])
            try expectEqual(
                try await ids { $0.tenant == 1 || $0.buyer == Reference(to: Buyer(2, 1)) },
                [[1, 1], [1, 2], [1, 3], [2, 1]]
            )
            try expectEqual(
                try await ids { $0.gifts.contains { $0.name == "b2" } && $0.tenant == 1 },
                [[1, 1]]
            )
            try expectEqual(try await ids { !$0.gifts.contains { $0.name == "b2" } }.count, 4)
            try expectEqual(try await ids { $0.gifts.count == 1 && $0.tenant == 2 }, [[2, 1]])
            let buyers = Buyer.where {
                $0.tenant == 2 && $0.inverse(of: \Purchase.buyer).contains { $0.id == 2 }
            }
            try expectEqual(try await client.fetch(buyers), [Buyer(2, 2, "b2")])
            let given = Buyer.where { $0.inverse(of: \Purchase.gifts).count == 1 }
            try expectEqual(try await client.fetch(given), [Buyer(1, 2, "b2"), Buyer(2, 2, "b2")])
            let sorted = Purchase.where { $0.tenant == 1 }.sorted { $0.buyer.name.descending }
            try expectEqual(try await client.fetch(sorted).map(\.id), [2, 1, 3])
        },
        promise(.joins, "joins of models with a shard key are those of any other") { client in
            try await fill(client)
            let joined = Purchase.join(\.buyer).where { purchase, _ in purchase.tenant == 2 }
            let rows = try await client.fetch(joined.select { ($0.id, $1.tenant, $1.name) })
            try expectEqual(rows.map { "\($0.0) \($0.1) \($0.2)" }, ["1 2 b1", "2 2 b2"])
            let left = Purchase.leftJoin(\.buyer).where { purchase, _ in purchase.tenant == 1 }
            let names = try await client.fetch(left.select { $1.name })
            try expectEqual(names, ["b1", "b2", nil])
        },
        refusing("a shard key beside the primary key") {
            [
                .field(\.tenant, "tenant").shardKey(),
                .field(\.id, "id", primaryKey: .given), .field(\.name, "name"),
            ]
        },
        refusing("a unique field without the shard key") {
            [
                .field(\.tenant, "tenant", primaryKey: .given).shardKey(),
                .field(\.id, "id", primaryKey: .given), .field(\.name, "name", index: .unique),
            ]
        },
        refusing("a second shard key") {
            [
                .field(\.tenant, "tenant", primaryKey: .given).shardKey(),
                .field(\.id, "id", primaryKey: .given).shardKey(), .field(\.name, "name"),
            ]
        },
    ]

    /// Two tenants with the same ids, the last purchase of each without a buyer.
    private static func fill(_ client: any DBClient) async throws {
        for tenant in 1...2 {
            let buyers = (1...2).map { Buyer(tenant, $0, "b\($0)") }
            try await client.insert(buyers)
            try await client.insert([
                Purchase(tenant, 1, buyer: buyers[0], gifts: [buyers[1]]),
                Purchase(tenant, 2, buyer: buyers[1]), Purchase(tenant, 3, buyer: nil),
            ])
        }
    }

    private static func refusing(
        _ name: String,
        _ fields: @escaping @Sendable () -> [SchemaField<Buyer>]
    ) -> ConformanceCase {
        promise(.schemas, "\(name) makes a schema invalid") { _ in
            let schema = Schema(name: "Buyer", fields: fields())
            try expectErrorInside(.invalidSchema) { try schema.entity.validate() }
        }
    }
}

@Stored private struct Buyer: Equatable {
    @ShardKey @PrimaryKey let tenant: Int
    @PrimaryKey let id: Int
    @Indexed var name: String

    init(_ tenant: Int, _ id: Int, _ name: String = "") {
        self.tenant = tenant
        self.id = id
        self.name = name
    }
}

@Stored private struct Purchase: Equatable {
    @ShardKey @PrimaryKey let tenant: Int
    @PrimaryKey let id: Int
    var buyer: Reference<Buyer>?
    var gifts: References<Buyer>

    init(_ tenant: Int, _ id: Int, buyer: Buyer?, gifts: [Buyer] = []) {
        self.tenant = tenant
        self.id = id
        self.buyer = buyer.map { Reference(to: $0) }
        self.gifts = References(gifts.map(\.primaryKey))
    }
}
