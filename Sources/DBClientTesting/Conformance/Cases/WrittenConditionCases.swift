// What must not be unwrapped where it is nil is what is tested.
// swift-format-ignore-file: NeverForceUnwrap

import DBClientCore
import Foundation

/// Conditions as Swift is written elsewhere: with optionals, constants and whole values.
enum WrittenConditionCases {
    static let all: [ConformanceCase] = optionals + constants + values

    private static var rows: [EveryType] {
        var rows = (1...4).map { EveryType($0) }
        rows[0].text = "a"
        rows[1].text = "b"
        rows[1].optionalText = "b"
        for (index, number) in [-3, 0, 5, 7].enumerated() {
            rows[index].int64 = Int64(number)
            rows[index].optionalInt64 = index == 0 ? nil : Int64(number)
        }
        rows[1].level = .high
        rows[1].optionalLevel = .high
        rows[2].origin = Origin(planet: "Mars", companions: ["x"])
        rows[2].optionalOrigin = Origin(planet: "Mars")
        rows[2].place = Place("Bern", zip: 3000)
        rows[3].place = Place("Bern")
        rows[3].optionalPlace = Place("Chur", zip: 7000)
        return rows
    }

    private static func finding(
        _ name: String,
        _ conditions: @escaping @Sendable () -> [(FetchRequest<EveryType>, [Int])]
    ) -> ConformanceCase {
        promise(.conditions, name) { client in
            try await client.insert(rows)
            for (position, (request, expected)) in conditions().enumerated() {
                let found = try await client.fetch(request).map(\.id)
                try expectEqual(found, expected, "condition \(position):")
            }
        }
    }

