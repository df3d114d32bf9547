import DBClientCore
import Foundation

/// Conditions in as few words as they have, and what has none.
enum ShortConditionCases {
    static let all: [ConformanceCase] = [
        promise(.conditions, "a field that is true or false is a condition") { client in
            try await client.insert([Hero(1), Hero(2, isActive: false), Hero(3, power: 2)])
            func ids(_ request: FetchRequest<Hero>) async throws -> [Int] {
                try await client.fetch(request).map(\.id)
            }
            try expectEqual(try await ids(Hero.where { $0.isActive }), [1, 3])
            try expectEqual(try await ids(Hero.where { !$0.isActive }), [2])
            try expectEqual(
                try await ids(Hero.where { $0.power == 2 }.filter { $0.isActive }),
                [3]
            )
            try expectEqual(try await ids(Hero.where { !$0.isActive || $0.power > 1 }), [2, 3])
        },
        promise(.conditions, "text is empty when it is there and has nothing in it") { client in
            try await client.insert([Hero(1, "", bio: ""), Hero(2, " ", bio: nil)])
            try expectEqual(
                try await client.fetch(Hero.where { $0.name.isEmpty }).map(\.id),
                [1]
            )
            try expectEqual(try await client.fetch(Hero.where { $0.bio.isEmpty }).map(\.id), [1])
            try expectEqual(
                try await client.fetch(Hero.where { !$0.bio.isEmpty }).map(\.id),
                [2]
            )
        },
        promise(.conditions, "a list is empty when it is there and has nothing in it") { client in
            var absent = EveryType.full(2)
            absent.optionalTags = nil
            absent.optionalScores = nil
            var empty = EveryType(3)
            empty.optionalTags = []
            empty.optionalScores = [:]
            try await client.insert([EveryType.full(1), absent, empty])
            func ids(
                _ condition: (Fields<EveryType>) -> Condition<EveryType>
            ) async throws -> [Int] {
                try await client.fetch(EveryType.where(condition)).map(\.id)
            }
            try expectEqual(try await ids { $0.tags.isEmpty }, [3])
            try expectEqual(try await ids { !$0.numbers.isEmpty && !$0.scores.isEmpty }, [1, 2])
            try expectEqual(try await ids { $0.optionalTags.isEmpty }, [3])
            try expectEqual(try await ids { !$0.optionalScores.isEmpty }, [1, 2])
            let predicates = [
                #Predicate<EveryType> { $0.tags.isEmpty },
                #Predicate<EveryType> { $0.numbers.isEmpty },
                #Predicate<EveryType> { $0.scores.isEmpty },
            ]
            for predicate in predicates {
                let found = try await client.fetch(EveryType.all.filter(predicate))
                try expectEqual(found.map(\.id), [3])
            }
        },
        promise(.conditions, "ranges with one end, and lists and ranges asked for a field") {
            client in
            try await client.insert([
                Hero(1, publisherId: 1, power: 1), Hero(2, power: 2),
                Hero(3, publisherId: 3, power: 3),
            ])
            func ids(_ condition: (Fields<Hero>) -> Condition<Hero>) async throws -> [Int] {
                try await client.fetch(Hero.where(condition)).map(\.id)
            }
            try expectEqual(try await ids { $0.power.isBetween(2...) }, [2, 3])
            try expectEqual(try await ids { $0.power.isBetween(...2) }, [1, 2])
            try expectEqual(try await ids { $0.power.isBetween(..<2) }, [1])
            try expectEqual(try await ids { $0.publisherId.isBetween(1...) }, [1, 3])
            try expectEqual(try await ids { $0.publisherId.isBetween(...1) }, [1])
            try expectEqual(try await ids { $0.publisherId.isBetween(..<3) }, [1])
            try expectEqual(try await ids { (2...3).contains($0.id) }, [2, 3])
            try expectEqual(try await ids { (1..<3).contains($0.id) }, [1, 2])
            try expectEqual(try await ids { (0.5...1.5).contains($0.power) }, [1])
            try expectEqual(try await ids { [3, 1].contains($0.id) }, [1, 3])
            try expectEqual(try await ids { [nil, 3].contains($0.publisherId) }, [2, 3])
            let publishers: Set<Int> = [1, 2]
            try expectEqual(try await ids { publishers.contains($0.publisherId) }, [1])
            let isStrong = Condition<Hero> { $0.power > 1 }
            let isActive = Condition<Hero> { $0.isActive }
            try expectEqual(try await ids { $0.id < 3 && isStrong && isActive }, [2])
            try await client.insert([EveryType(1), EveryType.full(2)])
            let calm: [Mood] = [.calm]
            let moods = EveryType.where { calm.contains($0.mood) || calm.contains($0.optionalMood) }
            try expectEqual(try await client.fetch(moods).map(\.id), [1])
            let high: [Level] = [.high]
            let levels = EveryType.where {
                high.contains($0.level) && high.contains($0.optionalLevel)
            }
            try expectEqual(try await client.fetch(levels).map(\.id), [2])
            let full = EveryType.where { [.high, .middle].contains($0.level) }
            let level = EveryType.full(2).level
            try expectEqual(
                try await client.fetch(full).map(\.id),
                [EveryType(1).level, level].enumerated()
                    .filter { $0.element != .low }.map { $0.offset + 1 }
            )
        },
        promise(.conditions, "fields are sorted by with absent values and text placed") { client in
            try await client.insert([
                Hero(1, "b10", publisherId: 2), Hero(2, "B9"), Hero(3, "a", publisherId: 1),
            ])
            func ids<Term: SortTerm<Hero>>(
                _ term: (Fields<Hero>) -> Term
            ) async throws -> [Int] {
                try await client.fetch(Hero.all.sorted(term)).map(\.id)
            }
            try expectEqual(try await ids { $0.publisherId.nilsLast }, [3, 1, 2])
            try expectEqual(try await ids { $0.publisherId.nilsFirst }, [2, 3, 1])
            try expectEqual(try await ids { $0.name.natural }, [3, 2, 1])
            try expectEqual(try await ids { $0.name.caseInsensitive }, [3, 1, 2])
        },
        promise(.conditions, "an optional field is one of values that are there") { client in
            try await client.insert([
                Hero(1, publisherId: 1), Hero(2), Hero(3, publisherId: 3),
            ])
            let publishers = [1, 2, 3]
            let found = Hero.where { $0.publisherId.isIn(publishers) }
            try expectEqual(try await client.fetch(found).map(\.id), [1, 3])
            let others = Hero.where { !$0.publisherId.isIn([Int]()) }
            try expectEqual(try await client.count(others), 3)
            try await client.insert([EveryType(1), EveryType.full(2)])
            let levels = Level.allCases
            let every = EveryType.where { $0.optionalLevel.isIn(levels) }
            try expectEqual(try await client.fetch(every).map(\.id), [2])
        },
        promise(.conditions, "enums that have an order compare by their raw values") { client in
            let levels: [(Level, Level?)] = [(.high, nil), (.low, .high), (.middle, .low)]
            try await client.insert(
                levels.enumerated().map { index, level in
                    var value = EveryType(index + 1)
                    (value.level, value.optionalLevel) = level
                    return value
                }
            )
            func ids(
                _ condition: (Fields<EveryType>) -> Condition<EveryType>
            ) async throws -> [Int] {
                try await client.fetch(EveryType.where(condition)).map(\.id)
            }
            try expectEqual(try await ids { $0.level < .high }, [2, 3])
            try expectEqual(try await ids { $0.level <= .low }, [2])
            try expectEqual(try await ids { $0.level > .low }, [1, 3])
            try expectEqual(try await ids { $0.level >= .high }, [1])
            try expectEqual(try await ids { $0.level.isBetween(.low ... .middle) }, [2, 3])
            try expectEqual(try await ids { $0.optionalLevel < .middle }, [3])
            try expectEqual(try await ids { $0.optionalLevel <= .high }, [2, 3])
            try expectEqual(try await ids { $0.optionalLevel > .low }, [2])
            try expectEqual(try await ids { $0.optionalLevel >= .low }, [2, 3])
            try expectEqual(try await ids { $0.level < $0.optionalLevel }, [2])
        },
        promise(.conditions, "a struct of several fields has no order and no extremes") { client in
            let sorted = EveryType.all.sorted { $0.place }
            try await expectError(.invalidRequest) { _ = try await client.fetch(sorted) }
            let backwards = EveryType.all.sorted { $0.optionalPlace.descending }
            try await expectError(.invalidRequest) { _ = try await client.fetch(backwards) }
            try await expectError(.invalidRequest) {
                try await client.read { _ = try $0.aggregate(.maximum, \.place, of: EveryType.all) }
            }
        },
    ]
}
