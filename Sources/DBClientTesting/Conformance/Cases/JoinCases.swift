import DBClientCore
import Foundation

/// Values of several models that belong together.
enum JoinCases {
    static let all: [ConformanceCase] = pairs + rows + reports + refusals

    private static let pairs: [ConformanceCase] = [
        promise(.joins, "pairs come in the order of their keys") { client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let found = try await client.fetch(lines)
            try expectEqual(found.map(\.0.id), [1, 2, 3, 5])
            try expectEqual(found.map(\.1), [wares[0], wares[1], wares[0], wares[2]])
            try expectEqual(try await client.count(lines), 4)
            try expect(try await client.exists(lines), "there are none")
            let wanted = lines.filter { sale, ware in sale.quantity > 1 && ware.price < 100 }
            try expectEqual(try await client.fetch(wanted).map(\.0.id), [2, 3])
            try expectEqual(try await client.count(wanted.limit(1)), 1)
            try expectEqual(try await client.fetch(lines.limit(2).offset(1)).map(\.0.id), [2, 3])
            try expectEqual(try await client.fetch(lines.limit(0)).count, 0)
        },
        promise(.joins, "a left join keeps what nothing belongs to") { client in
            try await insertSales(client)
            let lines = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id }
            let found = try await client.fetch(lines)
            try expectEqual(found.map(\.0.id), [1, 2, 3, 4, 5, 6])
            try expectEqual(
                found.map(\.1),
                [wares[0], wares[1], wares[0], nil, wares[2], nil]
            )
            let absent = lines.filter { $1.isAbsent }
            try expectEqual(try await client.fetch(absent).map(\.0.id), [4, 6])
            try expectEqual(
                try await client.fetch(lines.filter { $1.price == nil }).map(\.0.id),
                [4, 6]
            )
            // A condition of the join is no condition on its rows.
            let cheap = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id && $1.price < 50 }
            try expectEqual(
                try await client.fetch(cheap).map { $0.1?.id },
                [10, nil, 10, nil, nil, nil]
            )
            try expectEqual(
                try await client.fetch(
                    ItemSale.leftJoin(SoldItem.where { $0.price < 50 }) { $0.ware == $1.id }
                )
                .map { $0.1?.id },
                [10, nil, 10, nil, nil, nil]
            )
        },
        promise(.joins, "a model is joined with itself") { client in
            try await insertSales(client)
            let parts = SoldItem.join(SoldItem.self) { $0.whole == $1.id }
            let names = try await client.fetch(
                parts.select { part, whole in (part.name, whole.name) }
            )
            try expectEqual(names.map(\.0), ["lamp", "bulb"])
            try expectEqual(names.map(\.1), ["desk", "lamp"])
            let grand = parts.leftJoin(SoldItem.self) { $1.whole == $2.id }
            try expectEqual(try await client.fetch(grand).map { $0.2?.name }, [nil, "desk"])
        },
        promise(.joins, "what is nil belongs to what is nil where both may be") { client in
            try await insertSales(client)
            // As of two fields: absent values are equal to each other, and to nothing else.
            let same = SoldItem.join(SoldItem.self) { $0.kind == $1.kind && $0.id < $1.id }
            let found = try await client.fetch(same.select { ($0.id, $1.id) })
            try expectEqual(found.map { [$0.0, $0.1] }, [[10, 11], [12, 13]])
        },
        promise(.joins, "rows that belong together by no equality") { client in
            try await insertSales(client)
            let dearer = SoldItem.join(SoldItem.self) { $0.price < $1.price }
            let found = try await client.fetch(dearer.select { ($0.name, $1.name) })
            try expectEqual(
                found.map { "\($0.0) \($0.1)" },
                ["desk lamp", "desk chair", "lamp chair", "bulb desk", "bulb lamp", "bulb chair"]
            )
            let all = SoldItem.join(ItemKind.self) { _, _ in .constant(true) }
            try expectEqual(try await client.count(all), 8)
        },
        promise(.joins, "conditions that look at no model, or at those joined before alone") {
            client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            try expectEqual(try await client.count(lines.filter { _, _ in .constant(false) }), 0)
            try expectEqual(try await client.count(lines.filter { _, _ in .constant(true) }), 4)
            let never = ItemSale.leftJoin(SoldItem.self) { _, _ in .constant(false) }
            try expectEqual(try await client.fetch(never).map(\.1), Array(repeating: nil, count: 6))
            let always = lines.join(ItemKind.self) { sale, ware, _ in sale.ware == ware.id }
            try expectEqual(try await client.count(always), 8)
            let none = lines.leftJoin(ItemKind.self) { sale, ware, _ in sale.quantity == ware.id }
            try expectEqual(try await client.fetch(none).map(\.2), [nil, nil, nil, nil])
        },
        promise(.joins, "what is nil since nothing belongs to it equals what is nil") { client in
            try await insertSales(client)
            let lines = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id && $1.price < 100 }
                .join(SoldItem.self) { _, ware, other in ware.kind == other.kind }
            let found = try await client.fetch(lines.select { ($0.id, $2.id) })
            let expected = [
                [1, 10], [1, 11], [2, 10], [2, 11], [3, 10], [3, 11], [4, 12], [4, 13], [5, 12],
                [5, 13], [6, 12], [6, 13],
            ]
            try expectEqual(found.map { [$0.0, $0.1] }, expected)
            try expectEqual(
                try await client.fetch(lines.limit(8).select { ($0.id, $2.id) }).map {
                    [$0.0, $0.1]
                },
                Array(expected.prefix(8))
            )
        },
        promise(.joins, "what may have no answer is asked of whole rows") { client in
            try await insertSales(client)
            // No row of the join has it: a ware whose part it is has the key 10 or 11.
            try await client.insert(SoldItem(14, "cord", price: 0))
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id && 600 / $1.price > 9 }
            try expectEqual(try await client.fetch(lines).map(\.0.id), [1, 2, 3])
            let filtered = ItemSale.join(SoldItem.where { 600 / $0.price > 9 }) { $0.ware == $1.id }
            try expectEqual(try await client.fetch(filtered).map(\.0.id), [1, 2, 3])
            let sales = SoldItem.where { 600 / $0.price > 9 }.join(ItemSale.self) {
                $0.id == $1.ware
            }
            try expectEqual(try await client.count(sales), 3)
            let later = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .filter { _, ware in 600 / ware.price > 9 }
            try expectEqual(try await client.fetch(later).map(\.0.id), [1, 2, 3])
            try await client.insert(ItemSale(7, ware: 14))
            try await expectError(.invalidValue) { _ = try await client.fetch(later) }
            try await expectError(.invalidValue) { _ = try await client.fetch(lines) }
        },
        promise(.joins, "a table that is not there yet has no rows") { client in
            try await client.insert(ItemSale(1, ware: 10))
            let inner = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            try expectEqual(try await client.fetch(inner).count, 0)
            try expectEqual(try await client.count(inner), 0)
            let left = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id }
            try expectEqual(try await client.fetch(left).map { $0.1 }, [nil])
            try expectEqual(try await client.count(left), 1)
            let reversed = SoldItem.leftJoin(ItemSale.self) { $0.id == $1.ware }
            try expectEqual(try await client.count(reversed), 0)
        },
    ]

    private static let rows: [ConformanceCase] = [
        promise(.joins, "three models, sorted by fields of each") { client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .leftJoin(ItemKind.self) { sale, ware, kind in ware.kind == kind.code }
            let found = try await client.fetch(
                lines.sorted { sale, ware, kind in [kind.title, ware.name, sale.id.descending] }
                    .select { sale, ware, kind in (sale.id, ware.name, kind.title) }
            )
            try expectEqual(found.map(\.0), [5, 3, 1, 2])
            try expectEqual(found.map(\.1), ["chair", "desk", "desk", "lamp"])
            try expectEqual(found.map(\.2), [nil, "Furniture", "Furniture", "Furniture"])
            let last = lines.sorted { _, _, kind in kind.title.nilsLast }
            try expectEqual(try await client.fetch(last).map(\.0.id), [1, 2, 3, 5])
            let page = lines.sorted { _, ware, _ in ware.name.descending }.limit(2).offset(1)
            try expectEqual(try await client.fetch(page).map(\.0.id), [1, 3])
        },
        promise(.joins, "models as a whole, fields and what is computed in one row") { client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let found = try await client.fetch(
                lines.select { sale, ware in (sale, ware.name, sale.quantity * ware.price) }
            )
            try expectEqual(found.map(\.0.id), [1, 2, 3, 5])
            try expectEqual(found.map(\.2), [30, 120, 90, 200])
            let dear = lines.filter { sale, ware in sale.quantity * ware.price > 100 }
                .sorted { sale, ware in (sale.quantity * ware.price).descending }
            try expectEqual(try await client.fetch(dear.select { $1.name }), ["chair", "lamp"])
        },
        promise(.joins, "in transactions, blocking and as an operation") { client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let ids = try await client.read { transaction in
                try transaction.fetch(lines.select { sale, _ in sale.id })
            }
            try expectEqual(ids, [1, 2, 3, 5])
            let written = try await client.write { transaction in
                try transaction.insert(ItemSale(7, ware: 13))
                try transaction.delete(ItemSale.self, key: 1)
                return try transaction.fetch(lines).map(\.0.id)
            }
            try expectEqual(written, [2, 3, 5, 7])
            try expectEqual(try await client.run(.fetch(lines)).map(\.1.id), [11, 10, 12, 13])
            try expect(try await !client.explain(lines).isEmpty, "no plan")
        },
        promise(.joins, "hundreds of rows on both sides") { client in
            try await client.insert((1...700).map { SoldItem($0, "w\($0 % 7)", price: $0 % 5) })
            try await client.insert(
                (1...900).map { ItemSale($0, ware: $0 % 800, quantity: $0 % 3) }
            )
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let expected = (1...900).filter { (1...700).contains($0 % 800) }
            try expectEqual(try await client.fetch(lines).map(\.0.id), expected)
            try expectEqual(
                try await client.fetch(lines.limit(3).offset(600)).map(\.0.id),
                [601, 602, 603]
            )
            let sorted = lines.sorted { [$1.name.descending, $0.quantity] }.limit(400)
            let naive = expected.map { (sale: $0, ware: $0 % 800) }
                .sorted {
                    ($1.ware % 7, $0.sale % 3, $0.sale) < ($0.ware % 7, $1.sale % 3, $1.sale)
                }
            try expectEqual(
                try await client.fetch(sorted).map(\.0.id),
                naive.prefix(400).map(\.sale)
            )
            let many = SoldItem.join(ItemSale.self) { $0.price == $1.quantity }
            let pairs = (1...700).reduce(0) { sum, ware in
                sum + (1...900).count { $0 % 3 == ware % 5 }
            }
            try expectEqual(try await client.count(many), pairs)
        },
    ]

    private static let reports: [ConformanceCase] = [
        promise(.joins, "groups by fields of joined models") { client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .leftJoin(ItemKind.self) { _, ware, kind in ware.kind == kind.code }
            let revenue = try await client.fetch(
                lines.grouped { _, _, kind in kind.title }
                    .select(.count, .sum { sale, ware, _ in sale.quantity * ware.price })
            )
            try expectEqual(revenue.map(\.key), [nil, "Furniture"])
            try expectEqual(revenue.map(\.values.0), [1, 3])
            try expectEqual(revenue.map(\.values.1), [200, 240])
            let names = try await client.fetch(
                lines.grouped { _, ware, _ in ware.name }.having { $0.count > 1 }.select(.count)
            )
            try expectEqual(names.map(\.key), ["desk"])
            let days = try await client.fetch(
                lines.grouped { sale, ware, _ in (sale.day.month, ware.kind) }
                    .having { $0.sum { sale, _, _ in sale.quantity } > 0 }
                    .select(
                        .max { _, ware, _ in ware.price },
                        .average { sale, _, _ in sale.quantity }
                    )
            )
            try expectEqual(days.map(\.key.0), [1, 2])
            try expectEqual(days.map(\.values.0), [60, 200])
            try expectEqual(days.map(\.values.1), [2, 1])
        },
        promise(
            .joins,
            "an observer is told of what any of the models changes",
            requires: [.observation]
        ) {
            client in
            try await insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .sorted { $1.name }
            let request = lines.select { $1.name }
            var names = client.observe(lines) { try $0.fetch(request) }.makeAsyncIterator()
            try expectEqual(try await names.next(), ["chair", "desk", "desk", "lamp"])
            try await client.update(SoldItem.self, key: 10) { $0.set(\.name, to: "table") }
            try expectEqual(try await names.next(), ["chair", "lamp", "table", "table"])
            try await client.delete(ItemSale.self, key: 5)
            try expectEqual(try await names.next(), ["lamp", "table", "table"])
        },
    ]

    private static let refusals: [ConformanceCase] = [
        promise(.joins, "what cannot be joined is refused") { client in
            try await insertSales(client)
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    ItemSale.all.limit(1).join(SoldItem.self) { $0.ware == $1.id }
                )
            }
            try await expectError(.invalidRequest) {
                let lines = ItemSale.join(SoldItem.all.limit(1)) { $0.ware == $1.id }
                _ = try await client.count(lines)
            }
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(lines.limit(-1))
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    lines.filter { _, ware in
                        var other: Condition<Joined2<ItemSale, SoldItem>> = .constant(true)
                        _ = lines.filter { sale, _ in
                            other = sale.quantity > 1
                            return other
                        }
                        return ware.price > 1 && other
                    }
                )
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    lines.filter { sale, ware in ware.price / (sale.quantity - sale.quantity) > 1 }
                )
            }
        }
    ]

    static let wares = [
        SoldItem(10, "desk", kind: "f", price: 30),
        SoldItem(11, "lamp", kind: "f", price: 60, whole: 10),
        SoldItem(12, "chair", price: 200), SoldItem(13, "bulb", price: 5, whole: 11),
    ]

    static func insertSales(_ client: any DBClient) async throws {
        try await client.insert(wares)
        try await client.insert([ItemKind("f", "Furniture"), ItemKind("x", "Unused")])
        try await client.insert([
            ItemSale(1, ware: 10, buyer: "a", quantity: 1, day: 3),
            ItemSale(2, ware: 11, buyer: "b", quantity: 2, day: 9),
            ItemSale(3, ware: 10, buyer: "a", quantity: 3, day: 20),
            ItemSale(4, ware: nil, buyer: "c", quantity: 4, day: 33),
            ItemSale(5, ware: 12, buyer: "b", quantity: 1, day: 40),
            ItemSale(6, ware: 99, buyer: "a", quantity: 2, day: 41),
        ])
    }
}
