import DBClientCore
import Foundation

/// What reports must refuse, on every engine alike: never a wrong result, never text of the caller's in a statement.
enum RefusedReportCases {
    static let all: [ConformanceCase] = [
        promise(.joins, "what is no entity of a store is not joined") { client in
            try await JoinCases.insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            let joined = ItemSale.join(Joined2<ItemSale, SoldItem>.self) { _, _ in .constant(true) }
            for code in [DBClientError.Code.unsupported] {
                try await expectError(code) {
                    _ = try await client.fetch(joined.select { sale, _ in sale.id })
                }
                try await expectError(code) { _ = try await client.count(joined) }
                try await expectError(code) {
                    _ = try await client.fetch(
                        lines.join(Joined2<ItemSale, SoldItem>.self) { _, _, _ in .constant(true) }
                            .select { sale, _, _ in sale.id }
                    )
                }
            }
        },
        promise(.joins, "a field of one part of a join of a model with itself stands for no other")
        {
            client in
            try await JoinCases.insertSales(client)
            let parts = SoldItem.join(SoldItem.self) { $0.whole == $1.id }
            let other = SoldItem.join(SoldItem.self) { $0.price < $1.price }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    parts.filter { part, whole in
                        var condition: Condition<Joined2<SoldItem, SoldItem>> = .constant(true)
                        _ = other.filter { _, dearer in
                            condition = dearer.price > 1
                            return condition
                        }
                        return part.price > 1 && condition
                    }
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    parts.select { part, whole in
                        var price = part.price + 0
                        _ = other.filter { _, dearer in
                            price = dearer.price + 0
                            return .constant(true)
                        }
                        return part.price + price
                    }
                )
            }
            // Which part is meant is said by the closure, whatever the names.
            try expectEqual(
                try await client.fetch(parts.select { ($0.name, $1.name) }).map { "\($0) \($1)" },
                ["lamp desk", "bulb lamp"]
            )
        },
        promise(.joins, "a division by zero is an error wherever a report has it") { client in
            try await JoinCases.insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            func fails(_ body: () async throws -> Void) async throws {
                try await expectError(.invalidValue, body)
            }
            try await fails {
                _ = try await client.fetch(
                    ItemSale.join(SoldItem.self) {
                        $0.ware == $1.id && $1.price / ($0.quantity - 1) > 1
                    }
                )
            }
            try await fails {
                _ = try await client.fetch(lines.filter { $1.price / ($0.quantity - 1) > 1 })
            }
            try await fails {
                _ = try await client.fetch(lines.select { $1.price / ($0.quantity - 1) })
            }
            try await fails {
                _ = try await client.fetch(lines.sorted { $1.price % ($0.quantity - 1) })
            }
            try await fails {
                _ = try await client.fetch(
                    lines.grouped { $1.price / ($0.quantity - 1) }.select(.count)
                )
            }
            try await fails {
                _ = try await client.fetch(
                    lines.grouped { sale, _ in sale.buyer }
                        .select(.sum { $1.price / ($0.quantity - 1) })
                )
            }
            try await fails {
                _ = try await client.fetch(
                    ItemSale.all.select {
                        Window(of: $0, by: $0.buyer).sum($0.id / ($0.quantity - 1))
                    }
                )
            }
            try await fails {
                _ = try await client.fetch(
                    SoldItem.where { item in
                        ItemSale.where { $0.id / ($0.quantity - 1) > 0 }.exists {
                            $0.ware == item.id
                        }
                    }
                )
            }
            try await fails {
                _ = try await client.update(ItemSale.all) {
                    $0.set(\.quantity, to: \.quantity / (\.quantity - 1))
                }
            }
            try await fails { _ = try await client.fetch(ItemSale.where { $0.quantity / 0 > 1 }) }
            try expectEqual(try await client.sum(\.quantity, of: ItemSale.all), 13)
        },
        promise(.select, "what is computed over a window is in no condition of a join or of groups")
        {
            client in
            try await JoinCases.insertSales(client)
            let lines = ItemSale.join(SoldItem.self) { $0.ware == $1.id }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(lines.filter { sale, _ in Window(of: sale).rank < 3 })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    ItemSale.join(SoldItem.self) {
                        $0.ware == $1.id && Window(of: $0).rowNumber == 1
                    }
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    lines.grouped { sale, _ in Window(of: sale).rank }.select(.count)
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.update(ItemSale.all) {
                    $0.set(\.quantity) { Window(of: $0).rowNumber }
                }
            }
            try await expectError(.invalidRequest) {
                _ = try await client.delete(ItemSale.where { Window(of: $0).rank < 3 })
            }
            try expectEqual(try await client.count(ItemSale.all), 6)
        },
    ]
}
