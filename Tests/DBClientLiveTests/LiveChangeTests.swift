import DBClientCore
import DBClientTestSupport
import Testing

@testable import DBClientLive

struct LiveChangeTests {
    /// An element with an identity and a content.
    private struct Item: Equatable, Sendable {
        let id: Int
        let content: Int
    }

    private func items(_ random: RandomSource) -> [Item] {
        var ids = Array(0..<12).filter { _ in random.chance(70) }
        for index in ids.indices where random.chance(50) {
            ids.swapAt(index, random.below(ids.count))
        }
        return ids.map { Item(id: $0, content: random.below(3)) }
    }

    private func change(_ old: [Item]?, _ new: [Item]) -> LiveChange {
        LiveChange(from: old, to: new, id: \.id, isSame: { isEqual($0, $1) })
    }

    @Test func aChangeMakesTheNewOfTheOld() {
        for seed in 1...2_000 {
            let random = RandomSource(seed: UInt64(seed))
            let old = items(random)
            let new = items(random)
            let change = change(old, new)
            var copy = old
            change.apply(to: &copy, from: new)
            #expect(copy == new, "seed \(seed)")
            #expect(change.deletions == change.deletions.sorted())
            #expect(change.insertions == change.insertions.sorted())
            for move in change.moves {
                #expect(old[move.from].id == new[move.to].id)
                #expect(change.deletions.contains(move.from) && change.insertions.contains(move.to))
            }
            for place in change.modifications {
                #expect(old[place.from].id == new[place.to].id)
                #expect(old[place.from] != new[place.to])
            }
            // What stands in both and is not moved keeps its order; no more move than must.
            let common = old.count { item in new.contains { $0.id == item.id } }
            #expect(change.deletions.count == old.count - common + change.moves.count)
        }
    }

    @Test func theFewestElementsMove() {
        let old = (0..<5).map { Item(id: $0, content: 0) }
        let new = [4, 0, 1, 2, 3].map { Item(id: $0, content: 0) }
        #expect(
            change(old, new)
                == LiveChange(deletions: [4], insertions: [0], moves: [RowMove(from: 4, to: 0)])
        )
        #expect(change(nil, new) == LiveChange(insertions: [0, 1, 2, 3, 4]))
        #expect(change(old, []) == LiveChange(deletions: [0, 1, 2, 3, 4]))
        #expect(change(old, old).isEmpty)
    }

    @Test func sectionsThatFollowAChangeAreThoseMadeAnew() {
        for seed in 1...2_000 {
            let random = RandomSource(seed: UInt64(seed))
            let old = items(random)
            let new = items(random)
            let before = SectionRuns(old) { $0.content }
            let after = before.following(change(old, new)) { new[$0].content }
            let made = SectionRuns(new) { $0.content }
            #expect(after.keys == made.keys, "seed \(seed)")
            #expect(after.starts == made.starts, "seed \(seed)")
        }
    }

    @Test func editsByIdentityMakeTheNewOfTheOld() {
        for seed in 1...2_000 {
            let random = RandomSource(seed: UInt64(seed))
            let old = items(random)
            let new = items(random)
            let edits = ListEdits(change(old, new), from: old, to: new, id: \.id)
            var ids = old.map(\.id).filter { !edits.deletions.contains($0) }
            for insertion in edits.insertions {
                let place = insertion.after.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 }
                #expect((place == nil) == (insertion.after == nil), "seed \(seed)")
                ids.insert(contentsOf: insertion.ids, at: place ?? 0)
            }
            #expect(ids == new.map(\.id), "seed \(seed)")
            let changed = new.filter { item in old.contains { $0.id == item.id && $0 != item } }
            #expect(edits.changes == changed.map(\.id), "seed \(seed)")
        }
    }

    @Test func tuplesAreComparedByTheirParts() {
        #expect(isEqual((1, "a", nil as Int?), (1, "a", nil as Int?)))
        #expect(!isEqual((1, "a"), (1, "b")))
        #expect(isEqual((key: 1, values: (2, 3.5)), (key: 1, values: (2, 3.5))))
        #expect(!isEqual((key: 1, values: (2, 3.5)), (key: 1, values: (2, 3.0))))
        struct Opaque {}
        #expect(!isEqual(Opaque(), Opaque()))
    }
}
