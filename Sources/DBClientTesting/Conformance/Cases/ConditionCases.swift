import DBClientCore
import Foundation

/// What conditions mean.
///
/// Each case asks for keys and compares them with those that must match.
enum ConditionCases {
    static let all = comparisons + combinations

    /// Checks which of the values 1, 2, … fulfil each condition.
    private static func matching<Model: Stored>(
        _ name: String,
        _ models: [Model],
        _ conditions: [(FetchRequest<Model>, [Int])]
    ) -> ConformanceCase where Model.PrimaryKey == Int {
        promise(.conditions, name) { client in
            try await client.insert(models)
            for (position, (request, expected)) in conditions.enumerated() {
                let found = try await client.fetch(request).map(\.primaryKey)
                try expectEqual(found, expected, "condition \(position):")
                let count = try await client.count(request)
                try expectEqual(count, expected.count, "count of condition \(position):")
            }
        }
    }

    private static let comparisons: [ConformanceCase] = [
        matching(
            "integers compare as numbers",
            [-5, 0, 9, 10, 100].enumerated().map {
                Hero($0 + 1, publisherId: $1)
            },
            [
                (Hero.where { $0.publisherId == 9 }, [3]),
                (Hero.where { $0.publisherId != 9 }, [1, 2, 4, 5]),
                (Hero.where { $0.publisherId < 10 }, [1, 2, 3]),
                (Hero.where { $0.publisherId <= 10 }, [1, 2, 3, 4]),
                (Hero.where { $0.publisherId > 9 }, [4, 5]),
                (Hero.where { $0.publisherId >= 9 }, [3, 4, 5]),
                (Hero.where { $0.id < 2 }, [1]), (Hero.where { $0.id >= 4 }, [4, 5]),
            ]
        ),
        matching(
            "doubles compare as numbers",
            [-1.5, 0, 0.1, 2, .infinity].enumerated().map {
                Hero($0 + 1, power: $1)
            },
            [
                (Hero.where { $0.power == 0.1 }, [3]),
                (Hero.where { $0.power != 0.1 }, [1, 2, 4, 5]),
                (Hero.where { $0.power < 0.1 }, [1, 2]),
                (Hero.where { $0.power <= 2 }, [1, 2, 3, 4]),
                (Hero.where { $0.power > 2 }, [5]), (Hero.where { $0.power >= 2 }, [4, 5]),
                (Hero.where { $0.power < .infinity }, [1, 2, 3, 4]),
            ]
        ),
        matching(
            "text compares by its bytes",
            ["", "A", "B", "a", "ab", "é"].enumerated().map {
                Hero($0 + 1, $1)
            },
            [
                (Hero.where { $0.name == "a" }, [4]),
                (Hero.where { $0.name != "a" }, [1, 2, 3, 5, 6]),
                (Hero.where { $0.name < "a" }, [1, 2, 3]),
                (Hero.where { $0.name <= "a" }, [1, 2, 3, 4]),
                (Hero.where { $0.name > "a" }, [5, 6]), (Hero.where { $0.name >= "ab" }, [5, 6]),
                (Hero.where { $0.name > "z" }, [6]), (Hero.where { $0.name == "" }, [1]),
            ]
        ),
        matching(
            "dates and booleans compare",
            [1, 2, 3].map {
                Hero($0, createdAt: Date(timeIntervalSince1970: Double($0)), isActive: $0 != 2)
            },
            [
                (Hero.where { $0.createdAt == Date(timeIntervalSince1970: 2) }, [2]),
                (Hero.where { $0.createdAt < Date(timeIntervalSince1970: 2.5) }, [1, 2]),
                (Hero.where { $0.createdAt >= Date(timeIntervalSince1970: 2) }, [2, 3]),
                (Hero.where { $0.isActive == true }, [1, 3]),
                (Hero.where { $0.isActive != true }, [2]),
            ]
        ),
        matching(
            "decimals, UUIDs, data and URLs compare",
            scalars,
            [
                (EveryType.where { $0.decimal == 10 }, [3]),
                (EveryType.where { $0.decimal > 2 }, [2, 3]),
                (EveryType.where { $0.decimal < -1 }, [1]),
                (EveryType.where { $0.uuid == scalars[1].uuid }, [2]),
                (EveryType.where { $0.uuid != scalars[1].uuid }, [1, 3]),
                (EveryType.where { $0.data == Data([0]) }, [2]),
                (EveryType.where { $0.data == Data() }, [1]),
                (EveryType.where { $0.url == scalars[2].url }, [3]),
                (EveryType.where { $0.optionalDecimal == nil }, [1, 2, 3]),
            ]
        ),
        matching(
            "enums compare by their raw values",
            enums,
            [
                (EveryType.where { $0.mood == .angry }, [2]),
                (EveryType.where { $0.mood != .angry }, [1, 3]),
                (EveryType.where { $0.level == .high }, [3]),
                (EveryType.where { $0.optionalMood == .calm }, [1]),
                (EveryType.where { $0.optionalMood != .calm }, [2, 3]),
                (EveryType.where { $0.optionalLevel == nil }, [1, 2]),
                (EveryType.where { $0.mood.isIn([.calm, .élan]) }, [1, 3]),
            ]
        ),
        matching(
            "nil is equal to nil alone, and never less or greater",
            optionals,
            [
                (Hero.where { $0.publisherId == nil }, [1, 4]),
                (Hero.where { $0.publisherId != nil }, [2, 3]),
                (Hero.where { $0.publisherId == 5 }, [2]),
                (Hero.where { $0.publisherId != 5 }, [1, 3, 4]),
                (Hero.where { $0.publisherId < 100 }, [2, 3]),
                (Hero.where { $0.publisherId > -100 }, [2, 3]),
                (Hero.where { $0.bio == nil }, [1, 2]), (Hero.where { $0.bio != "b" }, [1, 2, 3]),
                (Hero.where { $0.bio >= "a" }, [3, 4]),
            ]
        ),
        matching(
            "the negation of a comparison with nil is true",
            optionals,
            [
                (Hero.where { !($0.publisherId == 5) }, [1, 3, 4]),
                (Hero.where { !($0.publisherId != 5) }, [2]),
                (Hero.where { !($0.publisherId < 6) }, [1, 3, 4]),
                (Hero.where { !($0.publisherId == nil) }, [2, 3]),
                (Hero.where { !($0.publisherId < 6 || $0.bio == "b") }, [1, 3]),
                (Hero.where { !($0.publisherId > 0 && $0.bio != nil) }, [1, 2, 4]),
                (Hero.where { !(!($0.publisherId < 6)) }, [2]),
            ]
        ),
        matching(
            "one of a list, which may hold nil or nothing",
            optionals,
            [
                (Hero.where { $0.id.isIn([4, 2, 9]) }, [2, 4]),
                (Hero.where { $0.id.isIn([]) }, []),
                (Hero.where { !$0.id.isIn([]) }, [1, 2, 3, 4]),
                (Hero.where { $0.publisherId.isIn([5, 7]) }, [2, 3]),
                (Hero.where { $0.publisherId.isIn([5, nil]) }, [1, 2, 4]),
                (Hero.where { $0.publisherId.isIn([nil]) }, [1, 4]),
                (Hero.where { !$0.publisherId.isIn([5]) }, [1, 3, 4]),
                (Hero.where { !$0.publisherId.isIn([5, nil]) }, [3]),
                (Hero.where { $0.name.isIn(["Hero 1", "Hero 1", "x"]) }, [1]),
            ]
        ),
        matching(
            "ranges include their lower end, and their upper end when closed",
            (1...5).map { Hero($0, publisherId: $0 == 5 ? nil : $0, power: Double($0)) },
            [
                (Hero.where { $0.id.isBetween(2...4) }, [2, 3, 4]),
                (Hero.where { $0.id.isBetween(2..<4) }, [2, 3]),
                (Hero.where { $0.power.isBetween(1.5...3) }, [2, 3]),
                (Hero.where { $0.name.isBetween("Hero 2"..<"Hero 4") }, [2, 3]),
                (Hero.where { $0.publisherId.isBetween(0...9) }, [1, 2, 3, 4]),
                (Hero.where { !$0.publisherId.isBetween(2...9) }, [1, 5]),
                (Hero.where { $0.id.isBetween(3..<3) }, []),
            ]
        ),
    ]

