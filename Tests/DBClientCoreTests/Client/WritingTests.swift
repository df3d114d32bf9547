import DBClientCore
import Foundation
import Testing

@Suite("Writing models through an engine")
struct WritingTests {
    private let client = FakeClient().blocking
    private let heroes = (1...3).map { Character(identifier: $0, name: "Hero \($0)") }

    private var stored: [Character] {
        get throws { try client.findAll(Character.self) }
    }

    @Test("Insert returns what is stored: generated keys and rounded dates")
    func insertReturns() throws {
        #expect(try client.insert(heroes) == heroes)
        var late = Character(identifier: 9, name: "Late")
        late.born = Date(timeIntervalSince1970: 0.000_000_4)
        let returned = try client.insert(late)
        #expect(returned.born == Date(timeIntervalSince1970: 0))
        #expect(try stored.last == returned)
        let notes = try client.insert([
            Note(identifier: 0), Note(identifier: 7), Note(identifier: 0),
        ])
        #expect(notes.map(\.identifier) == [1, 7, 3])
    }

    @Test("A failing batch writes nothing, an earlier one of the same transaction stays")
    func insertAtomically() throws {
        try client.write { transaction in
            try transaction.insert(heroes[0])
            #expect(failure { try transaction.insert(heroes.reversed()) }?.code == .duplicateKey)
        }
        #expect(try stored == [heroes[0]])
    }

    @Test("Update of a missing value undoes the batch; the other form skips it")
    func update() throws {
        try client.insert(heroes[1])
        var changed = heroes
        for index in changed.indices { changed[index].power = 7 }
        let error = failure { try client.update(changed) }
        #expect(error?.code == .notFound)
        #expect(error?.key == "1")
        #expect(try stored == [heroes[1]])
        #expect(try client.updateExisting(changed) == [changed[1]])
        #expect(try stored == [changed[1]])
    }

    @Test("Upsert tells inserted from updated, and the last of a key counts")
    func upsert() throws {
        try client.insert(heroes[1])
        var again = heroes[0]
        again.name = "Again"
        let outcome = try client.upsert([heroes[0], heroes[1], heroes[2], again])
        #expect(outcome.updated == [heroes[1]])
        #expect(outcome.inserted == [heroes[2], again])
        #expect(try stored == [again, heroes[1], heroes[2]])
        #expect(try client.upsert(again).isUpdated)
        #expect(try !client.upsert(Character(identifier: 8, name: "New")).isUpdated)
    }

    @Test("A partial update writes the named fields alone, those of embedded structs too")
    func partialUpdate() throws {
        try client.insert(heroes)
        try client.update(Character.self, key: 1) {
            $0.set(\.name, to: "Named")
            $0.set(\.power, to: 3)
            $0.set(\.alignment, to: .bad)
            $0.set(\.origin, to: .prime)
            $0.set(\.debut.year, to: 2_000)
            $0.set(\.appearance, to: Appearance(issue: "A", year: 1))
        }
        var expected = heroes[0]
        expected.name = "Named"
        expected.power = 3
        expected.alignment = .bad
        expected.origin = .prime
        expected.debut.year = 2_000
        expected.appearance = Appearance(issue: "A", year: 1)
        #expect(try stored == [expected, heroes[1], heroes[2]])
        let count = try client.update(Character.where { $0.identifier > 1 }) {
            $0.set(\.power, to: nil)
            $0.set(\.isAlive, to: false)
        }
        #expect(count == 2)
        #expect(try stored.map(\.isAlive) == [true, false, false])
    }

    @Test("A partial update refuses the key, unstored properties, bad values and missing rows")
    func partialRefusals() throws {
        try client.insert(heroes[0])
        func refusal(
            key: Int = 1,
            _ assign: (inout Assignments<Character>) throws -> Void
        ) -> DBClientError? {
            failure { try client.update(Character.self, key: key, assign) }
        }
        #expect(refusal { $0.set(\.identifier, to: 5) }?.field == "identifier")
        #expect(refusal { $0.set(\.identifier, to: 5) }?.code == .invalidRequest)
        #expect(refusal { $0.set(\.shout, to: "x") }?.code == .invalidRequest)
        #expect(refusal { $0.set(\.height, to: .nan) }?.field == "height")
        #expect(refusal(key: 5) { $0.set(\.power, to: 1) }?.code == .notFound)
        #expect(refusal(key: 5) { _ in }?.code == .notFound)
        #expect(refusal { _ in } == nil)
        #expect(try stored == [heroes[0]])
    }

    @Test("Delete tells what there was")
    func delete() throws {
        try client.insert(heroes)
        #expect(try client.delete(heroes[0]))
        #expect(try !client.delete(heroes[0]))
        #expect(try client.delete(heroes) == 2)
        try client.insert(heroes)
        #expect(try client.delete(Character.self, key: 1))
        #expect(try client.delete(Character.self, keys: [1, 2, 9]) == 1)
        #expect(try client.delete(Character.where { $0.identifier < 9 }) == 1)
        try client.insert(heroes)
        #expect(try client.deleteAll(Character.self) == 3)
    }
}

/// A model whose key the store makes.
@Stored private struct Note {
    @PrimaryKey(.generated) var identifier: Int
}
