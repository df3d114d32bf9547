import DBClientCore
import Foundation

/// Selections made of the rows that other selections give.
enum SelectionSetCases {
    static let all: [ConformanceCase] = [
        promise(.requests, "rows of selections of several models are united, each once") { client in
            try await insertSales(client)
            let wares = SoldItem.all.sorted { $0.price.descending }.select(\.name)
            let buyers = ItemSale.all.select(\.buyer)
            try expectEqual(
                try await client.fetch(wares.union(buyers)),
                ["pen", "Ink", "ink", "Ada", "Ben"]
            )
            try expectEqual(
                try await client.fetch(buyers.union(wares)),
                ["Ada", "pen", "Ben", "Ink", "ink"]
            )
            try expectEqual(try await client.fetch(wares.intersection(buyers)), ["pen"])
            try expectEqual(try await client.fetch(buyers.intersection(wares)), ["pen"])
            try expectEqual(try await client.fetch(buyers.subtracting(wares)), ["Ada", "Ben"])
            try expectEqual(try await client.fetch(wares.subtracting(wares)), [])
            try expectEqual(try client.blocking.fetch(buyers.union(buyers)), ["Ada", "pen", "Ben"])
        },
        promise(.requests, "selections are combined with their own limits, and again") { client in
            try await insertSales(client)
            let first = ItemSale.all.limit(2).select(\.buyer)
            let last = ItemSale.all.sorted { $0.id.descending }.limit(2).select(\.buyer)
            try expectEqual(try await client.fetch(first.union(last)), ["Ada", "pen", "Ben"])
            let names = SoldItem.all.select(\.name)
            try expectEqual(
                try await client.fetch(first.union(last).subtracting(names)),
                ["Ada", "Ben"]
            )
            try expectEqual(
                try await client.fetch(names.subtracting(first.union(last))),
                ["Ink", "ink"]
            )
            try expectEqual(
                try await client.fetch(names.union(first).intersection(last.union(names))),
                ["pen", "Ink", "ink", "Ada"]
            )
            try expectEqual(
                try await client.fetch(first.subtracting(names).union(names.intersection(first))),
                ["Ada", "pen"]
            )
        },
        promise(.joins, "tuples of joins, of what is computed and of groups are compared whole") {
            client in
            try await insertSales(client)
            let sold = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .select { sale, item in (item.id, item.kind, sale.quantity * item.price) }
            let listed = SoldItem.all.select { ($0.id, $0.kind, $0.price * 2) }
            try expectEqual(rows(try await client.fetch(sold)), ["1 – 6", "2 b 8", "1 – 6"])
            try expectEqual(rows(try await client.fetch(listed)), ["1 – 6", "2 b 4", "3 b 2"])
            try expectEqual(
                rows(try await client.fetch(sold.union(listed))),
                ["1 – 6", "2 b 8", "2 b 4", "3 b 2"]
            )
            try expectEqual(rows(try await client.fetch(sold.intersection(listed))), ["1 – 6"])
            try expectEqual(
                rows(try await client.fetch(listed.subtracting(sold))),
                ["2 b 4", "3 b 2"]
            )
            let wares = ItemSale.all.grouped { $0.ware }
            try expectEqual(
                try await client.fetch(
                    wares.keys.subtracting(SoldItem.where { $0.id > 1 }.select { $0.whole })
                ),
                [1, 2]
            )
            let many = wares.having { $0.count > 1 }.select(.sum(\.quantity))
            let totals = wares.select(.sum(\.quantity))
            let rest = try await client.fetch(totals.subtracting(many))
            try expectEqual(rest.map(\.key), [nil, 2])
            try expectEqual(rest.map(\.values), [5, 4])
            let both = try await client.fetch(
                wares.sorted { $0.sum(\.quantity).descending }.select(.sum(\.quantity))
                    .intersection(many)
            )
            try expectEqual(both.map(\.key), [1])
        },
        promise(.requests, "both selections are of one snapshot, also in a write") { client in
            try await insertSales(client)
            let names = SoldItem.all.select(\.name).union(ItemSale.all.select(\.buyer))
            let seen = try await client.write { transaction in
                try transaction.delete(SoldItem.where { $0.name == "Ink" })
                try transaction.insert(ItemSale(9, ware: 2, buyer: "Cyd"))
                return try transaction.fetch(names)
            }
            try expectEqual(seen, ["pen", "ink", "Ada", "Ben", "Cyd"])
        },
        promise(.requests, "rows that are more than selected fields are not combined") { client in
            try await insertSales(client)
            let names = SoldItem.all.select(\.name)
            let mapped = names.map { $0.uppercased() }
            for request in [names.union(mapped), mapped.intersection(names)] {
                try await expectError(.unsupported) { _ = try await client.fetch(request) }
            }
            try expectEqual(
                try await client.fetch(names.subtracting(names.intersection(names)).map { $0 }),
                []
            )
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(names.union(SoldItem.all.limit(-1).select(\.name)))
            }
        },
    ]

    private static func rows(_ rows: [(Int, String?, Int)]) -> [String] {
        rows.map { "\($0.0) \($0.1 ?? "–") \($0.2)" }
    }

    private static func insertSales(_ client: any DBClient) async throws {
        try await client.insert([
            SoldItem(1, "pen", price: 3), SoldItem(2, "Ink", kind: "b", price: 2),
            SoldItem(3, "ink", kind: "b", price: 1),
        ])
        try await client.insert([
            ItemSale(1, ware: 1, buyer: "Ada", quantity: 2),
            ItemSale(2, ware: 2, buyer: "pen", quantity: 4),
            ItemSale(3, ware: 1, buyer: "Ada", quantity: 2),
            ItemSale(4, ware: nil, buyer: "Ben", quantity: 5),
        ])
    }
}
