import DBClientCore
import DBClientTestSupport
import Foundation

/// What a selected row gets from the rows that are like it.
enum WindowCases {
    static let all: [ConformanceCase] = functions + uses + [probe]

    private static let functions: [ConformanceCase] = [
        promise(.select, "ranks among the rows that are alike in a field") { client in
            try await insertSales(client)
            let rows = try await client.fetch(
                ItemSale.all.select { sale in
                    let buyer = Window(of: sale, by: sale.buyer).sorted(
                        by: sale.quantity.descending
                    )
                    return (sale.id, buyer.rowNumber, buyer.rank, buyer.denseRank)
                }
            )
            try expectEqual(rows.map(\.0), [1, 2, 3, 4, 5, 6, 7])
            try expectEqual(rows.map(\.1), [3, 1, 2, 2, 1, 4, 1])
            try expectEqual(rows.map(\.2), [3, 1, 1, 2, 1, 4, 1])
            try expectEqual(rows.map(\.3), [2, 1, 1, 2, 1, 3, 1])
            let unsorted = try await client.fetch(
                ItemSale.all.sorted { $0.id.descending }.select { sale in
                    (Window(of: sale).rowNumber, Window(of: sale, by: sale.buyer).rank)
                }
            )
            try expectEqual(unsorted.map(\.0), [1, 2, 3, 4, 5, 6, 7])
            try expectEqual(unsorted.map(\.1), [1, 1, 1, 1, 1, 1, 1])
        },
        promise(.select, "what rows come to up to one of them, or all of them") { client in
            try await insertSales(client)
            let rows = try await client.fetch(
                ItemSale.all.select { sale in
                    let day = Window(of: sale).sorted(by: sale.day)
                    return (
                        day.sum(sale.quantity), day.count, day.average(sale.quantity),
                        day.min(sale.ware), day.max(sale.ware)
                    )
                }
            )
            // In the order of the days: 3, 1, 2, 4, 5, 6, 7.
            try expectEqual(rows.map(\.0), [6, 10, 4, 11, 16, 16, 17])
            try expectEqual(rows.map(\.1), [2, 3, 1, 4, 5, 6, 7])
            try expectEqual(rows.map(\.2), [3, 10.0 / 3, 4, 2.75, 3.2, 16.0 / 6, 17.0 / 7])
            try expectEqual(rows.map(\.3), [10, 10, 10, 10, 10, 10, 10])
            try expectEqual(rows.map(\.4), [10, 11, 10, 11, 12, 12, 12])
            let whole = try await client.fetch(
                ItemSale.all.select { sale in
                    let buyer = Window(of: sale, by: sale.buyer)
                    return (
                        buyer.sum(sale.quantity), buyer.count, buyer.share(of: sale.quantity),
                        Window(of: sale, by: sale.ware).sum(sale.quantity * 2)
                    )
                }
            )
            try expectEqual(whole.map(\.0), [10, 10, 10, 6, 6, 10, 1])
            try expectEqual(whole.map(\.1), [4, 4, 4, 2, 2, 4, 1])
            try expectEqual(whole.map(\.2), [0.2, 0.4, 0.4, 1.0 / 6, 5.0 / 6, 0, 1])
            try expectEqual(whole.map(\.3), [12, 8, 12, 4, 10, 4, 4])
        },
        promise(.select, "values of the rows before and after, and at the ends") { client in
            try await insertSales(client)
            let rows = try await client.fetch(
                ItemSale.all.select { sale in
                    let buyer = Window(of: sale, by: sale.buyer).sorted(by: sale.day)
                    return (
                        buyer.lag(sale.id), buyer.lead(sale.id, by: 2), buyer.first(sale.ware),
                        buyer.last(sale.buyer), buyer.lag(sale.id, by: .min)
                    )
                }
            )
            // a: 3, 1, 2, 6; b: 4, 5; c: 7.
            try expectEqual(rows.map(\.0), [3, 1, nil, nil, 4, 2, nil])
            try expectEqual(rows.map(\.1), [6, nil, 2, nil, nil, nil, nil])
            try expectEqual(rows.map(\.2), [10, 10, 10, nil, nil, 10, nil])
            try expectEqual(rows.map(\.3), ["a", "a", "a", "b", "b", "a", "c"])
            try expectEqual(rows.map(\.4), [nil, nil, nil, nil, nil, nil, nil])
        },
    ]

