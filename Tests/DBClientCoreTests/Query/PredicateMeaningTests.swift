import DBClientCore
import Foundation
import Testing

/// Where the translation has another shape than the predicate, it is held against the predicate's
/// own evaluation.
@Suite("The meaning of translated predicates")
struct PredicateMeaningTests {
    private var heroes: [Character] {
        var heroes: [Character] = []
        for power in [nil, 0, 5, 6] {
            for isSecret in [nil, true, false] {
                for year in [nil, 1960, 1963] {
                    var hero = Character(identifier: heroes.count, name: "hero")
                    hero.power = power
                    hero.isSecret = isSecret
                    hero.nickname = power == 5 ? nil : "Shell"
                    hero.appearance = year.map { Appearance(issue: "i", year: $0, month: power) }
                    heroes.append(hero)
                }
            }
        }
        return heroes
    }

    private func check(
        _ predicate: Predicate<Character>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let condition = try FetchRequest(predicate).rowQuery().condition
        let buffer = try encode(heroes)
        var count = 0
        for (index, hero) in heroes.enumerated() {
            let row = BufferRow(buffer: buffer, index: index).values
            let expected = try predicate.evaluate(hero)
            if expected { count += 1 }
            #expect(
                Evaluation.holds(condition, for: row) == expected,
                "\(hero)",
                sourceLocation: sourceLocation
            )
        }
        #expect((1..<heroes.count).contains(count), sourceLocation: sourceLocation)
    }

    @Test("A constant stands in for an absent field")
    func coalescing() throws {
        try check(#Predicate { ($0.power ?? 5) == 5 })
        try check(#Predicate { ($0.power ?? 5) != 5 })
        try check(#Predicate { ($0.power ?? 5) > 5 })
        try check(#Predicate { ($0.power ?? 6) > 5 })
        try check(#Predicate { ($0.power ?? 0) != 5 })
        try check(#Predicate { !(($0.power ?? 6) > 5) })
        try check(#Predicate { $0.isSecret ?? true })
        try check(#Predicate { !($0.isSecret ?? true) })
        try check(#Predicate { $0.isSecret ?? false })
        let range = 5...6
        try check(#Predicate { range.contains($0.power ?? 5) })
        try check(#Predicate { range.contains($0.power ?? 0) })
    }

    @Test("A condition on a field that may be absent is absent with it")
    func optionalConditions() throws {
        try check(#Predicate { $0.nickname?.contains("She") == true })
        try check(#Predicate { $0.nickname?.contains("She") == false || $0.power == 0 })
        try check(#Predicate { $0.nickname?.starts(with: "x") != true && $0.power == 0 })
        try check(#Predicate { $0.nickname?.contains("x") == nil })
        try check(#Predicate { $0.nickname?.contains("x") != nil })
        try check(#Predicate { $0.nickname?.contains("x") ?? true })
        try check(#Predicate { $0.power.flatMap { $0 > 5 } ?? false })
        try check(#Predicate { $0.power.flatMap { $0 > 5 } == nil })
    }

    @Test("Two fields that are both absent are equal")
    func twoFields() throws {
        try check(#Predicate { $0.power == $0.appearance?.month })
        try check(#Predicate { $0.power != $0.appearance?.month })
        try check(#Predicate { hero in hero.power.flatMap { $0 < hero.identifier } ?? false })
        try check(#Predicate { hero in hero.power.flatMap { $0 <= hero.identifier } == nil })
        try check(
            #Predicate { hero in
                if let power = hero.power { power < hero.identifier } else { false }
            }
        )
    }

    @Test("If let asks for presence first")
    func ifLet() throws {
        try check(
            #Predicate { hero in
                if let power = hero.power { power > 5 } else { false }
            }
        )
        try check(
            #Predicate { hero in
                if let power = hero.power { power > 5 } else { hero.isSecret == true }
            }
        )
        try check(
            #Predicate { hero in
                if let appearance = hero.appearance { appearance.year > 1960 } else { true }
            }
        )
    }

    @Test("Chains through an optional struct are absent with it")
    func chains() throws {
        try check(#Predicate { $0.appearance?.year == 1963 })
        try check(#Predicate { $0.appearance?.year != 1963 })
        try check(#Predicate { $0.appearance?.month == nil })
        try check(#Predicate { $0.appearance.flatMap { $0.month } == 5 })
        try check(#Predicate { ($0.appearance?.year ?? 1963) == 1963 })
        try check(#Predicate { $0.appearance?.issue.isEmpty == false })
    }
}
