import DBClientCore
import DBClientTestSupport
import Foundation

/// Rows that are read into custom structs, by the names of their properties.
enum SelectionCases {
    static let all: [ConformanceCase] = [
        promise(.select, "fields and what is computed become properties of a struct") { client in
            try await insertSales(client)
            let lines = SoldItem.all.sorted { $0.id.descending }
                .select(into: SaleLine.self) {
                    .init(sale: $0.id, ware: $0.kind, amount: $0.price * 10)
                }
            try expectEqual(
                try await client.fetch(lines),
                [
                    SaleLine(sale: 11, ware: nil, amount: 200),
                    SaleLine(sale: 10, ware: "f", amount: 300),
                ]
            )
            try expectEqual(try await client.fetch(lines).map(\.amount), [200, 300])
            try expectEqual(try await client.fetch(lines).first?.currency, "EUR")
            try expectEqual(try client.blocking.fetch(lines).count, 2)
            try expectEqual(try await client.run(.fetch(lines)).count, 2)
        },
        promise(.select, "a join's fields and models become properties of a struct") { client in
            try await insertSales(client)
            let joined = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id }
            let lines = joined.select(into: SaleLine.self) { sale, ware in
                .init(
                    sale: sale.id,
                    ware: ware.name,
                    amount: sale.quantity * (ware.price ?? 0)
                )
            }
            try expectEqual(
                try await client.fetch(lines).map(\.ware),
                ["desk", "lamp", "desk", nil]
            )
            try expectEqual(try await client.fetch(lines).map(\.amount), [30, 40, 90, 0])
            let whole = joined.select(into: SaleOfWare.self) { sale, ware in
                .init(sale: sale, ware: ware, rank: sale.quantity)
            }
            let found = try await client.fetch(whole)
            try expectEqual(found.map(\.sale), try await client.fetch(ItemSale.all))
            try expectEqual(found.map(\.ware?.id), [10, 11, 10, nil])
            try expectEqual(found.map(\.rank), [1, 2, 3, 4])
        },
        promise(.select, "keys and functions of groups become properties of a struct") { client in
            try await insertSales(client)
            let revenue = ItemSale.where { $0.ware != nil }
                .grouped { ($0.ware, $0.buyer) }
                .select(into: WareRevenue.self) { group, keys in
                    .init(
                        ware: keys[0],
                        buyer: group.max(\.buyer),
                        revenue: group.sum { $0.quantity * 10 },
                        sales: group.count,
                        average: group.average(\.quantity)
                    )
                }
            try expectEqual(
                try await client.fetch(revenue),
                [
                    WareRevenue(ware: 10, buyer: "a", revenue: 40, sales: 2, average: 2),
                    WareRevenue(ware: 11, buyer: "b", revenue: 20, sales: 1, average: 2),
                ]
            )
            let ofJoin = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .grouped { sale, _ in sale.ware }
                .sorted { $0.sum { sale, ware in sale.quantity * ware.price } }
                .limit(1)
                .select(into: WareRevenue.self) { group, keys in
                    .init(
                        ware: keys[0],
                        buyer: group.min { sale, _ in sale.buyer },
                        revenue: group.sum { sale, ware in sale.quantity * ware.price },
                        sales: group.count,
                        average: group.average { sale, _ in sale.quantity }
                    )
                }
            try expectEqual(
                try await client.fetch(ofJoin),
                [WareRevenue(ware: 11, buyer: "b", revenue: 40, sales: 1, average: 2)]
            )
        },
        promise(.select, "totals beside groups become properties of a struct") { client in
            try await insertSales(client)
            let groups = ItemSale.all.grouped { ($0.buyer, $0.ware) }
            let totals = groups.rollup.select(into: WareTotal.self) { group, keys in
                .init(
                    buyer: keys[0],
                    ware: keys[1],
                    keys: keys.count,
                    revenue: group.sum { $0.quantity * 10 }
                )
            }
            try expectEqual(
                try await client.fetch(totals),
                [
                    WareTotal(buyer: "a", ware: 10, keys: 2, revenue: 40),
                    WareTotal(buyer: "a", ware: nil, keys: 1, revenue: 40),
                    WareTotal(buyer: "b", ware: 11, keys: 2, revenue: 20),
                    WareTotal(buyer: "b", ware: nil, keys: 1, revenue: 20),
                    // A group whose key is nil, and the total over it.
                    WareTotal(buyer: "c", ware: nil, keys: 2, revenue: 40),
                    WareTotal(buyer: "c", ware: nil, keys: 1, revenue: 40),
                    WareTotal(buyer: nil, ware: nil, keys: 0, revenue: 100),
                ]
            )
            let large = groups.having { $0.count > 1 }.rollup
                .select(into: WareTotal.self) { group, keys in
                    .init(
                        buyer: keys[0],
                        ware: group.max(\.ware),
                        keys: group.count,
                        revenue: keys.count
                    )
                }
            try expectEqual(
                try await client.fetch(large),
                [
                    WareTotal(buyer: "a", ware: 10, keys: 2, revenue: 2),
                    WareTotal(buyer: "a", ware: 10, keys: 2, revenue: 1),
                    WareTotal(buyer: nil, ware: 11, keys: 4, revenue: 0),
                ]
            )
            // The position and the type of a key.
            for refused in [
                groups.rollup.select(into: WareTotal.self) { group, keys in
                    .init(buyer: keys[2], ware: keys[1], keys: keys.count, revenue: group.count)
                },
                groups.rollup.select(into: WareTotal.self) { group, keys in
                    .init(buyer: keys[0], ware: keys[0], keys: keys.count, revenue: group.count)
                },
                groups.limit(1).rollup.select(into: WareTotal.self) { group, keys in
                    .init(buyer: keys[0], ware: keys[1], keys: keys.count, revenue: group.count)
                },
            ] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(refused) }
            }
        },
        promise(.select, "a property that has the name of a call is not hidden by it") { client in
            try await client.insert([MirroredShape(1, inverse: 2), MirroredShape(2, inverse: 2)])
            let mirrored = MirroredShape.where {
                $0.inverse == 2 && $0.inverse(of: \MirroredShape.inverse).count == 2
            }
            try expectEqual(try await client.fetch(mirrored).map(\.id), [2])
            let joined = MirroredShape.join(MirroredShape.self) { $0.inverse == $1.id }
                .select { ($0.column, $1.selection) }
            try expectEqual(try await client.fetch(joined).map(\.0), [10, 20])
            try expectEqual(try await client.fetch(joined).map(\.1), [200, 200])
        },
        promise(.select, "columns of other values are refused") { client in
            try await insertSales(client)
            var requests: [SelectRequest<SaleLine>] = []
            _ = SoldItem.where { ware in
                requests = [
                    ItemSale.all.select(into: SaleLine.self) {
                        .init(sale: $0.id, ware: ware.kind, amount: $0.id)
                    },
                    ItemSale.all.grouped { $0.buyer }.select(into: SaleLine.self) { group, _ in
                        .init(sale: group.count, ware: ware.kind, amount: group.count)
                    },
                    ItemSale.all.grouped { $0.buyer }.select(into: SaleLine.self) { group, keys in
                        .init(sale: keys[0], ware: group.max(\.buyer), amount: group.count)
                    },
                    ItemSale.all.grouped { $0.id }.select(into: SaleLine.self) { group, keys in
                        .init(sale: keys[1], ware: group.max(\.buyer), amount: group.count)
                    },
                    SoldItem.all.limit(-1).select(into: SaleLine.self) {
                        .init(sale: $0.id, ware: $0.kind, amount: $0.id)
                    },
                ]
                return .constant(true)
            }
            try expectEqual(requests.count, 5)
            for request in requests {
                try await expectError(.invalidRequest) { _ = try await client.fetch(request) }
            }
        },
    ]

    private static func insertSales(_ client: any DBClient) async throws {
        try await client.insert([
            SoldItem(10, "desk", kind: "f", price: 30), SoldItem(11, "lamp", price: 20),
        ])
        try await client.insert([
            ItemSale(1, ware: 10, buyer: "a", quantity: 1),
            ItemSale(2, ware: 11, buyer: "b", quantity: 2),
            ItemSale(3, ware: 10, buyer: "a", quantity: 3),
            ItemSale(4, ware: nil, buyer: "c", quantity: 4),
        ])
    }
}
