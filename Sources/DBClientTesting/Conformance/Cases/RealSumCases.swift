import DBClientCore

/// Sums and averages of doubles: exact, and rounded once, also at the ends of their range and beyond.
enum RealSumCases {
    static let all: [ConformanceCase] = sums + groups + conditions

    /// Powers, and what they come to.
    private struct Sample {
        let powers: [Double]
        let sum: Double
        let average: Double

        init(_ powers: [Double], sum: Double, average: Double) {
            self.powers = powers
            self.sum = sum
            self.average = average
        }
    }

    private static let large = Double.greatestFiniteMagnitude
    private static let tiny = Double.leastNonzeroMagnitude * 1_024
    private static let least = Double.leastNonzeroMagnitude
    private static let samples = [
        Sample([.infinity, 1], sum: .infinity, average: .infinity),
        Sample([-.infinity, large], sum: -.infinity, average: -.infinity),
        Sample([.infinity, 1, -.infinity], sum: .nan, average: .nan),
        Sample([.infinity, -large, -large], sum: .infinity, average: .infinity),
        Sample([large, large], sum: .infinity, average: large),
        Sample([-large, -large, -large, -large], sum: -.infinity, average: -large),
        Sample([large, large, -large, -large], sum: 0, average: 0),
        Sample([large, large, 6, -large, -large, 4], sum: 10, average: 10.0 / 6),
        Sample([0x1p1023, 0x1p980, -0x1p1023], sum: 0x1p980, average: 0x1p980 / 3),
        Sample([1e299, 1e299], sum: 2e299, average: 1e299),
        Sample([1e300, tiny], sum: 1e300, average: 1e300 / 2),
        Sample([1e200, 3e200], sum: 1e200 + 3e200, average: (1e200 + 3e200) / 2),
        Sample([tiny, tiny * 2], sum: tiny * 3, average: tiny * 3 / 2),
        Sample([0.5], sum: 0.5, average: 0.5),
        Sample([1e16, 1, 1, 1, -1e16, 0.1, 0.2, 0.3, 0.7], sum: 4.3, average: 4.3 / 9),
        Sample([0.7, 1e16, 0.1, 1, 0.3, 1, -1e16, 1, 0.2], sum: 4.3, average: 4.3 / 9),
        Sample([0x1p53, 1, 0x1p-200], sum: 0x1p53 + 2, average: (0x1p53 + 2) / 3),
        Sample([1e300, 1, -1e300, 1e-300, -1], sum: 1e-300, average: 1e-300 / 5),
        Sample([least, 0], sum: least, average: 0),
        Sample([-least, 0, 0], sum: -least, average: 0),
        Sample([least * 3, 0], sum: least * 3, average: least * 2),
    ]

    /// The heroes of all samples, each sample under a publisher of its number.
    private static var heroes: [Hero] {
        samples.enumerated().flatMap { number, sample in
            sample.powers.enumerated().map {
                Hero(number * 10 + $0, publisherId: number, power: $1)
            }
        }
    }

    private static func expectSame(
        _ value: Double?,
        _ expected: Double,
        _ comment: String
    ) throws {
        if let value, value.isNaN && expected.isNaN {
            return try expectEqual(value.sign, .plus, comment)
        }
        try expectEqual(value, expected, comment)
    }

