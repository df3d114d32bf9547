import DBClientCore
import Foundation

/// Reports: groups in another order, the first of them, conditional and distinct counts, and totals beside groups.
enum ReportCases {
    static let all: [ConformanceCase] = order + counts + computed + totals + refusals

    private static func report(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(.grouping, name, requires: [.aggregates], run: run)
    }

    private static let order: [ConformanceCase] = [
        report("groups are sorted by a function, those that are alike by their keys") { client in
            try await insertSales(client)
            let groups = ItemSale.all.grouped(by: \.buyer)
            let best = try await client.fetch(
                groups.sorted { $0.sum(\.quantity).descending }.select(.sum(\.quantity))
            )
            try expectEqual(best.map(\.key), ["c", "a", "b", "d"])
            try expectEqual(best.map(\.values), [9, 6, 6, 0])
            // By a function that is not returned.
            let first = try await client.fetch(
                groups.sorted { $0.sum(\.quantity) }.limit(2).offset(1).select(.count)
            )
            try expectEqual(first.map(\.key), ["a", "b"])
            try expectEqual(first.map(\.values), [3, 2])
            let several = try await client.fetch(
                groups.sorted { [$0.max(\.ware).nilsLast, $0.count.descending] }.select(.count)
            )
            try expectEqual(several.map(\.key), ["a", "b", "c", "d"])
            let few = try await client.fetch(
                groups.having { $0.count > 1 }.sorted { $0.min(\.day).descending }.limit(1)
                    .select(.min(\.day), .count)
            )
            try expectEqual(few.map(\.key), ["c"])
        },
        report("groups are sorted by their keys") { client in
            try await insertSales(client)
            let byBuyer = ItemSale.all.grouped(by: \.buyer).sorted { _, keys in keys[0].descending }
            try expectEqual(
                try await client.fetch(byBuyer.select(.count)).map(\.key),
                ["d", "c", "b", "a"]
            )
            let byBoth = ItemSale.all.grouped { ($0.ware, $0.day.month) }
                .sorted { group, keys in [keys[0].descending.nilsFirst, keys[1], group.count] }
            let rows = try await client.fetch(byBoth.limit(4).select(.count))
            try expectEqual(rows.map(\.key.0), [nil, nil, 99, 12])
            try expectEqual(rows.map(\.key.1), [2, 3, 2, 2])
        },
        report("the first groups alone") { client in
            try await insertSales(client)
            let groups = ItemSale.all.grouped(by: \.buyer)
            try expectEqual(
                try await client.fetch(groups.limit(2).select(.count)).map(\.key),
                ["a", "b"]
            )
            try expectEqual(
                try await client.fetch(groups.offset(3).select(.count)).map(\.key),
                ["d"]
            )
            try expectEqual(try await client.fetch(groups.limit(0).select(.count)).count, 0)
            try expectEqual(try await client.fetch(groups.offset(9).select(.count)).count, 0)
            try expectEqual(
                try await client.fetch(groups.offset(.max).limit(.max).select(.count)).count,
                0
            )
            try expectEqual(
                try await client.fetch(
                    groups.sorted { $0.count }.offset(.max).limit(.max).select(.count)
                ).count,
                0
            )
        },
        report("a sum of no values is sorted as zero, a function of none as nil") { client in
            try await client.insert([
                Hero(1, publisherId: -4, bio: "x"), Hero(2, publisherId: nil, bio: "y"),
                Hero(3, publisherId: 7, bio: "z"),
            ])
            let groups = Hero.all.grouped(by: \.bio)
            try expectEqual(
                try await client.fetch(
                    groups.sorted { $0.sum(\.publisherId) }.select(.sum(\.publisherId))
                ).map(\.key),
                ["x", "y", "z"]
            )
            try expectEqual(
                try await client.fetch(groups.sorted { $0.max(\.publisherId) }.select(.count))
                    .map(\.key),
                ["y", "x", "z"]
            )
            try expectEqual(
                try await client.fetch(
                    groups.sorted { $0.average(\.publisherId).descending }.select(.count)
                ).map(\.key),
                ["z", "x", "y"]
            )
        },
    ]

