#if DEBUG
extension ResultDifference {
    /// So many positions of each kind are looked at, and so many rows compared: more would be what a test
    /// measures.
    private static let checkLimit = 4_096

    /// Stops a debug build whose change set breaks a law.
    func checkLaws(
        from old: ResultVersion,
        to new: ResultVersion,
        isSame: (ResultEntry, ResultEntry) -> Bool
    ) {
        precondition(!isEmpty, "a change set is empty")
        precondition(
            old.range.count - deletions.count + insertions.count == new.range.count,
            "a change set has too many or too few positions"
        )
        Self.checkAscending(deletions, below: old.range.count)
        Self.checkAscending(insertions, below: new.range.count)
        Self.checkAscending(modifications.map(\.new), below: new.range.count)
        Self.checkAscending(moves.map(\.from), below: old.range.count)
        checkModifications(old, new, isSame)
        checkMoves(old, new)
        if old.range.count + new.range.count <= Self.checkLimit { checkAll(old, new, isSame) }
    }

    private static func checkAscending(_ positions: [Int], below count: Int) {
        for (first, second) in zip(positions, positions.dropFirst()).prefix(checkLimit) {
            precondition(first < second, "positions of a change set are out of order")
        }
        precondition(
            positions.first ?? 0 >= 0 && positions.last ?? -1 < count,
            "a position of a change set is outside the values"
        )
    }

    private func checkModifications(
        _ old: ResultVersion,
        _ new: ResultVersion,
        _ isSame: (ResultEntry, ResultEntry) -> Bool
    ) {
        for modification in modifications.prefix(Self.checkLimit) {
            let (before, after) = (old.entry(modification.old), new.entry(modification.new))
            precondition(
                before.key.identity == after.key.identity,
                "a modification tells of two values"
            )
            precondition(!isSame(before, after), "a modification tells of a value that is the same")
        }
    }

    private func checkMoves(_ old: ResultVersion, _ new: ResultVersion) {
        for move in moves.prefix(Self.checkLimit) {
            precondition(
                old.entry(move.from).key.identity == new.entry(move.to).key.identity,
                "a move tells of two values"
            )
            precondition(
                Self.contains(deletions, move.from) && Self.contains(insertions, move.to),
                "a move is not among the deletions and the insertions"
            )
        }
    }

    private static func contains(_ ascending: [Int], _ position: Int) -> Bool {
        var (low, high) = (0, ascending.count)
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low < ascending.count && ascending[low] == position
    }

    /// Replays the change set, and looks whether everything that differs is told.
    private func checkAll(
        _ old: ResultVersion,
        _ new: ResultVersion,
        _ isSame: (ResultEntry, ResultEntry) -> Bool
    ) {
        let present = new.range.map { new.tree[$0] }
        var replayed = old.range.map { old.tree[$0] }
        let places = Dictionary(
            uniqueKeysWithValues: replayed.enumerated().map { ($1.key.identity, $0) }
        )
        let former = replayed
        for index in deletions.reversed() { replayed.remove(at: index) }
        for index in insertions { replayed.insert(present[index], at: index) }
        precondition(
            replayed.map(\.key.identity) == present.map(\.key.identity),
            "the change set does not lead from the former values to the present ones"
        )
        var modified: [Int] = []
        var moved = Set<Int>()
        let inserted = Set(insertions)
        for (index, entry) in present.enumerated() {
            guard let place = places[entry.key.identity] else { continue }
            if entry !== former[place], !isSame(former[place], entry) { modified.append(index) }
            if inserted.contains(index) { moved.insert(index) }
        }
        precondition(modifications.map(\.new) == modified, "a value that differs is not told")
        precondition(Set(moves.map(\.to)) == moved, "a value that moved is not told")
    }
}

extension ResultVersion {
    /// Returns the entry at a position that is shown.
    fileprivate func entry(_ position: Int) -> ResultEntry {
        tree[range.lowerBound + position]
    }
}
#endif
