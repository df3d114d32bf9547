import DBClientCore
import Foundation
import Testing
func sites(n: Int, s: String?, a: Alignment, oa: Alignment?, u: Universe) {
    _ = Character.where { $0.name == "x" }
    _ = Character.where { $0.name != "x" }
    _ = Character.where { $0.power == nil }
    _ = Character.where { $0.power != nil }
    _ = Character.where { $0.power == 5 }
    _ = Character.where { $0.power != 5 }
    _ = Character.where { $0.power == n }
    _ = Character.where { $0.nickname == s }
    _ = Character.where { $0.nickname == "x" }
    _ = Character.where { $0.nickname == nil }
    _ = Character.where { $0.alignment == .good }
    _ = Character.where { $0.alignment != .good }
    _ = Character.where { $0.alignment == a }
    _ = Character.where { $0.former == .good }
    _ = Character.where { $0.former == nil }
    _ = Character.where { $0.former != nil }
    _ = Character.where { $0.former == oa }
    _ = Character.where { $0.former == a }
    _ = Character.where { $0.universe == .prime }
    _ = Character.where { $0.universe == u }
    _ = Character.where { $0.origin == .prime }
    _ = Character.where { $0.origin != .prime }
    _ = Character.where { $0.origin == nil }
    _ = Character.where { $0.origin != nil }
    _ = Character.where { $0.identifier < 5 }
    _ = Character.where { $0.power < 5 }
    _ = Character.where { $0.power >= n && $0.power <= 9 }
    _ = Character.where { $0.identifier.isBetween(1...5) }
    _ = Character.where { $0.identifier.isBetween(1..<5) }
    _ = Character.where { $0.power.isBetween(1...5) }
    _ = Character.where { $0.identifier.isIn([1, 2]) }
    _ = Character.where { $0.power.isIn([1, 2]) }
    _ = Character.where { $0.power.isIn([1, nil]) }
    _ = Character.where { $0.alignment.isIn([.good, .bad]) }
    _ = Character.where { $0.former.isIn([.good, .bad]) }
    _ = Character.where { $0.former.isIn([.good, nil]) }
    _ = Character.where { $0.universe.isIn([.prime]) }
    _ = Character.where { $0.origin.isIn([.prime]) }
    _ = Character.where { $0.name.isIn(["a", "b"]) }
    _ = Character.where { $0.name.isIn(Set(["a", "b"])) }
    _ = Character.where { $0.appearance.year > 1960 }
    _ = Character.where { $0.appearance.year == 1960 }
    _ = Character.where { $0.appearance.month == 6 }
    _ = Character.where { $0.appearance.month == nil }
    _ = Character.where { $0.appearance.issue == "x" }
    _ = Character.where { $0.appearance.issue.hasPrefix("x") }
    _ = Character.where { $0.appearance == nil }
    _ = Character.where { $0.appearance != nil }
    _ = Character.where { $0.debut.year > 1960 }
    _ = Character.where { $0.debut.month == nil }
    _ = Character.where { $0.aliases.contains("Tony") }
    _ = Character.where { $0.teams.contains(5) }
    _ = Character.where { $0.aliases == ["Tony"] }
    _ = Character.where { $0.aliases == [] }
    _ = Character.where { $0.teams == nil }
    _ = Character.where { $0.name.contains("x") }
    _ = Character.where { $0.nickname.contains("x", ignoringCase: true) }
    _ = Character.where { $0.isAlive == true }
    _ = Character.where { $0.isSecret == true }
    _ = Character.where { $0.height > 1.9 }
    _ = Character.where { $0.height > 2 }
    _ = Character.where { $0.born < Date() }
    _ = Character.where { $0.born < .now }
    _ = Character.where { $0.token == nil }
    _ = Character.where { $0.name == "a" && $0.power == 5 && $0.alignment == .good && $0.appearance.year > 1960 && $0.aliases.contains("x") && $0.height < 2 && $0.power != nil && !($0.name.hasPrefix("x") || $0.identifier >= 9) }
    _ = Character.where { $0.name == "a" || $0.name == "b" || $0.name == "c" || $0.name == "d" || $0.power == 1 || $0.power == 2 || $0.power == 3 || $0.former == nil }
    _ = Character.all.sorted { [$0.name, $0.power.descending.nilsFirst, $0.debut.year] }
    _ = Character.all.sorted { $0.name }
    _ = Character.all.sorted { $0.name.ascending.caseInsensitive }
}
