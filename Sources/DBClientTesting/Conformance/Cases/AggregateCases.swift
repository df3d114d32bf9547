import DBClientCore
import Foundation

/// Functions over a field, and its distinct values.
enum AggregateCases {
    static let all: [ConformanceCase] = aggregates + distinct

    private static func aggregating(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(.aggregates, name, requires: [.aggregates], run: run)
    }

    private static func distinguishing(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(.distinct, name, requires: [.aggregates], run: run)
    }

    private static let aggregates: [ConformanceCase] = [
        aggregating("of nothing there is no minimum, maximum or average, and the sum is zero") {
            client in
            try expectEqual(try await client.min(\.power, of: Hero.all), nil)
            try expectEqual(try await client.max(\.name, of: Hero.all), nil)
            try expectEqual(try await client.average(\.power, of: Hero.all), nil)
            try expectEqual(try await client.sum(\.power, of: Hero.all), 0)
            try expectEqual(try await client.sum(\.id, of: Hero.all), 0)
            try await client.insert([Hero(1), Hero(2)])
            try expectEqual(try await client.max(\.publisherId, of: Hero.all), nil)
            try expectEqual(try await client.sum(\.publisherId, of: Hero.all), 0)
            try expectEqual(try await client.average(\.publisherId, of: Hero.all), nil)
        },
        aggregating("minimum and maximum of every comparable type") { client in
            var values = [EveryType(1), EveryType.full(2), EveryType(3)]
            values[0].text = "Z"
            values[2].text = "a"
            values[2].decimal = 9
            values[0].decimal = 10
            try await client.insert(values)
            try expectEqual(try await client.min(\.int64, of: EveryType.all), -64_000_000_000)
            try expectEqual(
                try await client.max(\.uint64, of: EveryType.all),
                9_000_000_000_000_000_000
            )
            try expectEqual(try await client.max(\.float, of: EveryType.all), 0.1)
            try expectEqual(try await client.max(\.text, of: EveryType.all), values[1].text)
            try expectEqual(try await client.min(\.text, of: EveryType.all), "Z")
            try expectEqual(try await client.max(\.date, of: EveryType.all), values[1].date)
            try expectEqual(try await client.max(\.decimal, of: EveryType.all), 10)
            try expectEqual(try await client.min(\.decimal, of: EveryType.all), values[1].decimal)
            try expectEqual(try await client.max(\.optionalDouble, of: EveryType.all), 0.1)
        },
        aggregating("a sum of floats is a float, and one that no float holds is refused") {
            client in
            let floats: [Float] = [0.1, 0.2, 16_777_216]
            try await client.insert(
                floats.enumerated().map { index, float in
                    var value = EveryType(index)
                    value.float = float
                    value.optionalFloat = index == 0 ? nil : float
                    return value
                }
            )
            let sum = floats.reduce(0.0) { $0 + Double($1) }
            try expectEqual(try await client.sum(\.float, of: EveryType.all), Float(sum))
            let small = EveryType.where { $0.id < 2 }
            try expectEqual(try await client.sum(\.optionalFloat, of: small), 0.2)
            let groups = EveryType.all.grouped(by: \.flag).select(.sum(\.float))
            try expectEqual(try await client.fetch(groups).map(\.values), [Float(sum)])
            let largest = Float.greatestFiniteMagnitude
            try await client.insert([EveryType(3), EveryType(4)])
            try await client.update(EveryType.where { $0.id >= 3 }) { $0.set(\.float, to: largest) }
            try await expectError(.invalidValue) {
                _ = try await client.sum(\.float, of: EveryType.all)
            }
        },
        aggregating("a condition, a limit and an offset choose the values") { client in
            try await client.insert((1...6).map { Hero($0, power: Double($0)) })
            let some = Hero.where { $0.id != 6 }
            try expectEqual(try await client.sum(\.power, of: some), 15)
            let window = some.sorted { $0.power.descending }.offset(1).limit(2)
            try expectEqual(try await client.sum(\.id, of: window), 7)
            try expectEqual(try await client.max(\.power, of: window), 4)
            try expectEqual(try await client.min(\.power, of: window), 3)
            try expectEqual(try await client.average(\.power, of: window), 3.5)
            try expectEqual(try await client.sum(\.id, of: some.limit(0)), 0)
        },
        aggregating("a sum beyond Int64 is a typed error") { client in
            try await client.insert([Hero(1, publisherId: .max), Hero(2, publisherId: 1)])
            let error = try await expectError(.invalidValue) {
                _ = try await client.sum(\.publisherId, of: Hero.all)
            }
            try expectEqual(error.entity, "Hero")
            try await client.update([Hero(1, publisherId: .min), Hero(2, publisherId: -1)])
            try await expectError(.invalidValue) {
                _ = try await client.sum(\.publisherId, of: Hero.all)
            }
        },
        aggregating("a sum that fits is exact, whatever its parts come to") { client in
            try await client.insert([
                Hero(1, publisherId: .max), Hero(2, publisherId: 1), Hero(3, publisherId: -1),
            ])
            try expectEqual(try await client.sum(\.publisherId, of: Hero.all), .max)
            try expectEqual(
                try await client.sum(\.publisherId, of: Hero.all.sorted { $0.publisherId }),
                .max
            )
        },
        aggregating("a sum beyond the field's own type is a typed error") { client in
            var values = [EveryType(1), EveryType(2)]
            (values[0].int8, values[1].int8) = (100, 100)
            try await client.insert(values)
            try await expectError(.invalidValue) {
                _ = try await client.sum(\.int8, of: EveryType.all)
            }
        },
        aggregating("an average is a double, also of integers too large to sum") { client in
            try await client.insert([Hero(1, publisherId: 1), Hero(2, publisherId: 2)])
            try expectEqual(try await client.average(\.publisherId, of: Hero.all), 1.5)
            try await client.update([Hero(1, publisherId: .max), Hero(2, publisherId: .max)])
            let average = try await client.average(\.publisherId, of: Hero.all) ?? 0
            try expect(abs(average / Double(Int.max) - 1) < 1e-12, "found \(average)")
        },
        aggregating("an average of integers is that of their exact sum, in any order") { client in
            let samples: [([Int], Double)] = [
                ([.max, 3, -.max], 1), ([-.max, .max, 3], 1), ([.min, .min], -0x1p63),
                ([1 << 53, 1, 1], Double(1 << 53 + 2) / 3), ([-1, -1, 1], -1.0 / 3),
            ]
            for (number, sample) in samples.enumerated() {
                try await client.insert(
                    sample.0.enumerated().map {
                        Hero(number * 10 + $0, publisherId: $1, power: Double(number))
                    }
                )
                let some = Hero.where { $0.power == Double(number) }
                for request in [some, some.sorted { $0.publisherId.descending }.limit(9)] {
                    let average = try await client.average(\.publisherId, of: request)
                    try expectEqual(average, sample.1, "sample \(number):")
                }
            }
            let groups = Hero.all.grouped(by: \.power)
            try expectEqual(
                try await client.fetch(groups.select(.average(\.publisherId))).map(\.values),
                samples.map(\.1)
            )
            let ones = groups.having { $0.average(\.publisherId) == 1 }.select(.count)
            try expectEqual(try await client.fetch(ones).map(\.key), [0, 1])
        },
        aggregating("an average of integers is their sum as a double by how many they are") {
            client in
            // Divided exactly the large ones would come to others, and each in too few decimal digits.
            let samples: [([Int], Double)] = [
                ([41_882, 0, 0], 41_882.0 / 3),
                ([3, 8, -1, 10, 5, -1, -6, -5, 5, 7, 5], 30.0 / 11),
                ([1 << 53, 1, 0], 0x1p53 / 3), ([.max, .max, .max - 1_535], 0x1p63),
                ([.min, .min, .min + 1_538], -0x1p63),
            ]
            for (number, sample) in samples.enumerated() {
                try await client.insert(
                    sample.0.enumerated().map {
                        Hero(number * 100 + $0, publisherId: $1, power: Double(number))
                    }
                )
                let some = Hero.where { $0.power == Double(number) }
                for request in [some, some.sorted { $0.publisherId.descending }.limit(99)] {
                    let average = try await client.average(\.publisherId, of: request)
                    try expectEqual(average, sample.1, "sample \(number):")
                }
                let equal = Hero.all.grouped(by: \.power)
                    .having { $0.average(\.publisherId) == sample.1 }.select(.count)
                try expectEqual(try await client.fetch(equal).map(\.key), [Double(number)])
            }
            let groups = Hero.all.grouped(by: \.power)
            try expectEqual(
                try await client.fetch(groups.select(.average(\.publisherId))).map(\.values),
                samples.map(\.1)
            )
        },
        aggregating("a sum of doubles") { client in
            try await client.insert((1...100).map { Hero($0, power: Double($0) / 10) })
            let sum = try await client.sum(\.power, of: Hero.all)
            try expect(abs(sum - 505) < 1e-9, "found \(sum)")
            let average = try await client.average(\.power, of: Hero.all) ?? 0
            try expect(abs(average - 5.05) < 1e-9, "found \(average)")
        },
        aggregating("text has no sum and no average") { client in
            try await client.insert(Hero(1, "5"))
            let error = try await expectError(.invalidRequest) {
                _ = try await client.average(\.name, of: Hero.all)
            }
            try expectEqual(error.field, "name")
            try await expectError(.invalidRequest) {
                _ = try await client.aggregate(.sum, \.createdAt, of: Hero.all)
            }
        },
        aggregating("a property that is not stored has no minimum") { client in
            try await expectError(.invalidRequest) {
                _ = try await client.max(\.shout, of: Hero.all)
            }
        },
    ]