    private static let optionals = [
        finding("a field compares with an optional value, absent where it is nil") {
            let text: String? = "b"
            let number: Int64? = 4
            let none: Int64? = nil
            let noText: String? = nil
            let level: Level? = .high
            let noLevel: Level? = nil
            return [
                (EveryType.where { $0.text == text }, [2]),
                (EveryType.where { $0.text != text }, [1, 3, 4]),
                (EveryType.where { $0.text == noText }, []),
                (EveryType.where { $0.text != noText }, [1, 2, 3, 4]),
                (EveryType.where { $0.optionalText == text }, [2]),
                (EveryType.where { $0.optionalText == noText }, [1, 3, 4]),
                (EveryType.where { $0.int64 > number }, [3, 4]),
                (EveryType.where { $0.int64 > none }, []),
                (EveryType.where { !($0.int64 <= none) }, [1, 2, 3, 4]),
                (EveryType.where { $0.optionalInt64 < number }, [2]),
                (EveryType.where { $0.optionalInt64 < none }, []),
                (EveryType.where { $0.level == level }, [2]),
                (EveryType.where { $0.level == noLevel }, []),
                (EveryType.where { $0.level >= level }, [2]),
                (EveryType.where { $0.optionalLevel == noLevel }, [1, 3, 4]),
            ]
        },
        finding("a value stands in for a field that is absent") {
            [
                (EveryType.where { ($0.optionalInt64 ?? 6) > 5 }, [1, 4]),
                (EveryType.where { ($0.optionalInt64 ?? 0) == 0 }, [1, 2]),
                (EveryType.where { ($0.optionalInt64 ?? 0) != 0 }, [3, 4]),
                (EveryType.where { !(($0.optionalInt64 ?? 0) > 3) }, [1, 2]),
                (EveryType.where { ($0.optionalInt64 ?? 5).isIn([5, 6]) }, [1, 3]),
                (EveryType.where { ($0.optionalInt64 ?? 5).isBetween(4...6) }, [1, 3]),
                (EveryType.where { ($0.optionalText ?? "x").hasPrefix("x") }, [1, 3, 4]),
                (
                    EveryType.where { ($0.optionalText ?? "B").equalsIgnoringCase("b") },
                    [1, 2, 3, 4]
                ),
                (EveryType.where { ($0.optionalPlace.zip ?? 1) > 5_000 }, [4]),
            ]
        },
        promise(.conditions, "a field with a value for where it is absent is sorted by") { client in
            try await client.insert(rows)
            func expect(
                _ expected: [Int],
                _ term: (Fields<EveryType>) -> some SortTerm<EveryType>
            ) async throws {
                let found = try await client.fetch(EveryType.all.sorted(term))
                try expectEqual(found.map(\.id), expected)
            }
            try await expect([2, 3, 1, 4]) { $0.optionalInt64 ?? 6 }
            try await expect([4, 1, 3, 2]) { ($0.optionalInt64 ?? 6).descending }
            let compared = EveryType.where { ($0.optionalInt64 ?? 0) <= $0.int64 }
            let expected = rows.filter { ($0.optionalInt64 ?? 0) <= $0.int64 }
            try expectEqual(try await client.fetch(compared).map(\.id), expected.map(\.id))
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(EveryType.all.sorted { $0.optionalTags ?? [] })
            }
        },
    ]

    private static let constants = [
        finding("a constant is a condition, and decides what comes after it") {
            let text: String? = nil
            let number: Int64? = 5
            return [
                (EveryType.where { _ in true }, [1, 2, 3, 4]),
                (EveryType.where { _ in false }, []),
                (EveryType.where { text == nil || $0.text == text! }, [1, 2, 3, 4]),
                (EveryType.where { text != nil && $0.text == text! }, []),
                (EveryType.where { number == nil || $0.int64 == number! }, [3]),
                (EveryType.where { $0.int64 > 0 && (text == nil || $0.text == text!) }, [3, 4]),
                (EveryType.where { false || $0.id == 3 }, [3]),
                (EveryType.all.filter { _ in true }.filter { $0.id == 1 }, [1]),
            ]
        }
    ]

    private static let values = [
        finding("a value that is kept as JSON, and an embedded struct, compare as a whole") {
            let mars = Origin(planet: "Mars")
            let none: Origin? = nil
            let noPlace: Place? = nil
            return [
                (EveryType.where { $0.origin == Origin(planet: "Mars", companions: ["x"]) }, [3]),
                (EveryType.where { $0.origin == mars }, []),
                (EveryType.where { $0.origin != mars }, [1, 2, 3, 4]),
                (EveryType.where { $0.optionalOrigin == mars }, [3]),
                (EveryType.where { $0.optionalOrigin != mars }, [1, 2, 4]),
                (EveryType.where { $0.optionalOrigin == none }, [1, 2, 4]),
                (EveryType.where { $0.place == Place("Bern") }, [4]),
                (EveryType.where { $0.place == Place("Bern", zip: 3000) }, [3]),
                (EveryType.where { $0.place != Place("Bern") }, [1, 2, 3]),
                (EveryType.where { $0.optionalPlace == Place("Chur", zip: 7000) }, [4]),
                (EveryType.where { $0.optionalPlace == Place("Chur") }, []),
                (EveryType.where { $0.optionalPlace == noPlace }, [1, 2, 3]),
            ]
        },
        promise(.conditions, "a list has an element that is kept as JSON") { client in
            var generator = SeededGenerator(seed: 17)
            try await client.insert((0..<6).map { Traits($0, number: $0 % 3, using: &generator) })
            let one = Traits(9, number: 1, using: &generator)
            func ids(
                _ condition: (Fields<Traits>) -> Condition<Traits>
            ) async throws -> [Int] {
                try await client.fetch(Traits.where(condition)).map(\.id)
            }
            try expectEqual(try await ids { $0.kept.contains(one.marks) }, [1, 4])
            try expectEqual(try await ids { !$0.kept.contains(one.marks) }, [0, 2, 3, 5])
            try expectEqual(try await ids { $0.marks == one.marks }, [1, 4])
            try expectEqual(try await ids { $0.places == one.places }, [1, 4])
            try expectEqual(try await ids { $0.moods == one.moods }, [1, 4])
        },
    ]
}