    private static let sums: [ConformanceCase] = [
        promise(
            .aggregates,
            "only a whole sum of doubles leaves the range",
            requires: [.aggregates]
        ) { client in
            try await client.insert(heroes)
            let entity = Hero.schema.entity
            for (number, sample) in samples.enumerated() {
                let some = Hero.where { $0.publisherId == number }
                for request in [
                    some, some.sorted { $0.power }, some.sorted { $0.id.descending }.limit(9),
                ] {
                    let sum = try await client.sum(\.power, of: request)
                    try expectSame(sum, sample.sum, "sum \(number):")
                    let average = try await client.average(\.power, of: request)
                    try expectSame(average, sample.average, "average \(number):")
                }
                let named = DynamicRequest(entity).filter(
                    .field("publisherId", .equal, .integer(Int64(number)))
                )
                guard case .real(let sum) = try await client.aggregate(.sum, "power", of: named)
                else { throw ConformanceFailure("The dynamic sum \(number) is no double.") }
                try expectSame(sum, sample.sum, "dynamic sum \(number):")
            }
            let none = Hero.where { $0.publisherId == 999 }
            try expectEqual(try await client.sum(\.power, of: none), 0)
            try expectEqual(try await client.average(\.power, of: none), nil)
        },
        promise(
            .aggregates,
            "a sum of doubles does not depend on the order of the rows",
            requires: [.aggregates]
        ) { client in
            var generator = SeededGenerator(seed: 33)
            let heroes = (0..<400).map { id in
                // Near each other in the first groups, anywhere in the others.
                let width = (id % 8) * (id % 8) * 18
                let power = Double.random(in: -1...1, using: &generator)
                let exponent = Int.random(in: -width...width, using: &generator)
                let scale = Double(sign: .plus, exponent: exponent, significand: 1)
                return Hero(id, publisherId: id % 8, power: power * scale)
            }
            try await client.insert(heroes.shuffled(using: &generator))
            func sum(_ heroes: some Sequence<Hero>) -> RealSum {
                heroes.reduce(into: RealSum()) { $0.add($1.power) }
            }
            for request in [
                Hero.all, Hero.all.sorted { $0.power },
                Hero.all.sorted { $0.power.descending }.limit(400),
                Hero.all.sorted { $0.name }.limit(1_000),
            ] {
                try expectEqual(try await client.sum(\.power, of: request), sum(heroes).value)
                try expectEqual(
                    try await client.average(\.power, of: request),
                    sum(heroes).divided(by: 400)
                )
            }
            let groups = try await client.fetch(
                Hero.all.grouped(by: \.publisherId).select(.sum(\.power), .average(\.power))
            )
            for group in groups {
                let own = heroes.filter { $0.publisherId == group.key }
                try expectEqual(group.values.0, sum(own).value)
                try expectEqual(group.values.1, sum(own).divided(by: own.count))
                let equal = Hero.all.grouped(by: \.publisherId).having {
                    $0.sum(\.power) == sum(own).value
                }
                try expectEqual(
                    try await client.fetch(equal.select(.count)).map(\.key),
                    [group.key]
                )
            }
        },
        promise(
            .aggregates,
            "a transaction goes on after a sum that left the range",
            requires: [.aggregates]
        ) { client in
            try await client.insert(heroes)
            let sum = try await client.write { transaction in
                let sum = try transaction.sum(\.power, of: Hero.where { $0.publisherId == 4 })
                try transaction.insert(Hero(999, power: 1))
                return sum
            }
            try expectEqual(sum, .infinity)
            try expectEqual(try await client.exists(Hero.self, key: 999), true)
        },
        promise(.aggregates, "opposite infinities of floats are no number", requires: [.aggregates])
        { client in
            var values = [EveryType(1), EveryType(2)]
            values[0].float = .infinity
            values[1].float = -.infinity
            values[0].optionalFloat = -.infinity
            try await client.insert(values)
            try expectEqual(try await client.sum(\.float, of: EveryType.all).isNaN, true)
            try expectEqual(
                try await client.average(\.float, of: EveryType.all).map(\.isNaN),
                true
            )
            try expectEqual(
                try await client.sum(\.optionalFloat, of: EveryType.all),
                -.infinity
            )
            let groups = try await client.fetch(
                EveryType.all.grouped(by: \.flag).select(.sum(\.float), .sum(\.optionalFloat))
            )
            try expectEqual(groups.map(\.values.0.isNaN), [true])
            try expectEqual(groups.map(\.values.1), [-.infinity])
        },
    ]

