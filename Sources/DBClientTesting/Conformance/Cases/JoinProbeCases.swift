import DBClientCore
import DBClientTestSupport
import Foundation

/// Joins drawn at random, against loops over arrays that share nothing with the library.
enum JoinProbeCases {
    static let all: [ConformanceCase] = [
        promise(.joins, "random joins are as nested loops have them") { client in
            let random = RandomSource(seed: 30)
            for _ in 0..<6 {
                let wares = random.wares()
                let sales = random.sales()
                try await client.deleteAll(SoldItem.self)
                try await client.deleteAll(ItemSale.self)
                try await client.insert(wares)
                try await client.insert(sales)
                for _ in 0..<12 {
                    try await comparePairs(client, sales, wares, random)
                    try await compareTriples(client, sales, wares, random)
                    try await compareGroups(client, sales, wares, random)
                }
            }
        }
    ]

    /// What a random join asks for.
    private struct Options {
        let isLeft: Bool
        let price: Int?
        let quantity: Int?
        let sort: Int
        let limit: Int?
        let offset: Int

        init(_ random: RandomSource) {
            isLeft = random.chance(50)
            price = random.chance(50) ? random.below(6) : nil
            quantity = random.chance(50) ? random.below(4) : nil
            sort = random.below(4)
            limit = random.chance(40) ? random.below(8) : nil
            offset = limit == nil ? 0 : random.below(4)
        }

        func window<Element>(_ rows: [Element]) -> [Element] {
            Array(rows.dropFirst(offset).prefix(limit ?? rows.count))
        }
    }

    private static func comparePairs(
        _ client: any DBClient,
        _ sales: [ItemSale],
        _ wares: [SoldItem],
        _ random: RandomSource
    ) async throws {
        let options = Options(random)
        var naive: [(ItemSale, SoldItem?)] = []
        for sale in sales {
            let own = wares.filter { sale.ware == $0.id && $0.price >= options.price ?? 0 }
            for ware in own { naive.append((sale, ware)) }
            if own.isEmpty, options.isLeft { naive.append((sale, nil)) }
        }
        naive.removeAll { $0.0.quantity < options.quantity ?? 0 }
        // The rows are in the order of their keys, and sorts are stable.
        switch options.sort {
        case 1: naive = naive.stablySorted { precedes($0.1?.name, $1.1?.name) }
        case 2: naive = naive.stablySorted { $0.0.quantity > $1.0.quantity }
        case 3: naive = naive.stablySorted { precedes($0.1?.price, $1.1?.price) }
        default: break
        }
        let expected = options.window(naive).map { "\($0.0.id) \($0.1?.id ?? -1)" }
        let found: [String]
        if options.isLeft {
            let join = ItemSale.leftJoin(SoldItem.self) {
                $0.ware == $1.id && $1.price >= (options.price ?? 0)
            }
            .filter { sale, _ in sale.quantity >= options.quantity ?? 0 }
            let sorted =
                switch options.sort {
                case 1: join.sorted { _, ware in ware.name }
                case 2: join.sorted { sale, _ in sale.quantity.descending }
                case 3: join.sorted { _, ware in ware.price }
                default: join
                }
            found = try await client.fetch(sorted.limit(options.limit).offset(options.offset))
                .map { "\($0.0.id) \($0.1?.id ?? -1)" }
        } else {
            let join = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
                .filter { sale, ware in
                    ware.price >= options.price ?? 0 && sale.quantity >= options.quantity ?? 0
                }
            let sorted =
                switch options.sort {
                case 1: join.sorted { _, ware in ware.name }
                case 2: join.sorted { sale, _ in sale.quantity.descending }
                case 3: join.sorted { _, ware in ware.price }
                default: join
                }
            found = try await client.fetch(
                sorted.limit(options.limit).offset(options.offset).select { ($0.id, $1.id) }
            )
            .map { "\($0.0) \($0.1)" }
        }
        try expectEqual(found, expected)
    }

