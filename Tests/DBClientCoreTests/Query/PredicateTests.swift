import DBClientCore
import Foundation
import Testing

/// A value round the constants of a predicate.
private struct Captured: Codable {
    var number: Int
    var absent: Int?
    var costume: Costume
}

@Suite("Foundation's predicates")
struct PredicateTests {
    /// Checks that a predicate says what a condition of the library's own says.
    private func check(
        _ predicate: Predicate<Character>,
        _ condition: (Fields<Character>) -> Condition<Character>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let translated = try FetchRequest(predicate).rowQuery().condition
        let expected = try Character.where(condition).rowQuery().condition
        #expect(translated == expected, sourceLocation: sourceLocation)
    }

    @Test("Comparisons with constants, on either side")
    func comparisons() throws {
        try check(#Predicate { $0.name == "x" }) { $0.name == "x" }
        try check(#Predicate { $0.name != "x" }) { $0.name != "x" }
        try check(#Predicate { $0.identifier < 5 }) { $0.identifier < 5 }
        try check(#Predicate { $0.identifier <= 5 }) { $0.identifier <= 5 }
        try check(#Predicate { 5 < $0.identifier }) { $0.identifier > 5 }
        try check(#Predicate { 5 >= $0.identifier }) { $0.identifier <= 5 }
        try check(#Predicate { $0.identifier > -5 }) { $0.identifier > -5 }
        try check(#Predicate { $0.height > -1.5 }) { $0.height > -1.5 }
        let date = Date(timeIntervalSince1970: 5)
        try check(#Predicate { $0.born < date }) { $0.born < date }
        let uuid = UUID()
        try check(#Predicate { $0.token == uuid }) { $0.token == uuid }
        let words = ["a"]
        try check(#Predicate { $0.aliases == words }) { $0.aliases == ["a"] }
    }

    @Test("Fields compare with each other")
    func fields() throws {
        try check(#Predicate { $0.identifier < $0.debut.year }) { $0.identifier < $0.debut.year }
        try check(#Predicate { $0.debut.year == $0.identifier }) { $0.debut.year == $0.identifier }
        try check(#Predicate { $0.power! >= $0.identifier }) { $0.power >= $0.identifier }
        try check(#Predicate { $0.name != $0.debut.issue }) { $0.name != $0.debut.issue }
    }

    @Test("Optional fields compare with values and with nil")
    func optionals() throws {
        let some: Int? = 5
        let none: Int? = nil
        try check(#Predicate { $0.power == 5 }) { $0.power == 5 }
        try check(#Predicate { $0.power == some }) { $0.power == 5 }
        try check(#Predicate { $0.power == none }) { $0.power == nil }
        try check(#Predicate { $0.power == nil }) { $0.power == nil }
        try check(#Predicate { $0.power != nil }) { $0.power != nil }
        try check(#Predicate { nil == $0.nickname }) { $0.nickname == nil }
        try check(#Predicate { $0.power! > 5 }) { $0.power > 5 }
        try check(#Predicate { $0.power! == 5 }) { $0.power == 5 }
        try check(#Predicate { $0.power! != 5 }) { $0.power != nil && $0.power != 5 }
        try check(#Predicate { $0.power! == $0.power! }) {
            $0.power != nil && $0.power != nil && $0.power == $0.power
        }
    }

    @Test("Enums compare by raw value")
    func enums() throws {
        let good = Alignment.good
        let prime = Universe.prime
        let origin: Universe? = .ultimate
        try check(#Predicate { $0.alignment == good }) { $0.alignment == .good }
        try check(#Predicate { $0.former == good }) { $0.former == .good }
        try check(#Predicate { $0.universe != prime }) { $0.universe != .prime }
        try check(#Predicate { $0.origin == origin }) { $0.origin == .ultimate }
        try check(#Predicate { $0.origin == nil }) { $0.origin == nil }
        let listed: [Alignment] = [.good, .bad]
        try check(#Predicate { listed.contains($0.alignment) }) {
            $0.alignment.isIn([.good, .bad])
        }
    }

    @Test("And, or, not and Boolean properties")
    func logic() throws {
        try check(#Predicate { $0.isAlive }) { $0.isAlive == true }
        try check(#Predicate { !$0.isAlive }) { !($0.isAlive == true) }
        try check(#Predicate { $0.isSecret == true }) { $0.isSecret == true }
        try check(#Predicate { _ in true }) { _ in .constant(true) }
        try check(#Predicate { ($0.identifier < 1 || $0.identifier > 2) && !($0.name == "x") }) {
            ($0.identifier < 1 || $0.identifier > 2) && !($0.name == "x")
        }
        try check(#Predicate { ($0.identifier == 1) == false }) { !($0.identifier == 1) }
    }

    @Test("Text is searched for text")
    func text() throws {
        let part = "x"
        try check(#Predicate { $0.name.contains("x") }) { $0.name.contains("x") }
        try check(#Predicate { $0.name.contains(part) }) { $0.name.contains("x") }
        try check(#Predicate { $0.name.starts(with: "x") }) { $0.name.hasPrefix("x") }
        try check(#Predicate { $0.name.isEmpty }) { $0.name == "" }
        try check(#Predicate { !$0.name.isEmpty }) { !($0.name == "") }
        try check(#Predicate { $0.nickname!.contains("x") }) { $0.nickname.contains("x") }
    }

    @Test("Lists, constants or stored, are asked for an element")
    func lists() throws {
        let numbers = [1, 2]
        let optional: [Int?] = [1, nil]
        let names: Set = ["a"]
        try check(#Predicate { numbers.contains($0.identifier) }) { $0.identifier.isIn([1, 2]) }
        try check(#Predicate { optional.contains($0.power) }) { $0.power.isIn([1, nil]) }
        try check(#Predicate { names.contains($0.name) }) { $0.name.isIn(["a"]) }
        try check(#Predicate { [1, 2].contains($0.identifier) }) { $0.identifier.isIn([1, 2]) }
        try check(#Predicate { $0.aliases.contains("Tony") }) { $0.aliases.contains("Tony") }
        try check(#Predicate { $0.teams!.contains(5) }) { $0.teams.contains(5) }
    }

    @Test("Ranges, written or captured")
    func ranges() throws {
        let open = 1..<5
        let closed = 1...5
        let from = 1...
        try check(#Predicate { (1...5).contains($0.identifier) }) { $0.identifier.isBetween(1...5) }
        try check(#Predicate { (1..<5).contains($0.identifier) }) { $0.identifier.isBetween(1..<5) }
        try check(#Predicate { open.contains($0.identifier) }) { $0.identifier.isBetween(1..<5) }
        try check(#Predicate { closed.contains($0.identifier) }) { $0.identifier.isBetween(1...5) }
        try check(#Predicate { from.contains($0.identifier) }) { $0.identifier >= 1 }
    }

    @Test("Embedded structs are asked by their properties")
    func embedded() throws {
        try check(#Predicate { $0.debut.year > 1960 }) { $0.debut.year > 1960 }
        try check(#Predicate { $0.debut.month == nil }) { $0.debut.month == nil }
        try check(#Predicate { $0.debut.issue.starts(with: "T") }) { $0.debut.issue.hasPrefix("T") }
        try check(#Predicate { $0.appearance == nil }) { $0.appearance == nil }
        try check(#Predicate { $0.appearance!.year > 1960 }) { $0.appearance.year > 1960 }
        try check(#Predicate { $0.appearance?.year == 1963 }) { $0.appearance.year == 1963 }
        try check(#Predicate { $0.appearance?.year == nil }) { $0.appearance.year == nil }
        try check(#Predicate { $0.appearance?.month == 3 }) { $0.appearance.month == 3 }
    }

    @Test("Constants are captured through key paths and optionals")
    func captured() throws {
        let other = Captured(number: 7, costume: Costume(colours: ["red"], isArmoured: true))
        let none: Captured? = nil
        try check(#Predicate { $0.identifier == other.number }) { $0.identifier == 7 }
        try check(#Predicate { $0.isAlive == other.costume.isArmoured }) { $0.isAlive == true }
        try check(#Predicate { other.costume.colours.contains($0.name) }) { $0.name.isIn(["red"]) }
        try check(#Predicate { $0.power == other.absent }) { $0.power == nil }
        try check(#Predicate { $0.power == none?.number }) { $0.power == nil }
        try check(#Predicate { $0.identifier == (other.absent ?? 5) }) { $0.identifier == 5 }
    }

    @Test("Requests compose predicates with conditions")
    func composition() throws {
        let request = try Character.where { $0.power > 1 }.filter(#Predicate { $0.name == "x" })
        let same = Character.where { $0.power > 1 && $0.name == "x" }
        #expect(try request.rowQuery() == same.rowQuery())
        let condition = try Condition<Character>(#Predicate { $0.name == "x" })
        #expect(
            try Character.all.filter(condition || condition).rowQuery().condition
                == Character.where { $0.name == "x" || $0.name == "x" }.rowQuery().condition
        )
    }
}
