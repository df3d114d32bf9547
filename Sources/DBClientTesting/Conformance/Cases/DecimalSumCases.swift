import DBClientCore
import Foundation

/// Sums and averages of decimals, which are exact.
enum DecimalSumCases {
    private static func adding(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(.aggregates, name, requires: [.aggregates], run: run)
    }

    private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

    private static func wares(_ prices: [String], kind: String = "") -> [Ware] {
        prices.enumerated().map { Ware($0, decimal($1), kind: kind) }
    }

    static let all: [ConformanceCase] = wholes + parts

    private static let wholes: [ConformanceCase] = [
        adding("a sum of decimals is exact") { client in
            for prices in [
                ["0.1", "0.2"], ["19.99", "-20.99", "1"], ["99999999.99", "0.01"],
                ["12345678901234567890.123456789", "0.000000000000000001"], ["-0.5", "-0.75"],
                ["1e127", "1e-128", "-1e127"], ["999999999", "1"], ["1e30", "-1"],
                ["98765432109876543210987654321098765432", "1e-3", "-1e-3"], ["-5", "5"],
            ] {
                try await client.deleteAll(Ware.self)
                try await client.insert(wares(prices))
                // Foundation's own sums of these, the smallest first, are exact as well.
                let ordered = prices.map(decimal).sorted { $0.magnitude < $1.magnitude }
                let expected =
                    prices[0] == "1e127" ? decimal("1e-128") : ordered.reduce(0, +)
                let sum = try await client.sum(\.price, of: Ware.all)
                try expectEqual(sum, expected, "\(prices):")
                let window = Ware.all.sorted { $0.price.descending }.limit(9)
                try expectEqual(try await client.sum(\.price, of: window), expected, "\(prices):")
                try expectEqual(try client.blocking.sum(\.price, of: Ware.all), expected)
            }
        },
        adding("absent decimals are left out, and none come to zero") { client in
            try expectEqual(try await client.sum(\.price, of: Ware.all), 0)
            try expectEqual(try await client.average(\.price, of: Ware.all), nil)
            try await client.insert([
                Ware(1, 1), Ware(2, 2, rebate: decimal("0.3")), Ware(3, 3, rebate: decimal("-0.1")),
            ])
            try expectEqual(try await client.sum(\.rebate, of: Ware.all), decimal("0.2"))
            try expectEqual(try await client.average(\.rebate, of: Ware.all), 0.1)
            let first = Ware.where { $0.id == 1 }
            try expectEqual(try await client.sum(\.rebate, of: first), 0)
            try expectEqual(try await client.average(\.rebate, of: first), nil)
        },
        adding("a sum of over 38 digits is a typed error, unless the whole has fewer") { client in
            try await client.insert(wares(["1e25", "1e-25"]))
            let error = try await expectError(.invalidValue) {
                _ = try await client.sum(\.price, of: Ware.all)
            }
            try expectEqual(error.entity, "Ware")
            try expectEqual(error.field, "price")
            try await client.insert(Ware(2, decimal("-1e25")))
            try expectEqual(try await client.sum(\.price, of: Ware.all), decimal("1e-25"))
            try await client.deleteAll(Ware.self)
            let nines = String(repeating: "9", count: 38)
            try await client.insert(wares([nines, "2"]))
            try await expectError(.invalidValue) {
                _ = try await client.sum(\.price, of: Ware.all)
            }
            // A one and 38 zeros are one digit.
            try await client.upsert(Ware(1, 1))
            try expectEqual(try await client.sum(\.price, of: Ware.all), decimal("1e38"))
        },
        adding("an average of decimals is their sum as a double by how many they are") { client in
            let samples: [([String], Double)] = [
                (["0.1", "0.2"], 0.15), (["1", "0", "0"], 1.0 / 3), (["-2.5"], -2.5),
                (["0.1", "0.2", "0.4"], 0.7 / 3), (["1e25", "1e-25"], 1e25 / 2), (["0", "0"], 0),
                (["9007199254740993", "0.1"], 0x1p52 + 1), (["1e127", "-1e127", "3"], 1),
            ]
            for (prices, expected) in samples {
                try await client.deleteAll(Ware.self)
                try await client.insert(wares(prices))
                let average = try await client.average(\.price, of: Ware.all)
                try expectEqual(average, expected, "\(prices):")
                let window = Ware.all.sorted { $0.price }.limit(9)
                try expectEqual(try await client.average(\.price, of: window), expected)
            }
        },
        adding("a sum beyond what a decimal's exponent reaches alone is exact") { client in
            // A power of ten goes up to 127; the digits before it take the rest.
            let largest = decimal(String(repeating: "9", count: 38) + "e127")
            let power = decimal("10e127")
            let samples: [([Decimal], Decimal, Double)] = [
                ([decimal("5e127"), decimal("5e127")], power, 5e127), ([power], power, 1e128),
                ([power, -power, 7], 7, 7.0 / 3), ([largest], largest, 1e165),
                ([power, power], power + power, 1e128),
            ]
            for (prices, sum, average) in samples {
                try await client.deleteAll(Ware.self)
                let stored = prices.enumerated().map { Ware($0, $1) }
                try await client.insert(stored)
                try expectEqual(try await client.fetch(Ware.all), stored)
                try expectEqual(try await client.sum(\.price, of: Ware.all), sum, "\(prices):")
                let found = try await client.average(\.price, of: Ware.all)
                try expectEqual(found, average, "\(prices):")
                let groups = try await client.fetch(
                    Ware.all.grouped(by: \.kind).select(.sum(\.price), .average(\.price))
                )
                try expectEqual(groups.map(\.values.0), [sum])
                try expectEqual(groups.map(\.values.1), [average])
            }
            try await client.deleteAll(Ware.self)
            try await client.insert([Ware(1, largest), Ware(2, largest)])
            try await expectError(.invalidValue) {
                _ = try await client.sum(\.price, of: Ware.all)
            }
        },
        adding("a sum of many decimals is exact") { client in
            // Cents, tenths of them and whole numbers, some below zero: their sum in tenths of a cent.
            let tenths = (0..<3_000).map { index in
                (index * 7_919 % 20_011 - 9_000) * [1, 10, 1_000][index % 3]
            }
            try await client.insert(
                tenths.enumerated().map { Ware($0, Decimal($1) / 1_000) }
            )
            let sum = Decimal(tenths.reduce(0, +)) / 1_000
            try expectEqual(try await client.sum(\.price, of: Ware.all), sum)
        },
        observing("a sum of decimals is observed") { client in
            var sums = client.observeSum(\.price, of: Ware.all).makeAsyncIterator()
            try expectEqual(try await sums.next(), 0)
            try await client.insert(wares(["0.1", "0.2"]))
            try expectEqual(try await sums.next(), decimal("0.3"))
            try await client.delete(Ware.self, key: 0)
            try expectEqual(try await sums.next(), decimal("0.2"))
        },
    ]