    private static let counts: [ConformanceCase] = [
        report("how many values of a group fulfil a condition") { client in
            try await insertSales(client)
            let rows = try await client.fetch(
                ItemSale.all.grouped(by: \.buyer)
                    .select(
                        .count,
                        .count { $0.quantity > 2 },
                        .count { $0.ware == nil },
                        .count { _ in .constant(false) }
                    )
            )
            try expectEqual(rows.map(\.key), ["a", "b", "c", "d"])
            try expectEqual(rows.map(\.values.0), [3, 2, 2, 1])
            try expectEqual(rows.map(\.values.1), [1, 2, 2, 0])
            try expectEqual(rows.map(\.values.2), [0, 1, 1, 0])
            try expectEqual(rows.map(\.values.3), [0, 0, 0, 0])
            let some = try await client.fetch(
                ItemSale.all.grouped(by: \.buyer).having { $0.count { $0.quantity > 2 } == 1 }
                    .select(.count)
            )
            try expectEqual(some.map(\.key), ["a"])
        },
        report("how many different values a field has") { client in
            try await insertSales(client)
            let rows = try await client.fetch(
                ItemSale.all.grouped(by: \.buyer)
                    .sorted { $0.countDistinct(\.ware).descending }
                    .select(
                        .countDistinct(\.ware),
                        .countDistinct { $0.day.month },
                        .countDistinct { $0.buyer.uppercased() },
                        .sum(\.quantity)
                    )
            )
            try expectEqual(rows.map(\.key), ["a", "b", "c", "d"])
            try expectEqual(rows.map(\.values.0), [2, 1, 1, 1])
            try expectEqual(rows.map(\.values.1), [1, 2, 2, 1])
            try expectEqual(rows.map(\.values.2), [1, 1, 1, 1])
            let none = try await client.fetch(
                ItemSale.where { $0.ware == nil }.grouped(by: \.buyer)
                    .having { $0.countDistinct(\.ware) == 0 }.select(.countDistinct(\.ware))
            )
            try expectEqual(none.map(\.key), ["b", "c"])
            try expectEqual(none.map(\.values), [0, 0])
            // By bytes, as keys are.
            try await client.insert([
                Hero(1, "e\u{301}"), Hero(2, "\u{E9}"), Hero(3, "E"), Hero(4, "e"), Hero(5, "e"),
            ])
            let names = try await client.fetch(
                Hero.all.grouped(by: \.isActive).select(.countDistinct(\.name))
            )
            try expectEqual(names.map(\.values), [4])
        },
        report("in groups of joined models") { client in
            try await insertSales(client)
            let lines = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id }
            let groups = lines.grouped { sale, _ in sale.buyer }
            let rows = try await client.fetch(
                groups.sorted { $0.sum { sale, ware in sale.quantity * ware.price }.descending }
                    .limit(3)
                    .select(
                        .count { _, ware in ware.price > 25 },
                        .countDistinct { _, ware in ware.name },
                        .sum { sale, ware in sale.quantity * ware.price }
                    )
            )
            try expectEqual(rows.map(\.key), ["c", "a", "b"])
            try expectEqual(rows.map(\.values.0), [1, 2, 0])
            try expectEqual(rows.map(\.values.1), [1, 2, 1])
            try expectEqual(rows.map(\.values.2), [800, 140, 30])
            let some = try await client.fetch(
                groups.having { $0.count { _, ware in ware.isAbsent } == 1 }
                    .sorted { _, keys in keys[0].descending }.select(.count)
            )
            try expectEqual(some.map(\.key), ["d", "c", "b"])
        },
    ]

    private static let computed: [ConformanceCase] = [
        report("keys and functions that are computed, beside fields") { client in
            try await insertSales(client)
            let rows = try await client.fetch(
                ItemSale.where { $0.quantity > 0 }
                    .grouped { ($0.day.month, $0.buyer, ($0.ware ?? 0) / 2) }
                    .having { $0.sum { $0.quantity * 2 } > 6 }
                    .select(
                        .count,
                        .sum(\.quantity),
                        .sum { $0.quantity * 2 },
                        .max { -$0.quantity }
                    )
            )
            try expectEqual(rows.map(\.key.0), [1, 2, 3])
            try expectEqual(rows.map(\.key.1), ["a", "c", "c"])
            try expectEqual(rows.map(\.key.2), [5, 6, 0])
            try expectEqual(rows.map(\.values.0), [3, 1, 1])
            try expectEqual(rows.map(\.values.1), [6, 4, 5])
            try expectEqual(rows.map(\.values.2), [12, 8, 10])
            try expectEqual(rows.map(\.values.3), [-1, -4, -5])
        },
        report("what has no value for a row that is grouped is an error, and for no other") {
            client in
            try await insertSales(client)
            let some = ItemSale.where { $0.quantity > 0 }
            let groups = some.grouped { 12 / $0.quantity }.select(.count)
            try expectEqual(try await client.fetch(groups).map(\.key), [2, 3, 4, 6, 12])
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    ItemSale.all.grouped { 12 / $0.quantity }.select(.count)
                )
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    ItemSale.all.grouped(by: \.buyer).select(.sum { 12 / $0.quantity })
                )
            }
            let sums = some.grouped(by: \.buyer).select(.sum { 12 / $0.quantity })
            try expectEqual(try await client.fetch(sums).map(\.values), [22, 8, 5])
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    some.grouped(by: \.buyer).select(.sum { $0.quantity * Int.max })
                )
            }
        },
        report("over the first rows of a request alone") { client in
            try await insertSales(client)
            let some = ItemSale.all.sorted { [$0.quantity.descending, $0.id] }.limit(4)
            let rows = try await client.fetch(
                some.grouped { $0.quantity % 2 }
                    .select(.count, .sum { $0.quantity * 10 }, .countDistinct(\.buyer))
            )
            try expectEqual(rows.map(\.key), [0, 1])
            try expectEqual(rows.map(\.values.0), [1, 3])
            try expectEqual(rows.map(\.values.1), [40, 110])
            try expectEqual(rows.map(\.values.2), [1, 3])
            let sum: Int = try await client.sum(of: some) { $0.quantity * 10 }
            try expectEqual(sum, 150)
        },
    ]

    private static let totals: [ConformanceCase] = [
        report("totals beside the groups") { client in
            try await insertSales(client)
            let rows = try await client.fetch(
                ItemSale.all.grouped { ($0.buyer, $0.ware) }.rollup
                    .select(.count, .sum(\.quantity))
            )
            try expectEqual(
                rows.map { "\($0.key.0 ?? "-") \($0.key.1.map { "\($0 ?? 0)" } ?? "-")" },
                [
                    "a 10", "a 11", "a -", "b 0", "b 11", "b -", "c 0", "c 12", "c -", "d 99",
                    "d -", "- -",
                ]
            )
            try expectEqual(rows.map(\.values.0), [2, 1, 3, 1, 1, 2, 1, 1, 2, 1, 1, 8])
            try expectEqual(rows.map(\.values.1), [4, 2, 6, 3, 3, 6, 5, 4, 9, 0, 0, 21])
            let few = try await client.fetch(
                ItemSale.all.grouped(by: \.buyer).having { $0.count > 2 }.rollup.select(.count)
            )
            try expectEqual(few.map(\.key), ["a", nil])
            try expectEqual(few.map(\.values), [3, 8])
            let none = try await client.fetch(
                ItemSale.where { $0.id < 0 }.grouped(by: \.buyer).rollup.select(.count)
            )
            try expectEqual(none.count, 0)
        },
        report("totals of joined and computed groups") { client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let rows = try await client.fetch(
                lines.grouped { sale, ware in (sale.day.month, ware.kind) }.rollup
                    .select(.sum { sale, ware in sale.quantity * ware.price })
            )
            try expectEqual(rows.map(\.key.0), [1, 1, 2, 2, nil])
            try expectEqual(rows.map(\.key.1), [.some("f"), nil, .some(nil), nil, nil])
            try expectEqual(rows.map(\.values), [170, 170, 800, 800, 970])
        },
    ]

    private static let refusals: [ConformanceCase] = [
        report("a report that has no meaning is refused") { client in
            let groups = ItemSale.all.grouped(by: \.buyer)
            for request in [groups.limit(-1), groups.offset(-1)] {
                try await expectError(.invalidRequest) {
                    _ = try await client.fetch(request.select(.count))
                }
            }
            for request in [groups.limit(1), groups.offset(1), groups.sorted { $0.count }] {
                try await expectError(.invalidRequest) {
                    _ = try await client.fetch(request.rollup.select(.count))
                }
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(groups.sorted { _, keys in keys[1] }.select(.count))
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    groups.sorted { $0.average(\.buyer) }.select(.count)
                )
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
            ItemSale(7, ware: 11, buyer: "b", quantity: 3, day: 2),
            ItemSale(8, ware: nil, buyer: "c", quantity: 5, day: 62),
        ])
    }
}