    private static let combinations: [ConformanceCase] = [
        matching(
            "and, or and not nest",
            (1...8).map { Hero($0, power: Double($0), isActive: $0 % 2 == 0) },
            [
                (Hero.where { $0.isActive == true && $0.power > 4 }, [6, 8]),
                (Hero.where { $0.power < 2 || $0.power > 7 }, [1, 8]),
                (
                    Hero.where {
                        ($0.isActive == true || $0.power == 3) && !($0.power > 5 || $0.id == 2)
                    }, [3, 4]
                ),
                (Hero.where { !($0.power > 2) && !($0.isActive == true) }, [1]),
                (Hero.where { _ in .constant(true) }, [1, 2, 3, 4, 5, 6, 7, 8]),
                (Hero.where { _ in .constant(false) }, []),
                (Hero.where { Condition.constant(false) || $0.id == 3 }, [3]),
                (Hero.where { !Condition.constant(true) || $0.id == 3 }, [3]),
            ]
        ),
        matching(
            "filters compose with and",
            (1...5).map { Hero($0) },
            [
                (Hero.where { $0.id > 1 }.filter { $0.id < 4 }.filter { $0.id != 2 }, [3]),
                (Hero.all.sorted { $0.id.descending }.filter { $0.id < 3 }, [2, 1]),
                (Hero.all.limit(2).filter { $0.id > 2 }, [3, 4]),
            ]
        ),
        matching(
            "conditions reach into embedded values",
            places,
            [
                (EveryType.where { $0.place.city == "Gotham" }, [2]),
                (EveryType.where { $0.place.zip == nil }, [1, 3]),
                (EveryType.where { $0.place.zip > 1 }, [2]),
                (EveryType.where { $0.optionalPlace == nil }, [1]),
                (EveryType.where { $0.optionalPlace != nil }, [2, 3]),
                (EveryType.where { $0.optionalPlace.city == "Metropolis" }, [3]),
                (EveryType.where { $0.optionalPlace.city != "Metropolis" }, [1, 2]),
                (EveryType.where { $0.optionalPlace.zip == nil }, [1, 2]),
                (EveryType.where { $0.optionalPlace.city.hasPrefix("Metro") }, [3]),
            ]
        ),
    ]

