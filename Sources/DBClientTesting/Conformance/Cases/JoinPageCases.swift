import DBClientCore
import DBClientTestSupport
import Foundation

/// Pages of joins by the row before them, and rows that joins insert.
enum JoinPageCases {
    static let all: [ConformanceCase] = [
        promise(.joins, "pages of a join continue after a row, in any order") { client in
            let random = RandomSource(seed: 12)
            for _ in 0..<4 {
                let (wares, sales) = random.rows()
                try await client.deleteAll(SoldItem.self)
                try await client.deleteAll(ItemSale.self)
                try await client.insert(wares)
                try await client.insert(sales)
                let left = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id }
                for join in [
                    left, left.sorted { _, ware in ware.kind },
                    left.sorted { _, ware in ware.kind.descending },
                    left.sorted { sale, ware in [ware.price.descending, sale.quantity] },
                    left.sorted { sale, ware in (ware.price ?? 3) * sale.quantity },
                    left.filter { sale, _ in sale.quantity > 1 }.sorted { _, ware in ware.name },
                ] {
                    let whole = try await client.fetch(join)
                    try expectEqual(
                        try await pages(of: join, size: random.below(4) + 1, client) {
                            "\($0.0.id) \($0.1?.id ?? -1)"
                        },
                        whole.map { "\($0.0.id) \($0.1?.id ?? -1)" }
                    )
                }
                let triples = SoldItem.join(ItemSale.self) { $0.id == $1.ware }
                    .join(SoldItem.self) { ware, _, other in ware.price <= other.price }
                for join in [triples, triples.sorted { _, _, other in other.name.descending }] {
                    let whole = try await client.fetch(join)
                    try expectEqual(
                        try await pages(of: join, size: 5, client) {
                            "\($0.0.id) \($0.1.id) \($0.2.id)"
                        },
                        whole.map { "\($0.0.id) \($0.1.id) \($0.2.id)" }
                    )
                }
            }
        },
        promise(.joins, "a page of a join drops the offset and needs no stored value") { client in
            try await client.insert((1...4).map { SoldItem($0, "w", price: $0) })
            try await client.insert((1...4).map { ItemSale($0, ware: $0) })
            let join = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .sorted { _, ware in ware.price.descending }
            let place = (ItemSale(9, ware: nil), SoldItem(9, "", price: 3))
            try expectEqual(
                try await client.fetch(join.offset(2).limit(2).after(place)).map(\.0.id),
                [2, 1]
            )
            let natural = join.sorted { _, ware in (ware.name + "!").natural }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(natural.after(place))
            }
        },
        promise(.insert, "rows of a join are inserted inside the store") { client in
            try await client.insert((1...3).map { SoldItem($0, "w\($0)", price: $0 * 10) })
            try await client.insert([
                ItemSale(1, ware: 1, quantity: 2), ItemSale(2, ware: 3, quantity: 4),
                ItemSale(3, ware: nil), ItemSale(4, ware: 9),
            ])
            let join = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let count = try await client.insert(SoldItem.self, from: join) { ware, row in
                ware.set(\.id, to: row.0.id + 100)
                ware.set(\.name, to: row.1.name)
                ware.set(\.price, to: row.0.quantity * row.1.price)
                ware.set(\.whole, to: row.1.id)
            }
            try expectEqual(count, 2)
            try expectEqual(
                try await client.fetch(SoldItem.where { $0.id > 100 }),
                [
                    SoldItem(101, "w1", price: 20, whole: 1),
                    SoldItem(102, "w3", price: 120, whole: 3),
                ]
            )
            // Of what a left join has not found, nil.
            let left = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id }
                .filter { sale, _ in sale.id > 2 }
            let made = try client.blocking.insert(ItemSale.self, from: left) { sale, row in
                sale.set(\.id, to: row.0.id + 10)
                sale.set(\.ware, to: row.1.id)
                sale.set(\.buyer, to: "left")
                sale.set(\.quantity, to: row.0.quantity)
                sale.set(\.day, to: row.0.day)
            }
            try expectEqual(made, 2)
            try expectEqual(
                try await client.fetch(ItemSale.where { $0.id > 10 }),
                [ItemSale(13, ware: nil, buyer: "left"), ItemSale(14, ware: nil, buyer: "left")]
            )
        },
        promise(.insert, "an insertion from a join that fails leaves nothing") { client in
            try await client.insert((1...3).map { SoldItem($0, "w\($0)") })
            try await client.insert([ItemSale(1, ware: 1), ItemSale(2, ware: 3)])
            let join = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            try await expectError(.duplicateKey) {
                try await client.insert(SoldItem.self, from: join) { ware, row in
                    ware.set(\.id, to: row.1.id + 1)
                    ware.set(\.name, to: row.1.name)
                    ware.set(\.price, to: 7)
                }
            }
            try expectEqual(try await client.count(SoldItem.all), 3)
            let operation = DBOperation.insert(SoldItem.self, from: join) { ware, row in
                ware.set(\.id, to: row.1.id + 10)
                ware.set(\.name, to: row.1.name)
                ware.set(\.price, to: 7)
            }
            try expectEqual(try await client.run(operation), 2)
            try expectEqual(
                try await client.fetch(SoldItem.where { $0.price == 7 }).map(\.id),
                [11, 13]
            )
        },
    ]

    /// Fetches a join page by page.
    private static func pages<Rows: JoinedRows>(
        of join: JoinRequest<Rows>,
        size: Int,
        _ client: any DBClient,
        _ shown: (Rows.Values) -> String
    ) async throws -> [String] {
        var found: [String] = []
        var page = try await client.fetch(join.limit(size))
        while let last = page.last {
            found += page.map(shown)
            if found.count > 1_000 { break }
            page = try await client.fetch(join.after(last).limit(size))
        }
        return found
    }
}

extension RandomSource {
    fileprivate func rows() -> ([SoldItem], [ItemSale]) {
        (
            (0..<below(9)).map { id in
                SoldItem(
                    id,
                    ["", "a", "b", "é"][below(4)],
                    kind: chance(40) ? nil : ["x", "y"][below(2)],
                    price: below(4)
                )
            },
            (0..<below(16)).map { id in
                ItemSale(id, ware: chance(25) ? nil : below(9), quantity: below(4))
            }
        )
    }
}
