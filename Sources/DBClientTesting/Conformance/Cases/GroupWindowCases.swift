import DBClientCore
import Foundation

/// What groups get from one another: ranks, shares and running sums.
enum GroupWindowCases {
    static let all: [ConformanceCase] = places + parts + values + refusals

    private static func report(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(.grouping, name, requires: [.aggregates], run: run)
    }

    private static let places: [ConformanceCase] = [
        report("the best groups have the share of all, whatever the limit") { client in
            try await insertSales(client)
            let best = ItemSale.all.grouped(by: \.buyer).sorted { $0.sum(\.quantity).descending }
                .limit(2)
                .select { group in
                    let sold = group.sum(\.quantity)
                    let all = group.window()
                    return (sold, all.share(of: sold), all.sum(sold), all.count)
                }
            let rows = try await client.fetch(best)
            try expectEqual(rows.map(\.key), ["c", "a"])
            try expectEqual(rows.map(\.values.0), [9, 6])
            try expectEqual(rows.map(\.values.1), [9.0 / 20, 6.0 / 20])
            try expectEqual(rows.map(\.values.2), [20, 20])
            try expectEqual(rows.map(\.values.3), [4, 4])
            let shares = ItemSale.all.grouped(by: \.buyer)
                .select { $0.window().share(of: $0.sum(\.quantity)) }
            try expectEqual(
                try await client.fetch(shares).map(\.values),
                [0.3, 0.25, 0.45, 0]
            )
        },
        report("groups that are alike have one rank") { client in
            try await insertSales(client)
            let ranks = ItemSale.all.grouped(by: \.buyer).select { group in
                let largest = group.window().sorted(by: group.count.descending)
                return (largest.rank, largest.denseRank, largest.rowNumber, largest.count)
            }
            let rows = try await client.fetch(ranks)
            try expectEqual(rows.map(\.key), ["a", "b", "c", "d"])
            try expectEqual(rows.map(\.values.0), [1, 2, 2, 4])
            try expectEqual(rows.map(\.values.1), [1, 2, 2, 3])
            try expectEqual(rows.map(\.values.2), [1, 2, 3, 4])
            try expectEqual(rows.map(\.values.3), [1, 2, 3, 4])
            // Those that are alike come in the request's order.
            let reversed = ItemSale.all.grouped(by: \.buyer)
                .sorted { _, keys in keys[0].descending }.offset(1).limit(2)
                .select { $0.window().sorted(by: $0.count.descending).rowNumber }
            let places = try await client.fetch(reversed)
            try expectEqual(places.map(\.key), ["c", "b"])
            try expectEqual(places.map(\.values), [2, 3])
        },
        report("windows are of the groups that fulfil a condition") { client in
            try await insertSales(client)
            let request = ItemSale.all.grouped(by: \.buyer).having { $0.count > 1 }.select {
                group in
                let sold = group.sum(\.quantity)
                return (group.window().share(of: sold), group.window().count)
            }
            let rows = try await client.fetch(request)
            try expectEqual(rows.map(\.key), ["a", "b", "c"])
            try expectEqual(rows.map(\.values.0), [6.0 / 20, 5.0 / 20, 9.0 / 20])
            try expectEqual(rows.map(\.values.1), [3, 3, 3])
            let none = ItemSale.where { $0.id > 100 }.grouped(by: \.buyer)
                .select { $0.window().rank }
            try expectEqual(try await client.fetch(none).count, 0)
        },
    ]

