import DBClientCore
import DBClientTestSupport
import Foundation

/// Conditions with requests inside: fields that are among the values of another request, and requests that find a row.
enum SubqueryCases {
    static let all: [ConformanceCase] = membership + existence + edges + [probe]

    private static let membership: [ConformanceCase] = [
        promise(.conditions, "a field is among the values of another request's field") { client in
            try await insertSales(client)
            let dear = SoldItem.where { $0.price > 20 }.select(\.id)
            let sales = ItemSale.where { $0.ware.isIn(dear) }
            try expectEqual(try await client.fetch(sales).map(\.id), [1, 3, 5])
            try expectEqual(try await client.count(sales), 3)
            let others = ItemSale.where { !$0.ware.isIn(dear) && $0.quantity > 1 }
            try expectEqual(try await client.fetch(others).map(\.id), [2, 4])
            let sold = SoldItem.where {
                $0.id.isIn(ItemSale.where { $0.quantity > 2 }.select(\.ware))
            }
            try expectEqual(try await client.fetch(sold).map(\.id), [10])
            // Of the same model.
            let wholes = SoldItem.where { $0.id.isIn(SoldItem.all.select(\.whole)) }
            try expectEqual(try await client.fetch(wholes).map(\.id), [10, 11])
            // Inside of one another.
            let parts = SoldItem.where {
                $0.whole.isIn(
                    SoldItem.where { $0.id.isIn(ItemSale.all.select(\.ware)) }.select(\.id)
                )
            }
            try expectEqual(try await client.fetch(parts.sorted { $0.name }).map(\.id), [13, 11])
        },
        promise(.conditions, "nil is among no values of another request") { client in
            try await insertSales(client)
            let all = ItemSale.where { $0.ware.isIn(ItemSale.all.select(\.ware)) }
            try expectEqual(try await client.fetch(all).map(\.id), [1, 2, 3, 5, 6])
            let none = ItemSale.where { !$0.ware.isIn(ItemSale.where { $0.id < 0 }.select(\.ware)) }
            try expectEqual(try await client.count(none), 6)
        },
        promise(.conditions, "a reference is among keys, in writes as well") { client in
            try await client.insert([
                Studio(1, "Marvel", founded: 1939), Studio(2, "Image", founded: 1992),
            ])
            try await client.insert([
                Imprint(1, "a"), Imprint(2, "b"),
            ])
            let old = Studio.where { $0.founded < 1950 }.select(\.id)
            let imprints = Imprint.where { $0.studio.isIn(old) }
            try expectEqual(try await client.fetch(imprints).map(\.motto), ["a"])
            try expectEqual(try await client.update(imprints) { $0.set(\.motto, to: "c") }, 1)
            try expectEqual(try await client.fetch(Imprint.all).map(\.motto), ["c", "b"])
            try expectEqual(try await client.delete(imprints), 1)
            try expectEqual(try await client.fetch(Imprint.all).map(\.motto), ["b"])
        },
    ]

    private static let existence: [ConformanceCase] = [
        promise(.conditions, "values of another request belong to a value") { client in
            try await insertSales(client)
            let sold = SoldItem.where { ware in ItemSale.all.exists { $0.ware == ware.id } }
            try expectEqual(try await client.fetch(sold).map(\.id), [10, 11, 12])
            let much = SoldItem.where { ware in
                ItemSale.where { $0.quantity > 1 }.exists { sale in sale.ware == ware.id }
                    && ware.price < 25
            }
            try expectEqual(try await client.fetch(much).map(\.id), [11])
            let rest = SoldItem.where { ware in
                !ItemSale.where { $0.quantity > 1 }.exists { ware.id == $0.ware }
            }
            try expectEqual(try await client.fetch(rest).map(\.id), [12, 13])
            let twice = SoldItem.where { ware in ItemSale.all.count { $0.ware == ware.id } == 2 }
            try expectEqual(try await client.fetch(twice).map(\.id), [10])
            let few = SoldItem.where { ware in
                ItemSale.where { $0.buyer == "a" }.count { $0.ware == ware.id } < 1
            }
            try expectEqual(try await client.fetch(few).map(\.id), [11, 12, 13])
            // Of the same model: a ware that is a whole.
            let wholes = SoldItem.where { whole in SoldItem.all.exists { $0.whole == whole.id } }
            try expectEqual(try await client.fetch(wholes).map(\.id), [10, 11])
            // By two fields.
            try await client.insert(ItemSale(7, ware: 13, quantity: 1))
            let alike = SoldItem.where { ware in
                ItemSale.where { $0.id > 6 }
                    .exists { sale in sale.ware == ware.id && ware.price == sale.quantity }
            }
            try expectEqual(try await client.fetch(alike).map(\.id), [13])
            // By two fields of one model.
            let same = SoldItem.where { ware in
                SoldItem.where { $0.price > 10 }
                    .exists { $0.whole == ware.whole && $0.kind == ware.kind }
            }
            try expectEqual(try await client.fetch(same).map(\.id), [11])
            let pairs = SoldItem.where { ware in
                SoldItem.all.exists { $0.kind == ware.kind && $0.id == ware.id }
            }
            try expectEqual(try await client.fetch(pairs).map(\.id), [10, 11])
        },
        promise(
            .conditions,
            "an observer is told when what belongs to a value changes",
            requires: [.observation]
        ) { client in
            try await insertSales(client)
            let sold = SoldItem.where { ware in ItemSale.all.exists { $0.ware == ware.id } }
            var found = client.observe(sold).makeAsyncIterator()
            try expectEqual(try await found.next()?.objects.map(\.id), [10, 11, 12])
            try await client.insert(ItemSale(7, ware: 13))
            try expectEqual(try await found.next()?.objects.map(\.id), [10, 11, 12, 13])
            try await client.delete(ItemSale.where { $0.ware == 10 })
            try expectEqual(try await found.next()?.objects.map(\.id), [11, 12, 13])
        },
        promise(.conditions, "requests inside of conditions on joined rows and of updates") {
            client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .filter { _, ware in
                    ware.whole.isIn(SoldItem.where { $0.name == "desk" }.select(\.id))
                }
            try expectEqual(try await client.fetch(lines).map(\.0.id), [2])
            let unsold = SoldItem.where { ware in !ItemSale.all.exists { $0.ware == ware.id } }
            try expectEqual(try await client.update(unsold) { $0.set(\.price, to: 0) }, 1)
            try expectEqual(try await client.find(SoldItem.self, key: 13)?.price, 0)
            try expectEqual(try await client.delete(unsold), 1)
        },
    ]