    private static let uses: [ConformanceCase] = [
        promise(.select, "windows are of all rows that fulfil the condition, whatever the limit") {
            client in
            try await insertSales(client)
            let some = ItemSale.where { $0.quantity > 0 }.sorted { $0.id.descending }
            let request = some.limit(2).offset(1).select { sale in
                (sale.id, Window(of: sale).count, Window(of: sale).sorted(by: sale.id).rowNumber)
            }
            let rows = try await client.fetch(request)
            try expectEqual(rows.map(\.0), [5, 4])
            try expectEqual(rows.map(\.1), [6, 6])
            try expectEqual(rows.map(\.2), [5, 4])
            try expectEqual(
                try await client.fetch(some.limit(0).select { Window(of: $0).count }).count,
                0
            )
            try expectEqual(
                try await client.fetch(some.offset(9).limit(.max).select { Window(of: $0).count })
                    .count,
                0
            )
        },
        promise(.select, "windows over joined models") { client in
            try await insertSales(client)
            try await client.insert([
                SoldItem(10, "desk", price: 30), SoldItem(11, "lamp", price: 10),
            ])
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let rows = try await client.fetch(
                lines.select { sale, ware in
                    let same = Window(of: sale, by: ware.name).sorted(by: sale.quantity)
                    return (sale.id, ware, same.rank, same.sum(sale.quantity * ware.price))
                }
            )
            try expectEqual(rows.map(\.0), [1, 2, 3])
            try expectEqual(rows.map(\.1.name), ["desk", "lamp", "desk"])
            try expectEqual(rows.map(\.2), [1, 1, 2])
            try expectEqual(rows.map(\.3), [60, 40, 180])
        },
        promise(.select, "what has no meaning over a window is refused") { client in
            try await insertSales(client)
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(ItemSale.where { Window(of: $0).rowNumber < 3 })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(ItemSale.all.sorted { Window(of: $0).count })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    ItemSale.all.grouped { Window(of: $0).rowNumber }.select(.count)
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(ItemSale.all.select { Window(of: $0).rowNumber + 1 })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    ItemSale.all.select { Window(of: $0).sum(Window(of: $0).rowNumber) }
                )
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    ItemSale.all.select { Window(of: $0).sum($0.quantity * (Int.max / 8)) }
                )
            }
        },
    ]

    private static let probe = promise(.select, "random windows are as loops have them") { client in
        let random = RandomSource(seed: 71)
        for _ in 0..<6 {
            let sales = (0..<random.below(20)).map {
                ItemSale(
                    $0,
                    ware: random.chance(30) ? nil : random.below(4),
                    buyer: ["", "a", "B"][random.below(3)],
                    quantity: random.below(4)
                )
            }
            try await client.deleteAll(ItemSale.self)
            try await client.insert(sales)
            for _ in 0..<8 {
                let (isDescending, nilsFirst) = (random.chance(50), random.chance(50))
                let found = try await client.fetch(
                    ItemSale.all.select { sale in
                        let ware = isDescending ? sale.ware.descending : sale.ware.ascending
                        let window = Window(of: sale, by: sale.buyer)
                            .sorted(by: nilsFirst ? ware.nilsFirst : ware.nilsLast)
                        return (
                            window.rowNumber, window.rank, window.sum(sale.ware),
                            window.lag(sale.quantity), window.denseRank
                        )
                    }
                )
                for (index, sale) in sales.enumerated() {
                    var window = sales.filter { $0.buyer == sale.buyer }
                    window.sort { left, right in
                        if left.ware == right.ware { return left.id < right.id }
                        guard let own = left.ware else { return nilsFirst }
                        guard let other = right.ware else { return !nilsFirst }
                        return isDescending ? own > other : own < other
                    }
                    let place = window.firstIndex { $0.id == sale.id } ?? 0
                    let peer = window.firstIndex { $0.ware == sale.ware } ?? 0
                    let before = window[..<peer].map(\.ware)
                    try expectEqual(found[index].0, place + 1)
                    try expectEqual(found[index].1, peer + 1)
                    try expectEqual(
                        found[index].2,
                        window[...place].compactMap(\.ware).reduce(0, +)
                    )
                    try expectEqual(found[index].3, place == 0 ? nil : window[place - 1].quantity)
                    try expectEqual(found[index].4, Set(before).count + 1)
                }
            }
        }
    }

    private static func insertSales(_ client: any DBClient) async throws {
        try await client.insert([
            ItemSale(1, ware: 10, buyer: "a", quantity: 2, day: 3),
            ItemSale(2, ware: 11, buyer: "a", quantity: 4, day: 9),
            ItemSale(3, ware: 10, buyer: "a", quantity: 4, day: 1),
            ItemSale(4, ware: nil, buyer: "b", quantity: 1, day: 33),
            ItemSale(5, ware: 12, buyer: "b", quantity: 5, day: 40),
            ItemSale(6, ware: nil, buyer: "a", quantity: 0, day: 41),
            ItemSale(7, ware: nil, buyer: "c", quantity: 1, day: 62),
        ])
    }
}