    private static let groups: [ConformanceCase] = [
        promise(.grouping, "only a whole sum of doubles leaves the range", requires: [.aggregates])
        { client in
            try await client.insert(heroes)
            let rows = try await client.fetch(
                Hero.all.grouped(by: \.publisherId).select(.sum(\.power), .average(\.power))
            )
            try expectEqual(rows.map(\.key), Array(samples.indices))
            for (row, sample) in zip(rows, samples) {
                try expectSame(row.values.0, sample.sum, "sum \(row.key ?? -1):")
                try expectSame(row.values.1, sample.average, "average \(row.key ?? -1):")
            }
        },
        promise(.grouping, "what is no number differs from every number", requires: [.aggregates]) {
            client in
            try await client.insert(heroes)
            func keys(
                _ condition: (GroupFields<Hero>) -> GroupCondition<Hero>
            ) async throws -> [Int?] {
                try await client.fetch(
                    Hero.all.grouped(by: \.publisherId).having(condition).select(.count)
                )
                .map(\.key)
            }
            try expectEqual(try await keys { $0.sum(\.power) > 1e300 }, [0, 3, 4])
            try expectEqual(try await keys { $0.sum(\.power) < -1e300 }, [1, 5])
            try expectEqual(try await keys { $0.sum(\.power) == .infinity }, [0, 3, 4])
            try expectEqual(
                try await keys { $0.sum(\.power) != .infinity && $0.min(\.id) < 30 },
                [1, 2]
            )
            try expectEqual(try await keys { $0.sum(\.power) >= -.infinity }.contains(2), false)
            try expectEqual(
                try await keys { !($0.sum(\.power) <= .infinity) },
                [2]
            )
            try expectEqual(try await keys { $0.average(\.power) == nil }, [])
            try expectEqual(try await keys { $0.average(\.power) == large }, [4])
            try expectEqual(try await keys { $0.sum(\.power) == 0 }, [6])
        },
    ]

    private static let conditions: [ConformanceCase] = [
        promise(.relationships, "only a whole total of doubles leaves the range") { client in
            try await client.insert(
                samples.indices.map { number in
                    League(number, heroes: heroes.filter { $0.publisherId == number })
                }
            )
            func find(
                _ condition: (Fields<League>) -> Condition<League>
            ) async throws -> [Int] {
                try await client.fetch(League.where(condition)).map(\.id)
            }
            try expectEqual(try await find { $0.heroes.sum(\.power) > 1e300 }, [0, 3, 4])
            try expectEqual(try await find { $0.heroes.sum(\.power) < -1e300 }, [1, 5])
            try expectEqual(try await find { $0.heroes.sum(\.power) == 0 }, [6])
            try expectEqual(try await find { $0.heroes.sum(\.power) == 10 }, [7])
            try expectEqual(try await find { $0.heroes.average(\.power) >= large }, [0, 3, 4])
            try expectEqual(
                try await find { $0.heroes.average(\.power) == (1e200 + 3e200) / 2 },
                [11]
            )
            try expectEqual(try await find { $0.heroes.sum(\.power) == 4.3 }, [14, 15])
            try expectEqual(
                try await find { !($0.heroes.average(\.power) <= .infinity) },
                [2]
            )
        },
        promise(.relationships, "only a whole sum of what values hold leaves the range") {
            client in
            try await client.insert(heroes.map { Sponsor($0.id, hero: $0) })
            for (number, sample) in samples.enumerated() {
                let some = Sponsor.where { $0.hero.publisherId == number }
                let sum = try await client.aggregate(.sum, of: some) { $0.hero.power }
                let average = try await client.aggregate(.average, of: some) { $0.hero.power }
                guard case .real(let sum) = sum, case .real(let average) = average else {
                    throw ConformanceFailure("The sum \(number) is no double.")
                }
                try expectSame(sum, sample.sum, "sum \(number):")
                try expectSame(average, sample.average, "average \(number):")
            }
        },
        observing("a sum that is no number is told once") { client in
            var sums = client.observe(Hero.all) { try $0.sum(\.power, of: Hero.all) }
                .makeAsyncIterator()
            try expectEqual(try await sums.next(), 0)
            try await client.insert([Hero(1, power: .infinity), Hero(2, power: -.infinity)])
            try expectEqual(try await sums.next()?.isNaN, true)
            try await client.insert(Hero(3, power: 5))
            try await client.delete(Hero.self, key: 2)
            try expectEqual(try await sums.next(), .infinity)
        },
    ]
}