    private static let parts: [ConformanceCase] = [
        adding("groups have exact sums of decimals, and are chosen by them") { client in
            try await client.insert(
                wares(["0.1", "0.2"], kind: "a")
                    + [
                        Ware(5, 7, kind: "b"), Ware(6, decimal("-7"), rebate: 2, kind: "b"),
                        Ware(7, decimal("1e-30"), kind: "c"), Ware(8, 5, kind: "d"),
                    ]
            )
            let byKind = Ware.all.grouped(by: \.kind)
            let told = try await client.fetch(
                byKind.select(.sum(\.price), .average(\.price), .sum(\.rebate), .max(\.price))
            )
            try expectEqual(told.map(\.key), ["a", "b", "c", "d"])
            let prices = [decimal("0.3"), 0, decimal("1e-30"), 5]
            try expectEqual(told.map(\.values.0), prices)
            try expectEqual(told.map(\.values.1), [0.15, 0, 1e-30, 5])
            try expectEqual(told.map(\.values.2), [0, 2, 0, 0])
            try expectEqual(told.map(\.values.3), [decimal("0.2"), 7, decimal("1e-30"), 5])
            func kinds(
                _ condition: (GroupFields<Ware>) -> GroupCondition<Ware>
            ) async throws -> [String] {
                try await client.fetch(byKind.having(condition).select(.count)).map(\.key)
            }
            let few = decimal("0.3")
            try expectEqual(try await kinds { $0.sum(\.price) == few }, ["a"])
            try expectEqual(try await kinds { $0.sum(\.price) < few }, ["b", "c"])
            try expectEqual(try await kinds { $0.sum(\.price) != few }, ["b", "c", "d"])
            try expectEqual(try await kinds { $0.sum(\.rebate) == 0 }, ["a", "c", "d"])
            try expectEqual(try await kinds { $0.sum(\.rebate) >= 1 }, ["b"])
            try expectEqual(try await kinds { $0.average(\.price) > 0.1 }, ["a", "d"])
            // One of several has too many digits.
            try await client.insert(Ware(9, decimal("1e25"), kind: "c"))
            let sums = byKind.select(.sum(\.price))
            let error = try await expectError(.invalidValue) { _ = try await client.fetch(sums) }
            try expectEqual(error.field, "price")
            try await expectError(.invalidValue) { _ = try await kinds { $0.sum(\.price) > 1 } }
        },
        promise(.relationships, "a sum of decimals that are held is compared exactly") { client in
            let dear = Ware(4, decimal("1e25"))
            let tiny = Ware(5, decimal("1e-25"), rebate: 1)
            try await client.insert([
                Basket(1, wares(["0.1", "0.2"]), gift: dear), Basket(2),
                Basket(3, [Ware(3, decimal("-0.25"), rebate: 3)], gift: tiny),
                // More digits than a decimal has, which are compared all the same.
                Basket(4, [dear, tiny]),
            ])
            func find(
                _ condition: @escaping @Sendable (Fields<Basket>) -> Condition<Basket>
            ) async throws -> [Int] {
                try await client.fetch(Basket.where(condition)).map(\.id)
            }
            let few = decimal("0.3")
            try expectEqual(try await find { $0.wares.sum(\.price) == few }, [1])
            try expectEqual(try await find { $0.wares.sum(\.price) != few }, [2, 3, 4])
            try expectEqual(try await find { $0.wares.sum(\.price) > dear.price }, [4])
            try expectEqual(try await find { $0.wares.sum(\.price) <= dear.price }, [1, 2, 3])
            try expectEqual(try await find { $0.wares.sum(\.price) < 0 }, [3])
            try expectEqual(try await find { $0.wares.sum(\.price) == 0 }, [2])
            try expectEqual(try await find { $0.wares.sum(\.rebate) >= 0 }, [1, 2, 3, 4])
            try expectEqual(try await find { $0.wares.sum(\.rebate) == 1 }, [4])
            try expectEqual(try await find { $0.wares.average(\.price) == 0.15 }, [1])
            try expectEqual(try await find { $0.wares.average(\.price) == nil }, [2])
            try expectEqual(try await find { $0.wares.average(\.price) < 0.1 }, [3])
            let some = Basket.where { $0.id != 4 }
            try expectEqual(
                try await client.aggregate(.sum, of: Basket.all) { $0.gift.rebate },
                try StorageValue(storing: Decimal(1))
            )
            try expectEqual(
                try await client.aggregate(.average, of: some) { $0.gift.price },
                .real(1e25 / 2)
            )
            try await expectError(.invalidValue) {
                _ = try await client.aggregate(.sum, of: some) { $0.gift.price }
            }
        },
        promise(.dynamic, "a sum of decimals by name", requires: [.aggregates]) { client in
            try await client.insert(wares(["0.1", "0.2"]))
            let all = DynamicRequest(Ware.schema.entity)
            let sum = try await client.aggregate(.sum, "price", of: all)
            try expectEqual(sum, .decimal(decimal("0.3")))
            try expectEqual(try await client.aggregate(.average, "price", of: all), 0.15)
        },
    ]
}