    private static let scalars: [EveryType] = (1...3).map {
        var value = EveryType($0)
        value.decimal = [-2, Decimal(sign: .plus, exponent: -1, significand: 95), 10][$0 - 1]
        value.uuid = UUID(
            uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255)
        )
        value.data = Data(repeating: 0, count: $0 - 1)
        value.url = URL(string: "https://example.org/\($0)") ?? value.url
        return value
    }

    private static let enums: [EveryType] = zip(Mood.allCases, Level.allCases).enumerated().map {
        var value = EveryType($0 + 1)
        (value.mood, value.level) = $1
        value.optionalMood = $0 == 0 ? .calm : $0 == 1 ? nil : .angry
        value.optionalLevel = $0 == 2 ? .low : nil
        return value
    }

    private static let optionals = [
        Hero(1), Hero(2, publisherId: 5), Hero(3, publisherId: 7, bio: "a"), Hero(4, bio: "b"),
    ]

    private static let places: [EveryType] = (1...3).map {
        var value = EveryType($0)
        if $0 == 2 { value.place = Place("Gotham", zip: 2) }
        if $0 == 2 { value.optionalPlace = Place("Star City") }
        if $0 == 3 { value.optionalPlace = Place("Metropolis", zip: 3) }
        return value
    }
}

extension Stored {
    /// Returns a condition as a value.
    static func condition(_ build: (Fields<Self>) -> Condition<Self>) -> Condition<Self> {
        Condition(build)
    }
}