    private static let parts: [ConformanceCase] = [
        report("windows of groups with one key in common, in the order of another") { client in
            try await insertSales(client)
            let months = ItemSale.all.grouped { ($0.buyer, $0.day.month) }.select { group in
                let buyer = group.window(by: group.key(0)).sorted(by: group.key(1))
                let sold = group.sum(\.quantity)
                return (
                    sold, buyer.sum(sold), buyer.lag(sold), buyer.lead(sold), buyer.first(sold),
                    buyer.last(sold)
                )
            }
            let rows = try await client.fetch(months)
            try expectEqual(rows.map(\.key.0), ["a", "b", "b", "c", "c", "d"])
            try expectEqual(rows.map(\.key.1), [1, 1, 2, 2, 3, 2])
            try expectEqual(rows.map(\.values.0), [6, 2, 3, 4, 5, 0])
            try expectEqual(rows.map(\.values.1), [6, 2, 5, 4, 9, 0])
            try expectEqual(rows.map(\.values.2), [nil, nil, 2, nil, 4, nil])
            try expectEqual(rows.map(\.values.3), [nil, 3, nil, 5, nil, nil])
            try expectEqual(rows.map(\.values.4), [6, 2, 2, 4, 4, 0])
            try expectEqual(rows.map(\.values.5), [6, 3, 3, 5, 5, 0])
        },
        report("an absent key is a part of its own, and a window is of equal aggregates too") {
            client in
            try await insertSales(client)
            let request = ItemSale.all.grouped { ($0.ware, $0.buyer) }.select { group in
                let sold = group.sum(\.quantity)
                return (group.window(by: group.key(0)).count, group.window(by: sold).count)
            }
            let rows = try await client.fetch(request)
            try expectEqual(rows.map(\.key.0), [nil, nil, 10, 11, 11, 12, 99])
            try expectEqual(rows.map(\.key.1), ["b", "c", "a", "a", "b", "c", "d"])
            try expectEqual(rows.map(\.values.0), [2, 2, 1, 2, 2, 1, 1])
            try expectEqual(rows.map(\.values.1), [1, 1, 2, 2, 2, 2, 1])
        },
        promise(.joins, "joined rows by month and category, the best with their shares") { client in
            try await insertSales(client)
            let sales = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let groups = sales.grouped { sale, item in (sale.day.month, item.kind) }
                .sorted { $0.sum { sale, item in sale.quantity * item.price }.descending }
            let best = groups.limit(2).select { group in
                let revenue = group.sum { sale, item in sale.quantity * item.price }
                let month = group.window(by: group.key(0))
                return (
                    revenue, group.window().share(of: revenue), month.share(of: revenue),
                    month.sorted(by: revenue.descending).rank
                )
            }
            let rows = try await client.fetch(best)
            try expectEqual(rows.map(\.key.0), [2, 1])
            try expectEqual(rows.map(\.key.1), [nil, "f"])
            try expectEqual(rows.map(\.values.0), [800, 160])
            try expectEqual(rows.map(\.values.1), [800.0 / 960, 160.0 / 960])
            try expectEqual(rows.map(\.values.2), [1, 1])
            try expectEqual(rows.map(\.values.3), [1, 1])
            let ranked = try await client.fetch(
                groups.select(into: RankedKind.self) { group, keys in
                    let revenue = group.sum { sale, item in sale.quantity * item.price }
                    return .init(
                        kind: keys[1],
                        share: group.window().share(of: revenue),
                        rank: group.window().sorted(by: revenue).rank
                    )
                }
            )
            try expectEqual(ranked.map(\.kind), [nil, "f"])
            try expectEqual(ranked.map(\.share), [800.0 / 960, 160.0 / 960])
            try expectEqual(ranked.map(\.rank), [2, 1])
        },
    ]