    private static func compareTriples(
        _ client: any DBClient,
        _ sales: [ItemSale],
        _ wares: [SoldItem],
        _ random: RandomSource
    ) async throws {
        let options = Options(random)
        var naive: [String] = []
        for ware in wares {
            let own = sales.filter { ware.id == $0.ware && $0.quantity != options.quantity ?? -1 }
            let kept: [ItemSale?] = own.isEmpty && options.isLeft ? [nil] : own
            for sale in kept {
                for whole in wares where ware.whole == whole.id || ware.price < whole.price {
                    naive.append("\(ware.id) \(sale?.id ?? -1) \(whole.id)")
                }
            }
        }
        let expected = options.window(naive)
        let found: [String]
        if options.isLeft {
            let join = SoldItem.leftJoin(ItemSale.self) {
                $0.id == $1.ware && $1.quantity != (options.quantity ?? -1)
            }
            .join(SoldItem.self) { ware, _, whole in
                ware.whole == whole.id || ware.price < whole.price
            }
            found = try await client.fetch(
                join.limit(options.limit).offset(options.offset)
                    .select { ($0.id, $1.id, $2.id) }
            )
            .map { "\($0.0) \($0.1 ?? -1) \($0.2)" }
            try expectEqual(try await client.count(join), naive.count)
        } else {
            let join = SoldItem.join(ItemSale.where { $0.quantity != (options.quantity ?? -1) }) {
                $0.id == $1.ware
            }
            .join(SoldItem.self) { ware, _, whole in
                ware.whole == whole.id || ware.price < whole.price
            }
            found = try await client.fetch(
                join.limit(options.limit).offset(options.offset)
                    .select { ($0.id, $1.id, $2.id) }
            )
            .map { "\($0.0) \($0.1) \($0.2)" }
            try expectEqual(try await client.count(join), naive.count)
        }
        try expectEqual(found, expected)
    }

    private static func compareGroups(
        _ client: any DBClient,
        _ sales: [ItemSale],
        _ wares: [SoldItem],
        _ random: RandomSource
    ) async throws {
        let price = random.below(6)
        var groups: [String?: (count: Int, sum: Int, least: Int?)] = [:]
        for sale in sales {
            let own = wares.filter { sale.ware == $0.id && $0.price >= price }
            for ware in own.isEmpty ? [nil] : own.map(Optional.some) {
                var group = groups[ware?.kind] ?? (0, 0, nil)
                group.count += 1
                if let ware {
                    group.sum += sale.quantity * ware.price
                    group.least = min(group.least ?? .max, ware.price)
                }
                groups[ware?.kind] = group
            }
        }
        let join = ItemSale.leftJoin(SoldItem.self) { $0.ware == $1.id && $1.price >= price }
        let found = try await client.fetch(
            join.grouped { _, ware in ware.kind }
                .select(
                    .count,
                    .sum { sale, ware in ware.price * sale.quantity },
                    .min { _, ware in ware.price }
                )
        )
        let expected = groups.sorted { precedes($0.key, $1.key) }
        try expectEqual(found.map(\.key), expected.map(\.key))
        try expectEqual(found.map(\.values.0), expected.map(\.value.count))
        try expectEqual(found.map(\.values.1), expected.map(\.value.sum))
        try expectEqual(found.map(\.values.2), expected.map(\.value.least))
    }

    /// Whether one value stands before another, an absent one first.
    private static func precedes<Value: Comparable>(_ left: Value?, _ right: Value?) -> Bool {
        guard let right else { return false }
        guard let left else { return true }
        return left < right
    }
}

extension RandomSource {
    fileprivate func wares() -> [SoldItem] {
        (0..<below(14)).map { id in
            SoldItem(
                id,
                ["", "a", "b", "ab", "é"][below(5)],
                kind: chance(40) ? nil : ["x", "y"][below(2)],
                price: below(8),
                whole: chance(50) ? nil : below(14)
            )
        }
    }

    fileprivate func sales() -> [ItemSale] {
        (0..<below(24)).map { id in
            ItemSale(id, ware: chance(20) ? nil : below(14), quantity: below(5))
        }
    }
}

extension Array {
    /// Returns the elements sorted, equal ones in the order that they have.
    fileprivate func stablySorted(_ precedes: (Element, Element) -> Bool) -> [Element] {
        enumerated()
            .sorted { left, right in
                precedes(left.element, right.element)
                    || !precedes(right.element, left.element) && left.offset < right.offset
            }
            .map(\.element)
    }
}
