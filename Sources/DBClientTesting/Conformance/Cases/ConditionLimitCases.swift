import DBClientCore
import Foundation

/// Conditions on lists, of many terms, nested, and built from names or predicates.
enum ConditionLimitCases {
    static let all: [ConformanceCase] = [
        promise(.conditions, "an element is looked for in lists alone") { client in
            try await client.insert(EveryType(1))
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(EveryType.where { $0.data.contains(UInt8(1)) })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.count(EveryType.where { !$0.optionalData.contains(UInt8(1)) })
            }
        },
        promise(.conditions, "an element of a list is found", requires: [.listElements]) { client in
            var tagged = (1...4).map { EveryType($0) }
            tagged[1].tags = ["a", "b"]
            tagged[2].tags = ["ab", "a,b", "\"a\"", "[a]", "\u{E9}"]
            tagged[1].numbers = [1, 12]
            tagged[2].numbers = [2]
            tagged[3].optionalTags = ["a"]
            try await client.insert(tagged)
            let conditions: [(FetchRequest<EveryType>, [Int])] = [
                (EveryType.where { $0.tags.contains("a") }, [2]),
                (EveryType.where { $0.tags.contains("ab") }, [3]),
                (EveryType.where { $0.tags.contains("a,b") }, [3]),
                (EveryType.where { $0.tags.contains("\"a\"") }, [3]),
                (EveryType.where { $0.tags.contains("[a]") }, [3]),
                (EveryType.where { $0.tags.contains("\u{E9}") }, [3]),
                (EveryType.where { $0.tags.contains("e\u{301}") }, []),
                (EveryType.where { $0.tags.contains("A") }, []),
                (EveryType.where { $0.numbers.contains(1) }, [2]),
                (EveryType.where { $0.numbers.contains(2) }, [3]),
                (EveryType.where { $0.optionalTags.contains("a") }, [4]),
                (EveryType.where { !$0.optionalTags.contains("a") }, [1, 2, 3]),
            ]
            for (position, (request, expected)) in conditions.enumerated() {
                let found = try await client.fetch(request).map(\.id)
                try expectEqual(found, expected, "condition \(position):")
            }
        },
        promise(.conditions, "a list of 5,000 values") { client in
            try await client.insert((0..<6_000).map { Hero($0) })
            let even = (0..<5_000).map { $0 * 2 }
            try expectEqual(try await client.count(Hero.where { $0.id.isIn(even) }), 3_000)
            let names = even.map { "Hero \($0)" }
            try expectEqual(try await client.count(Hero.where { $0.name.isIn(names) }), 3_000)
            try expectEqual(
                try await client.count(Hero.where { !$0.power.isIn(even.map(Double.init)) }),
                0
            )
        },
        promise(.conditions, "finding 40,000 keys") { client in
            try await client.insert((0..<100).map { KeyOnly($0) })
            let found = try await client.find(KeyOnly.self, keys: Array((0..<40_000).reversed()))
            try expectEqual(found.map(\.id), Array((0..<100).reversed()))
        },
        promise(.conditions, "8,000 terms of which all must hold") { client in
            try await client.insert((7_995..<8_003).map { Hero($0) })
            let last = Hero.where { hero in
                (0..<8_000).reduce(Condition.constant(true)) { $0 && hero.id != $1 }
            }
            try expectEqual(try await client.fetch(last).map(\.id), [8_000, 8_001, 8_002])
            try expectEqual(try await client.update(last) { $0.set(\.power, to: 7) }, 3)
            try expectEqual(try await client.delete(last), 3)
            try expectEqual(try await client.count(Hero.all), 5)
        },
        promise(.conditions, "2,000 alternatives") { client in
            try await client.insert((0..<10).map { Hero($0) })
            var condition = Condition<Hero>.constant(false)
            for id in 0..<2_000 {
                condition = condition || Hero.condition { $0.id == id * 3 }
            }
            try expectEqual(
                try await client.fetch(Hero.all.filter(condition)).map(\.id),
                [0, 3, 6, 9]
            )
        },
        promise(.conditions, "70,000 alternatives are answered, or refused as too many constants") {
            client in
            try await client.insert((0..<10).map { Hero($0, power: Double($0)) })
            func either(_ ids: Range<Int>) -> Condition<Hero> {
                let first = Double(ids.lowerBound * 3)
                if ids.count == 1 { return Hero.condition { $0.power == first } }
                let middle = ids.lowerBound + ids.count / 2
                return either(ids.lowerBound..<middle) || either(middle..<ids.upperBound)
            }
            let request = Hero.all.filter(either(0..<70_000))
            do {
                try expectEqual(try await client.fetch(request).map(\.id), [0, 3, 6, 9])
            } catch let error as DBClientError {
                try expectEqual(error.code, .invalidRequest)
                try expectEqual(error.entity, "Hero")
            }
            let some = Hero.where { $0.power.isIn((0..<70_000).map { Double($0 * 3) }) }
            try expectEqual(try await client.fetch(some).map(\.id), [0, 3, 6, 9])
        },
        promise(.conditions, "conditions nested sixty deep") { client in
            try await client.insert((0..<10).map { Hero($0) })
            try expectEqual(try await client.fetch(nested(15)).map(\.id), [3])
        },
        promise(.conditions, "conditions nested deeper than the library's limit are refused") {
            client in
            try await client.insert(Hero(3))
            try await expectError(.invalidRequest) { _ = try await client.fetch(nested(20)) }
            try await expectError(.invalidRequest) { try await client.delete(nested(20)) }
            try expectEqual(try await client.count(Hero.all), 1)
        },
        promise(.conditions, "Foundation's predicates mean what conditions mean") { client in
            try await client.insert([
                Hero(1, "Ajax", power: 2), Hero(2, "Bolt", publisherId: 1, power: 9),
                Hero(3, "Amok", publisherId: 2, power: 5),
            ])
            let names = ["Ajax", "Bolt"]
            let predicates: [(Predicate<Hero>, [Int])] = [
                (#Predicate { $0.power > 2 && $0.name.starts(with: "A") }, [3]),
                (#Predicate { names.contains($0.name) }, [1, 2]),
                (#Predicate { $0.publisherId == nil }, [1]),
                (#Predicate { !($0.publisherId == 1) }, [1, 3]),
                (#Predicate { $0.name.contains("o") || $0.id == 1 }, [1, 2, 3]),
            ]
            for (position, (predicate, expected)) in predicates.enumerated() {
                let found = try await client.fetch(Hero.all.filter(predicate)).map(\.id)
                try expectEqual(found, expected, "predicate \(position):")
            }
        },
        promise(.conditions, "fields can be named at run time") { client in
            try await client.insert([Hero(1, "a", power: 1), Hero(2, "b", power: 2), Hero(3, "A")])
            let strong = try Condition<Hero>.field("power", .greater, 1.5)
            try expectEqual(try await client.fetch(Hero.all.filter(strong)).map(\.id), [2])
            let named = try Hero.all.filter(field: "name", in: ["a", "b"])
            try expectEqual(try await client.fetch(named).map(\.id), [1, 2])
            let absent = try Condition<Hero>.field("bio", isNil: true)
            try expectEqual(try await client.count(Hero.all.filter(absent)), 3)
            let sorted = Hero.all.sorted(by: [try .field("name", descending: true)])
            try expectEqual(try await client.fetch(sorted).map(\.id), [2, 1, 3])
        },
        promise(.conditions, "a stored form is compared as it is kept") { client in
            try await client.insert([Hero(1, power: -1), Hero(2, power: 0), Hero(3, power: -0.0)])
            let zero = StorageValue.real(-0.0)
            let conditions: [(Condition<Hero>, [Int])] = [
                (try .field("power", .equal, zero), [2, 3]),
                (try .field("power", isIn: [zero]), [2, 3]),
                (try .field("power", isIn: [zero, .real(0), .real(-1)]), [1, 2, 3]),
                (try .field("power", .lessOrEqual, zero), [1, 2, 3]),
                (try .field("power", .greaterOrEqual, zero), [2, 3]),
                (try .field("power", .less, zero), [1]),
                (try .field("power", .greater, zero), []),
                (try .field("power", .notEqual, zero), [1]),
            ]
            for (position, (condition, expected)) in conditions.enumerated() {
                let request = Hero.all.filter(condition)
                let found = try await client.fetch(request).map(\.id)
                try expectEqual(found, expected, "condition \(position):")
                try expectEqual(try await client.count(request), expected.count)
            }
        },
        promise(.conditions, "a stored form that no date has is refused") { client in
            try await client.insert(Hero(1))
            for value in [Int64.min, -210_866_803_200_000_001, .max] {
                let value = StorageValue.integer(value)
                let error = try await expectError(.invalidValue) {
                    _ = try Condition<Hero>.field("createdAt", .greater, value)
                }
                try expectEqual(error.field, "createdAt")
                try await expectError(.invalidValue) {
                    _ = try Condition<Hero>.field("createdAt", isIn: [.integer(0), value])
                }
            }
            for value in [-210_866_803_200_000_000, 0, Int64.max - 1] {
                let condition = try Condition<Hero>.field("createdAt", .equal, .integer(value))
                let count = try await client.count(Hero.all.filter(condition))
                try expectEqual(count, value == 0 ? 1 : 0)
            }
        },
    ]

    /// A request for the hero 3 whose condition is nested four times as deep.
    private static func nested(_ depth: Int) -> FetchRequest<Hero> {
        var condition = Hero.condition { $0.id == 3 }
        for level in 0..<depth {
            condition = !(condition || Hero.condition { $0.id == -level - 1 })
            condition = !condition && Hero.condition { $0.id != 100 + level }
        }
        return Hero.all.filter(condition)
    }
}