    private static let edges: [ConformanceCase] = [
        promise(.conditions, "a request inside a condition that cannot be asked is refused") {
            client in
            try await insertSales(client)
            for ids in [
                SoldItem.all.select { $0.id + 1 },
                ItemSale.join(SoldItem.self) { $0.ware == $1.id }.select { $1.id },
            ] {
                try await expectError(.unsupported) {
                    _ = try await client.fetch(ItemSale.where { $0.ware.isIn(ids) })
                }
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    SoldItem.where { ware in ItemSale.all.limit(-1).exists { $0.ware == ware.id } }
                )
            }
            // Both sides are of the inner value, or of the outer one.
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    SoldItem.where { ware in
                        SoldItem.all.exists { other in other.whole == other.id }
                            && ware.id > 0
                    }
                )
            }
        },
        promise(.conditions, "a table that is not there yet has nothing that belongs") { client in
            try await client.insert(SoldItem(1, "a"))
            let sold = SoldItem.where { ware in ItemSale.all.exists { $0.ware == ware.id } }
            try expectEqual(try await client.count(sold), 0)
            let rest = SoldItem.where { !$0.id.isIn(ItemSale.all.select(\.ware)) }
            try expectEqual(try await client.count(rest), 1)
        },
        promise(.conditions, "what may have no answer inside of a request") { client in
            try await insertSales(client)
            let all = SoldItem.where { ware in
                ItemSale.where { 12 / ($0.quantity - 4) < 0 }.exists { $0.ware == ware.id }
            }
            try await expectError(.invalidValue) { _ = try await client.fetch(all) }
            let some = SoldItem.where { ware in
                ItemSale.where { $0.quantity != 4 && 12 / ($0.quantity - 4) < 0 }
                    .exists { $0.ware == ware.id }
            }
            try expectEqual(try await client.fetch(some).map(\.id), [10, 11, 12])
        },
    ]

    private static let probe = promise(.conditions, "random requests inside of conditions") {
        client in
        let random = RandomSource(seed: 53)
        for _ in 0..<5 {
            let wares = (0..<random.below(12)).map {
                SoldItem(
                    $0,
                    "w",
                    price: random.below(5),
                    whole: random.chance(50) ? nil : random.below(12)
                )
            }
            let sales = (0..<random.below(20)).map {
                ItemSale(
                    $0,
                    ware: random.chance(25) ? nil : random.below(12),
                    quantity: random.below(4)
                )
            }
            try await client.deleteAll(SoldItem.self)
            try await client.deleteAll(ItemSale.self)
            try await client.insert(wares)
            try await client.insert(sales)
            for _ in 0..<12 {
                let (quantity, price, number) = (random.below(4), random.below(5), random.below(3))
                let some = sales.filter { $0.quantity >= quantity }
                let inner = ItemSale.where { $0.quantity >= quantity }
                let isIn = SoldItem.where { $0.id.isIn(inner.select(\.ware)) || $0.price == price }
                try expectEqual(
                    try await client.fetch(isIn).map(\.id),
                    wares.filter { ware in
                        some.contains { $0.ware == ware.id } || ware.price == price
                    }
                    .map(\.id)
                )
                let count = SoldItem.where { ware in
                    inner.filter { $0.id != price }.count { $0.ware == ware.id } <= number
                        && !SoldItem.where { $0.price > price }.exists { $0.whole == ware.id }
                }
                try expectEqual(
                    try await client.fetch(count).map(\.id),
                    wares.filter { ware in
                        some.count { $0.ware == ware.id && $0.id != price } <= number
                            && !wares.contains { $0.price > price && $0.whole == ware.id }
                    }
                    .map(\.id)
                )
            }
        }
    }

    private static func insertSales(_ client: any DBClient) async throws {
        try await client.insert([
            SoldItem(10, "desk", kind: "f", price: 30),
            SoldItem(11, "lamp", kind: "f", price: 20, whole: 10),
            SoldItem(12, "chair", price: 200), SoldItem(13, "bulb", price: 1, whole: 11),
        ])
        try await client.insert([
            ItemSale(1, ware: 10, buyer: "a", quantity: 1),
            ItemSale(2, ware: 11, buyer: "b", quantity: 2),
            ItemSale(3, ware: 10, buyer: "a", quantity: 3),
            ItemSale(4, ware: nil, buyer: "c", quantity: 4),
            ItemSale(5, ware: 12, buyer: "b", quantity: 1),
            ItemSale(6, ware: 99, buyer: "a", quantity: 1),
        ])
    }
}