    private static let distinct: [ConformanceCase] = [
        distinguishing("text is told apart by its bytes") { client in
            let names = ["b", "a", "A", "\u{E9}", "e\u{301}", "a", "", "b"]
            try await client.insert(names.enumerated().map { Hero($0, $1) })
            try expectSameText(
                try await client.distinct(\.name, of: Hero.all),
                ["", "A", "a", "b", "e\u{301}", "\u{E9}"]
            )
        },
        distinguishing("of nothing there are none, of nil there is one") { client in
            try expectEqual(try await client.distinct(\.bio, of: Hero.all), [])
            try await client.insert([Hero(1), Hero(2)])
            try expectEqual(try await client.distinct(\.bio, of: Hero.all), [nil])
        },
        distinguishing("a condition, a limit and an offset choose the values") { client in
            try await client.insert((0..<10).map { Hero($0, power: Double($0 % 4)) })
            let some = Hero.where { $0.id > 5 }
            try expectEqual(try await client.distinct(\.power, of: some), [0, 1, 2, 3])
            let window = Hero.all.sorted { $0.id.descending }.offset(1).limit(2)
            try expectEqual(try await client.distinct(\.power, of: window), [0, 3])
            try expectEqual(try await client.distinct(\.id, of: Hero.all.limit(0)), [])
        },
        distinguishing("of every kind of field") { client in
            var values = (1...4).map { EveryType($0) }
            for index in [1, 3] { values[index] = EveryType.full(index + 1) }
            let full = values[1]
            try await client.insert(values)
            try expectEqual(try await client.distinct(\.flag, of: EveryType.all), [false, true])
            try expectEqual(try await client.distinct(\.mood, of: EveryType.all), [.calm, .élan])
            try expectEqual(
                try await client.distinct(\.decimal, of: EveryType.all),
                [full.decimal, 0]
            )
            try expectEqual(
                try await client.distinct(\.optionalDate, of: EveryType.all),
                [nil, full.date]
            )
            try expectEqual(
                try await client.distinct(\.optionalData, of: EveryType.all),
                [nil, full.data]
            )
            try expectEqual(
                try await client.distinct(\.uuid, of: EveryType.all),
                [EveryType.zeroUUID, full.uuid]
            )
        },
    ]
}
