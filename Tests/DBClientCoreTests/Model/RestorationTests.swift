import Foundation
import Testing

@testable import DBClientCore

/// What is stored otherwise than it was given is put into a copy of the value.
@Suite struct RestorationTests {
    /// Returns a value as it is stored.
    private func restored<Model: Stored>(_ model: Model) throws -> Model {
        let rows = try encode([model])
        let columns = try #require(Model.schema.restoredColumns)
        var copy = model
        try withUnsafeMutablePointer(to: &copy) {
            try columns.restore($0, from: rows.batch)
        }
        return copy
    }

    @Test("A copy has what the row has, and keeps the rest")
    func restores() throws {
        var hero = Character(identifier: 7, name: "a name of more than fifteen bytes")
        hero.born = Date(timeIntervalSince1970: 12.000_000_4)
        hero.height = -0.0
        hero.alignment = .bad
        hero.aliases = ["a", "b"]
        hero.debut = Appearance(issue: "an issue of more than fifteen bytes", year: 1_962, month: 4)
        let copy = try restored(hero)
        #expect(try copy == decode(encode([hero]), as: Character.self)[0])
        #expect(copy.born == Date(timeIntervalSince1970: 12))
        #expect(copy.height.sign == .plus)
        #expect(hero.height.sign == .minus)
    }

    @Test("Embedded and optional dates are restored where they lie")
    func restoresInside() throws {
        let near = Date(timeIntervalSince1970: 3.000_000_4)
        let value = Dated(id: 1, span: Span(label: "s", from: near, to: near), last: near)
        let copy = try restored(value)
        let exact = Date(timeIntervalSince1970: 3)
        #expect(copy == Dated(id: 1, span: Span(label: "s", from: exact, to: exact), last: exact))
        let open = Dated(id: 2, span: Span(label: "", from: near, to: nil), last: nil)
        let kept = try restored(open)
        #expect(kept.span.to == nil && kept.last == nil && kept.span.from == exact)
    }

    @Test("A date in a struct that may be absent has no place, so the row is read")
    func readsWhatHasNoPlace() {
        #expect(Loose.schema.restoredColumns == nil)
    }
}

@Embedded private struct Span: Equatable {
    var label: String
    var from: Date
    var to: Date?
}

@Stored private struct Dated: Equatable {
    let id: Int
    var span: Span
    var last: Date?
}

@Stored private struct Loose {
    let id: Int
    var span: Span?
}
