import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// Stored views over joins follow changes of every model that they read.
@Suite(.serialized) struct JoinedViewTests {
    private func withClient(
        _ backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await body(client)
    }

    private static let vendors = [
        Sold.Vendor(id: 1, country: "FR"), Sold.Vendor(id: 2, country: "JP"),
    ]
    private static let products = (1...6).map {
        Sold.Product(id: $0, category: ["a", "b"][$0 % 2], price: $0, vendor: $0 % 3)
    }
    private static let lines = (1...40).map {
        Sold.Line(
            id: $0,
            product: $0 % 7 + 1,
            quantity: $0 % 4,
            gift: $0 % 5 == 0 ? Reference($0 % 6) : nil
        )
    }

    private func fill(_ client: any DBClient) async throws {
        try await client.insert(Self.lines)
        try await client.insert(Self.products)
        try await client.insert(Self.vendors)
    }

    @Test(arguments: Backends.chosen)
    func followsEveryModel(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            #expect(try await client.count(Sold.Revenue.all) == 0)
            try await fill(client)
            try await expectJoined(client)
            #expect(try await client.count(Sold.Revenue.all) == 2)
            // The category of a product moves its lines, and empties the group of the only product in it.
            try await client.update(Sold.Product.self, key: 2) { $0.set(\.category, to: "c") }
            try await expectJoined(client)
            #expect(try await client.find(Sold.Revenue.self, key: "c")?.dearest == 2)
            try await client.update(Sold.Product.self, key: 2) { $0.set(\.category, to: "a") }
            #expect(try await client.find(Sold.Revenue.self, key: "c") == nil)
            try await client.update(Sold.Vendor.all) { $0.set(\.country, to: "IT") }
            try await expectJoined(client)
            try await client.update(Sold.Product.all) { $0.set(\.price) { $0.price * 2 } }
            try await expectJoined(client)
            // A product that lines have waited for, and one that goes from under them.
            try await client.insert(Sold.Product(id: 7, category: "z", price: 5, vendor: 1))
            try await expectJoined(client)
            #expect(try await client.find(Sold.Revenue.self, key: "z") != nil)
            try await client.update(Sold.Line.all) { $0.set(\.gift, to: nil) }
            try await client.delete(Sold.Product.self, keys: [7, 1])
            try await expectJoined(client)
            #expect(try await client.find(Sold.Revenue.self, key: "z") == nil)
            #expect(try await client.find(Sold.Label.self, key: 6)?.category == nil)
            try await client.delete(Sold.Line.all)
            #expect(try await client.count(Sold.Revenue.all) == 0)
            #expect(try await client.count(Sold.Label.all) == 0)
        }
    }

    /// Several models written in one unit, some of them twice, in savepoints of which some are undone.
    @Test(arguments: Backends.chosen)
    func followsMixedUnits(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await fill(client)
            try await client.write { transaction in
                try transaction.update(Sold.Line.self, key: 1) { $0.set(\.product, to: 3) }
                try transaction.update(Sold.Product.self, key: 3) { $0.set(\.category, to: "n") }
                #expect(try transaction.find(Sold.Revenue.self, key: "n")?.lines == 7)
                #expect(throws: Undone.self) {
                    try transaction.write { nested in
                        try nested.update(Sold.Product.self, key: 3) {
                            $0.set(\.category, to: "m")
                        }
                        #expect(try nested.find(Sold.Revenue.self, key: "n") == nil)
                        #expect(try nested.find(Sold.Label.self, key: 2)?.category == "m")
                        throw Undone()
                    }
                }
                #expect(try transaction.find(Sold.Label.self, key: 2)?.category == "n")
                try transaction.update(Sold.Product.self, key: 3) { $0.set(\.category, to: "o") }
                try transaction.delete(Sold.Line.self, keys: [2])
                try transaction.update(Sold.Product.self, key: 3) { $0.set(\.vendor, to: 2) }
            }
            try await expectJoined(client)
            #expect(try await client.find(Sold.Revenue.self, key: "n") == nil)
        }
    }

    /// Random units on all three models.
    @Test(arguments: Backends.chosen)
    func equalsItsDefinitionAfterRandomUnits(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await fill(client)
            let seed = UInt64.random(in: 0..<1_000_000)
            var random = Dice(state: seed)
            for round in 0..<60 {
                let steps = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    Step(&random)
                }
                try await client.write { transaction in
                    for step in steps {
                        if !step.isUndone {
                            try step.run(in: transaction)
                            continue
                        }
                        _ = try? transaction.write { nested in
                            try step.run(in: nested)
                            _ = try nested.count(Sold.Revenue.all)
                            throw Undone()
                        }
                    }
                }
                do {
                    try await expectJoined(client)
                } catch {
                    Issue.record("seed \(seed), round \(round), \(steps): \(error)")
                    return
                }
            }
        }
    }

    /// One write of a random program.
    private struct Step: Sendable {
        let verb: Int
        let key: Int
        let other: Int
        let word: String
        let isUndone: Bool

        init(_ random: inout Dice) {
            verb = Int.random(in: 0..<10, using: &random)
            key = Int.random(in: 1...8, using: &random)
            other = Int.random(in: 0...6, using: &random)
            word = ["a", "b", "c", "secret"].randomElement(using: &random) ?? "a"
            isUndone = Int.random(in: 0..<5, using: &random) == 0
        }

        func run(in transaction: WriteTransaction) throws {
            switch verb {
            case 0:
                try transaction.upsert(
                    Sold.Line(
                        id: key * 5,
                        product: other,
                        quantity: key,
                        gift: other > 3 ? Reference(other) : nil
                    )
                )
            case 1:
                try transaction.update(Sold.Line.where { $0.product == other }) {
                    $0.set(\.quantity) { $0.quantity + 1 }
                }
            case 2: try transaction.delete(Sold.Line.where { $0.quantity > other + 3 })
            case 3:
                try transaction.upsert(
                    Sold.Product(id: key, category: word, price: other, vendor: key % 3)
                )
            case 4:
                try transaction.update(Sold.Product.where { $0.category == word }) {
                    $0.set(\.price) { $0.price + 1 }
                }
            case 5:
                try transaction.update(Sold.Product.where { $0.price == other }) {
                    $0.set(\.category, to: word)
                }
            case 6: try transaction.delete(Sold.Product.where { $0.id == key })
            case 7: try transaction.upsert(Sold.Vendor(id: other, country: word))
            case 8: try transaction.delete(Sold.Vendor.where { $0.id == other })
            default:
                try transaction.update(Sold.Product.where { $0.id == key }) {
                    $0.set(\.vendor, to: other == 0 ? nil : other)
                }
            }
        }
    }

    /// What a view does not look at costs it nothing, and does not have it written.
    @Test(arguments: Backends.chosen)
    func writersOfAnyModelMustKeepIt(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await fill(client)
            let plain = await #expect(throws: DBClientError.self) {
                try await client.update(Sold.PlainProduct.all) { $0.set(\.category, to: "x") }
            }
            #expect(plain?.code == .schemaMismatch && plain?.entity == "SoldProduct")
            if client is SQLDBClient {
                let error = await #expect(throws: DBClientError.self) {
                    try await client.execute("UPDATE \"SoldProduct\" SET \"category\" = 'x'")
                }
                #expect(error?.code == .schemaMismatch)
            }
            try await expectJoined(client)
        }
    }

    /// The first write builds the views of all models that have some in common.
    @Test(arguments: Backends.chosen)
    func isBuiltFromAnyModel(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(
                (1...4).map {
                    Sold.PlainProduct(id: $0, category: "\($0 % 2)", price: $0, vendor: 1)
                }
            )
            let read = await #expect(throws: DBClientError.self) {
                try await client.fetch(Sold.Revenue.all)
            }
            #expect(read?.code == .migrationRequired)
            try await client.insert(Sold.Vendor(id: 1, country: "FR"))
            let plain = await #expect(throws: DBClientError.self) {
                try await client.delete(Sold.PlainProduct.all)
            }
            #expect(plain?.code == .schemaMismatch)
            try await client.insert(Sold.Line(id: 1, product: 2, quantity: 3))
            try await expectJoined(client)
            #expect(try await client.find(Sold.Revenue.self, key: "0")?.revenue == 6)
        }
    }

    @Test(arguments: Backends.chosen)
    func manyRowsOfAnyModelNeedAMigration(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(
                (1...10_001).map {
                    Sold.PlainProduct(id: $0, category: "\($0 % 9)", price: $0 % 7, vendor: 1)
                }
            )
            let write = await #expect(throws: DBClientError.self) {
                try await client.insert(Sold.Line(id: 1, product: 1, quantity: 1))
            }
            #expect(write?.code == .migrationRequired)
            let steps = [
                Migration.adapt(Sold.Line.self), .adapt(Sold.Product.self),
                .adapt(Sold.Vendor.self), .adapt(Sold.Revenue.self),
            ]
            let pending = try await client.pendingChanges(of: steps)
            #expect(pending.map(\.entity) == ["SoldVendor"])
            #expect(try await client.migrate(steps).count == 1)
            #expect(try await client.migrate(steps).isEmpty)
            try await client.insert(Sold.Line(id: 1, product: 1, quantity: 1))
            try await expectJoined(client)
            #expect(try await client.count(Sold.Revenue.all) == 1)
        }
    }

    @Test func isRefusedWhereItCannotBeKept() async throws {
        let client = InMemoryDBClient()
        let byName = await #expect(throws: DBClientError.self) {
            try await client.fetch(Unjoined.ByName.all)
        }
        #expect(byName?.code == .invalidSchema)
        #expect(byName?.message.contains("UnjoinedTree by their whole primary key") == true)
        let halfNamed = await #expect(throws: DBClientError.self) {
            try await client.insert(Unjoined.Bud(id: 1, twig: 1))
        }
        #expect(halfNamed?.code == .invalidSchema && halfNamed?.entity == "UnjoinedHalfNamed")
        #expect(halfNamed?.message.contains("UnjoinedTwig") == true)
    }

    /// A body that goes on after its view could not follow must not commit without it.
    @Test(arguments: Backends.chosen)
    func aCaughtFailureIsNotCommitted(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await fill(client)
            let error = await #expect(throws: DBClientError.self) {
                try await client.write { transaction in
                    try transaction.update(Sold.Product.self, key: 1) { $0.set(\.price, to: .max) }
                    _ = try? transaction.fetch(Sold.Revenue.all)
                }
            }
            #expect(error != nil)
            try await expectJoined(client)
        }
    }

    /// An observer of a view over a join hears of a change of the joined model.
    @Test(arguments: Backends.chosen)
    func isObserved(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await fill(client)
            var observed = client.observe(Sold.Revenue.all).makeAsyncIterator()
            _ = try await observed.next()
            try await client.update(Sold.Product.self, key: 4) { $0.set(\.category, to: "q") }
            let values = try await observed.next().map { Array($0.objects) } ?? []
            #expect(values.contains { $0.category == "q" })
            let fresh = try await client.fetch(Sold.Revenue.all)
            #expect(values == fresh)
        }
    }
}

/// Numbers that follow from a seed, as of SplitMix64.
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Expects each view over joins to be what its definition comes to.
private func expectJoined(_ client: any DBClient) async throws {
    try await client.verify(Sold.Revenue.self)
    try await client.verify(Sold.ByCountry.self)
    try await client.verify(Sold.Label.self)
    try await client.verify(Sold.Gift.self)
    let (stored, fresh) = try await client.read { transaction in
        (
            try transaction.fetch(Sold.Revenue.all.sorted { $0.category }),
            try transaction.fetch(Sold.Revenue.definition)
        )
    }
    #expect(stored == fresh)
}
