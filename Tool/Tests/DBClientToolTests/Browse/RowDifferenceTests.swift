import DBClientCore
import Testing

@testable import DBClientBrowser

/// What an observed range tells of its changes.
@Suite struct RowDifferenceTests {
    @Test func replayingADifferenceGivesThePresentRows() throws {
        let entity = try EntityCatalog([Publisher.self]).entities[0]
        func row(_ id: Int, _ version: Int) throws -> DynamicRow {
            try DynamicRow(entity, ["id": .integer(Int64(id)), "name": .text("\(version)")])
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let ids = (0..<8).shuffled(using: &generator)
            let former = try ids.prefix(.random(in: 0...8, using: &generator)).map {
                try row($0, 0)
            }
            let present = try (0..<8).shuffled(using: &generator)
                .prefix(.random(in: 0...8, using: &generator))
                .map { try row($0, .random(in: 0...1, using: &generator)) }
            let change = RowDifference(from: former, to: present)
            var rows = former
            for position in change.deletions.reversed() { rows.remove(at: position) }
            for position in change.insertions { rows.insert(present[position], at: position) }
            for position in change.updates { rows[position] = present[position] }
            #expect(rows == present)
            for move in change.moves { #expect(former[move.from].key == present[move.to].key) }
            #expect(change.isEmpty == (former == present))
        }
        let rows = try (0..<5).map { try row($0, 0) }
        let moved = RowDifference(from: rows, to: [rows[4]] + rows[..<4])
        #expect(moved.moves == [RowMove(from: 4, to: 0)])
        // Of two that have changed places, the one that changed has moved.
        let changed = RowDifference(from: rows, to: [rows[1], try row(0, 1)] + rows[2...])
        #expect(changed.moves == [RowMove(from: 0, to: 1)])
        #expect(changed.updates == [1])
    }

    @Test func aTokenMatchesItselfAlone() {
        let token = AccessToken()
        #expect(token.text.utf8.count == 64)
        #expect(token.matches(token.text))
        #expect(!token.matches(""))
        #expect(!token.matches(token.text + "0"))
        #expect(!token.matches(token.text.dropLast()))
        #expect(!token.matches(AccessToken().text))
    }
}

/// The same numbers for the same seed (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
