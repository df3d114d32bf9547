import DBClientTesting
import Testing

@testable import DBClientCore

struct ResultTreeTests {
    /// Keys of four bytes, so that their order is that of the numbers.
    private func entry(_ number: Int) -> ResultEntry {
        let bytes = withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
        return ResultEntry(OrderKey(bytes: bytes, identityStart: 0))
    }

    private func numbers(_ tree: ResultTree) -> [Int] {
        (0..<tree.count).map { index in
            tree[index].key.bytes.reduce(0) { $0 << 8 | Int($1) }
        }
    }

    @Test("A tree is a sorted list under any edits", arguments: 1...20 as ClosedRange<UInt64>)
    func isSortedList(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var tree = ResultTree()
        var model = Set<Int>()
        // Grows, then shrinks, so that nodes split and join.
        for step in 0..<6_000 {
            let number = Int(generator.next() % 4_000)
            if generator.next() % 100 < (step < 3_000 ? 70 : 25) {
                tree.put(entry(number))
                model.insert(number)
            } else {
                #expect((tree.remove(entry(number).key) == nil) == (model.remove(number) == nil))
            }
            if step % 500 == 0 { tree.checkInvariants() }
        }
        tree.checkInvariants()
        #expect(numbers(tree) == model.sorted())
        for number in model { tree.remove(entry(number).key) }
        tree.checkInvariants()
        #expect(tree.count == 0)
    }

    @Test(
        "A tree of sorted entries has them all",
        arguments: [0, 1, 47, 48, 49, 64, 1_151, 1_153, 40_000]
    )
    func isBuilt(_ count: Int) {
        let tree = ResultTree((0..<count).map { entry($0 * 2) })
        tree.checkInvariants()
        #expect(numbers(tree) == (0..<count).map { $0 * 2 })
    }

    @Test("A copy is a snapshot")
    func copiesAreKept() {
        var tree = ResultTree((0..<5_000).map { entry($0) })
        let before = tree
        for number in 0..<5_000 where number % 3 == 0 { tree.remove(entry(number).key) }
        for number in 6_000..<6_100 { tree.put(entry(number)) }
        #expect(numbers(before) == Array(0..<5_000))
        before.checkInvariants()
        tree.checkInvariants()
    }

    @Test(
        "A walk over a range has its entries, node by node or one by one",
        arguments: [
            0..<0, 0..<1, 0..<5_000, 47..<49, 100..<4_321, 4_999..<5_000, 5_000..<5_000,
        ]
    )
    func walks(_ range: Range<Int>) {
        let tree = ResultTree((0..<5_000).map { entry($0) })
        var walk = ResultWalk(tree, range)
        var found: [Int] = []
        while true {
            if case .end = walk.item { break }
            if case .entry(let entry) = walk.item {
                #expect(walk.position == found.count)
                found.append(entry.key.bytes.reduce(0) { $0 << 8 | Int($1) })
                walk.advance()
            } else {
                walk.descend()
            }
        }
        #expect(found == Array(range))
        walk = ResultWalk(tree, range)
        while true {
            if case .end = walk.item { break }
            walk.advance()
        }
        #expect(walk.position == range.count)
    }

    @Test("Comparing versions looks at what differs, not at the rest")
    func skipsWhatIsShared() {
        let query = RowQuery(Probe.schema.entity)
        var tree = ResultTree((0..<100_000).map { entry($0 * 2) })
        let old = ResultVersion(tree, query)
        tree.put(entry(50_001))
        tree.remove(entry(150_000).key)
        tree.put(entry(120_000))
        let new = ResultVersion(tree, query)
        var compared = 0
        let difference = ResultDifference(from: old, to: new) { _, _ in
            compared += 1
            return false
        }
        #expect(difference.insertions == [25_001])
        #expect(difference.deletions == [75_000])
        #expect(difference.modifications.map(\.new) == [60_001])
        #expect(compared == 1)
    }

    @Test(
        "The one row that is known to have changed makes the same difference as a comparison",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func knownStepIsTheDifference(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
        /// A row with an identity of four bytes after its place.
        func row(_ place: Int, _ identity: Int) -> ResultEntry {
            let bytes = [place, identity].flatMap { number in
                withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
            }
            return ResultEntry(OrderKey(bytes: bytes, identityStart: 4))
        }
        let query = RowQuery(Probe.schema.entity)
        var rows = (0..<below(400)).map { row($0 * 2, $0) }
        var tree = ResultTree(rows)
        var old = ResultVersion(tree, query)
        for identity in 1_000..<1_200 {
            var step = RowStep()
            if below(3) > 0, !rows.isEmpty {
                step.old = tree.remove(rows.remove(at: below(rows.count)).key)
            }
            if step.old == nil || below(4) > 0 {
                let known = step.old.map {
                    $0.entry.key.identity.reduce(0) { $0 << 8 | Int($1) }
                }
                let new = row(below(800), known ?? identity)
                step.new = PlacedEntry(entry: new, position: tree.put(new).position)
                rows.append(new)
            }
            let new = ResultVersion(tree, query, after: old, step)
            let isSame: (ResultEntry, ResultEntry) -> Bool = { $0.key == $1.key }
            let known = ResultDifference(from: old, to: new, isSame: isSame)
            let compared = ResultDifference(
                from: old,
                to: ResultVersion(tree, query),
                isSame: isSame
            )
            #expect(known.deletions == compared.deletions)
            #expect(known.insertions == compared.insertions)
            #expect(known.modifications.map(\.old) == compared.modifications.map(\.old))
            #expect(known.modifications.map(\.new) == compared.modifications.map(\.new))
            #expect(known.moves.map(\.from) == compared.moves.map(\.from))
            #expect(known.moves.map(\.to) == compared.moves.map(\.to))
            old = new
        }
    }

    @Test(
        "The difference of two versions, whole or a window, makes one of the other",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func makesOneOfTheOther(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
        var tree = ResultTree((0..<below(5_000)).map { entry($0 * 2) })
        for _ in 0..<60 {
            var query = RowQuery(Probe.schema.entity)
            if below(2) == 0 {
                query.offset = below(3_000)
                query.limit = below(3_000)
            }
            let old = ResultVersion(tree, query)
            for _ in 0..<[1, 2, 60][below(3)] {
                let number = below(12_000)
                if below(3) > 0 {
                    tree.put(entry(number))
                } else {
                    tree.remove(entry(number).key)
                }
            }
            let new = ResultVersion(tree, query)
            let difference = ResultDifference(from: old, to: new) { $0.key == $1.key }
            var made = Array(numbers(old.tree)[old.range])
            for position in difference.deletions.reversed() { made.remove(at: position) }
            let wanted = Array(numbers(new.tree)[new.range])
            for position in difference.insertions {
                made.insert(wanted[position], at: position)
            }
            #expect(made == wanted)
            #expect(
                Set(
                    difference.deletions.map {
                        numbers(old.tree)[old.range][old.range.lowerBound + $0]
                    }
                )
                .isDisjoint(with: wanted)
            )
            #expect(difference.modifications.isEmpty && difference.moves.isEmpty)
        }
    }
}