    private static let values: [ConformanceCase] = [
        report("aggregates of every kind are looked at by windows") { client in
            try await insertSales(client)
            let request = ItemSale.all.grouped(by: \.buyer).select { group in
                let order = group.window().sorted(by: group.key(0))
                let (sold, average) = (group.sum(\.quantity), group.average(\.quantity))
                let (ware, wares) = (group.max(\.ware), group.countDistinct(\.ware))
                let day = group.min(\.day)
                return (
                    order.average(sold), order.min(average), order.max(ware), order.lag(day),
                    order.sum(wares), order.share(of: ware)
                )
            }
            let rows = try await client.fetch(request)
            try expectEqual(rows.map(\.values.0), [6, 5.5, 20.0 / 3, 5])
            try expectEqual(rows.map(\.values.1), [2, 2, 2, 0])
            try expectEqual(rows.map(\.values.2), [11, 11, 12, 99])
            let day = Date(timeIntervalSince1970: 86_400)
            try expectEqual(
                rows.map(\.values.3),
                [nil, day.addingTimeInterval(2 * 86_400), day, day.addingTimeInterval(39 * 86_400)]
            )
            try expectEqual(rows.map(\.values.4), [2, 3, 4, 5])
            let parts: [Double] = [11, 11, 12, 99]
            try expectEqual(rows.map(\.values.5), parts.map { $0 / 133 })
        },
        report("a sum of no values is zero to a window, an extreme of none is absent") { client in
            try await client.insert([
                Hero(1, publisherId: 4, bio: "x"), Hero(2, publisherId: nil, bio: "y"),
                Hero(3, publisherId: 12, bio: "z"),
            ])
            let request = Hero.all.grouped(by: \.bio).select { group in
                let all = group.window()
                let (sum, most) = (group.sum(\.publisherId), group.max(\.publisherId))
                return (
                    all.share(of: sum), all.share(of: most), all.sorted(by: sum.descending).rank,
                    all.average(sum), all.average(most)
                )
            }
            let rows = try await client.fetch(request)
            try expectEqual(rows.map(\.values.0), [0.25, 0, 0.75])
            try expectEqual(rows.map(\.values.1), [0.25, nil, 0.75])
            try expectEqual(rows.map(\.values.2), [2, 3, 1])
            try expectEqual(rows.map(\.values.3), [16.0 / 3, 16.0 / 3, 16.0 / 3])
            try expectEqual(rows.map(\.values.4), [8, 8, 8])
            let zero = Hero.where { $0.publisherId == nil }.grouped(by: \.bio)
                .select { $0.window().share(of: $0.sum(\.publisherId)) }
            try expectEqual(try await client.fetch(zero).map(\.values), [nil])
        },
        report("sums of decimals and doubles are exact in windows") { client in
            var values = (1...4).map { EveryType($0) }
            for (index, decimal) in ["0.1", "0.2", "0.3", "99999999999999999999"].enumerated() {
                values[index].decimal = Decimal(string: decimal) ?? 0
                values[index].double = [1e16, 1, -1e16, 0.5][index]
                values[index].text = ["a", "b", "c", "d"][index]
            }
            try await client.insert(values)
            let request = EveryType.all.grouped(by: \.text).select { group in
                let order = group.window().sorted(by: group.key(0))
                let (decimals, doubles) = (group.sum(\.decimal), group.sum(\.double))
                return (order.sum(decimals), order.sum(doubles))
            }
            let rows = try await client.fetch(request)
            try expectEqual(
                rows.map(\.values.0),
                ["0.1", "0.3", "0.6", "99999999999999999999.6"].map { Decimal(string: $0) ?? 0 }
            )
            try expectEqual(rows.map(\.values.1), [1e16, 1e16, 1, 1.5])
        },
        report("a running sum that overflows is an error, and so is one of a narrow type") {
            client in
            var values = (1...2).map { EveryType($0) }
            for index in 0..<2 {
                values[index].int64 = .max - 1
                values[index].int8 = 100
                values[index].text = ["a", "b"][index]
            }
            try await client.insert(values)
            let groups = EveryType.all.grouped(by: \.text)
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    groups.select { $0.window().sorted(by: $0.key(0)).sum($0.sum(\.int64)) }
                )
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(groups.select { $0.window().sum($0.sum(\.int8)) })
            }
            let lags = groups.select { $0.window().sorted(by: $0.key(0)).lag($0.sum(\.int8)) }
            try expectEqual(try await client.fetch(lags).map(\.values), [nil, 100])
        },
        report("windows go with sets of selections, and are read in a write and by other callers") {
            client in
            try await insertSales(client)
            let groups = ItemSale.all.grouped(by: \.buyer)
            let ranks = groups.select { $0.window().sorted(by: $0.count.descending).rank }
            let first = groups.limit(1).select { $0.window().rank }
            let union = try await client.fetch(ranks.union(first))
            try expectEqual(union.map(\.key), ["a", "b", "c", "d"])
            let rest = try await client.fetch(ranks.subtracting(first))
            try expectEqual(rest.map(\.key), ["b", "c", "d"])
            try expectEqual(try client.blocking.fetch(ranks).map(\.values), [1, 2, 2, 4])
            let seen = try await client.write { transaction in
                try transaction.insert(ItemSale(9, ware: 10, buyer: "d"))
                return try transaction.fetch(ranks)
            }
            try expectEqual(seen.map(\.values), [1, 2, 2, 2])
        },
        observing("groups with windows are observed") { client in
            try await insertSales(client)
            let request = ItemSale.all.grouped(by: \.buyer)
                .sorted { $0.sum(\.quantity).descending }.limit(2)
                .select { $0.window().share(of: $0.sum(\.quantity)) }
            try expectEqual(try client.observe(request).explain().contains("read again"), true)
            var changes = client.observe(request).makeAsyncIterator()
            let initial = try await changes.next()
            try expectEqual(initial?.rows.map(\.key), ["c", "a"])
            try expectEqual(initial?.rows.map(\.values), [0.45, 0.3])
            // The groups on the page stay as they are; what they get from the others does not.
            try await client.insert(ItemSale(9, ware: nil, buyer: "d", quantity: 5))
            let next = try await changes.next()
            try expectEqual(next?.rows.map(\.values), [9.0 / 25, 6.0 / 25])
        },
    ]

    private static let refusals: [ConformanceCase] = [
        report("a window of groups is selected, and used for nothing else") { client in
            let groups = ItemSale.all.grouped(by: \.buyer)
            for request in [
                groups.having { $0.window().rank == 1 }, groups.sorted { $0.window().rank },
                groups.sorted { $0.window().share(of: $0.count).descending },
            ] {
                try await expectError(.invalidRequest) {
                    _ = try await client.fetch(request.select(.count))
                }
            }
            for request in [
                groups.select { $0.window().sum($0.window().count) },
                groups.select { $0.window(by: $0.window().rank).count },
                groups.select { $0.window().sorted(by: $0.window().rank).rank },
                groups.select { $0.window(by: $0.key(1)).count },
                groups.select { $0.window().sorted(by: $0.key(-1)).count },
            ] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(request) }
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    groups.rollup.select(into: RankedKind.self) { group, keys in
                        .init(
                            kind: keys[0],
                            share: group.window().share(of: group.count),
                            rank: group.window().rank
                        )
                    }
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(groups.sorted { $0.key(3) }.select(.count))
            }
        }
    ]

    private static func insertSales(_ client: any DBClient) async throws {
        try await client.insert([
            SoldItem(10, "desk", kind: "f", price: 30), SoldItem(11, "lamp", kind: "f", price: 10),
            SoldItem(12, "chair", kind: nil, price: 200),
        ])
        try await client.insert([
            ItemSale(1, ware: 10, buyer: "a", quantity: 1, day: 3),
            ItemSale(2, ware: 11, buyer: "a", quantity: 2, day: 9),
            ItemSale(3, ware: 10, buyer: "a", quantity: 3, day: 20),
            ItemSale(4, ware: nil, buyer: "b", quantity: 3, day: 33),
            ItemSale(5, ware: 12, buyer: "c", quantity: 4, day: 40),
            ItemSale(6, ware: 99, buyer: "d", quantity: 0, day: 41),
            ItemSale(7, ware: 11, buyer: "b", quantity: 2, day: 1),
            ItemSale(8, ware: nil, buyer: "c", quantity: 5, day: 62),
        ])
    }
}

@Selection struct RankedKind {
    let kind: String?
    let share: Double?
    let rank: Int
}
