/// How one version of a result differs from an earlier one, by positions.
///
/// Both are sorted by one order, so they are merged; what they share is stepped over, so the work is
/// that of what changed.
struct ResultDifference {
    private(set) var deletions: [Int] = []
    private(set) var insertions: [Int] = []
    private(set) var modifications: [Modification] = []
    private(set) var moves: [RowMove] = []

    /// A row that has changed: where it was, where it is, and what it is now.
    struct Modification {
        let old: Int
        let new: Int
        let entry: ResultEntry
    }

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// Compares two versions.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - new: The later version.
    ///   - isSame: Whether two different entries of one row have the same value.
    init(
        from old: ResultVersion,
        to new: ResultVersion,
        isSame: (ResultEntry, ResultEntry) -> Bool
    ) {
        if let step = new.step(from: old) {
            take(step.old, step.new, isSame)
        } else {
            merge(from: old, to: new, isSame)
        }
    }

    /// Goes through both versions and steps over what they share.
    private mutating func merge(
        from old: ResultVersion,
        to new: ResultVersion,
        _ isSame: (ResultEntry, ResultEntry) -> Bool
    ) {
        var deleted: [ResultEntry] = []
        var inserted: [ResultEntry] = []
        var left = ResultWalk(old.tree, old.range)
        var right = ResultWalk(new.tree, new.range)
        merge: while true {
            switch (left.item, right.item) {
            case (.end, .end): break merge
            case (.node(let first), .node(let second)):
                if first === second {
                    ResultWalk.advanceOverShared(&left, &right)
                } else if first.count > second.count {
                    left.descend()
                } else if first.count < second.count {
                    right.descend()
                } else {
                    left.descend()
                    right.descend()
                }
            case (.entry(let first), .entry(let second)):
                if first === second {
                    ResultWalk.advanceOverShared(&left, &right)
                    continue
                }
                let order = first.key.compare(second.key)
                if order < 0 {
                    deletions.append(left.position)
                    deleted.append(first)
                } else if order > 0 {
                    insertions.append(right.position)
                    inserted.append(second)
                } else if !isSame(first, second) {
                    modifications.append(
                        Modification(old: left.position, new: right.position, entry: second)
                    )
                }
                if order <= 0 { left.advance() }
                if order >= 0 { right.advance() }
            case (.entry(let entry), .node(let node)):
                guard let first = node.first, entry.key < first.key else {
                    right.descend()
                    continue
                }
                deletions.append(left.position)
                deleted.append(entry)
                left.advance()
            case (.node(let node), .entry(let entry)):
                guard let first = node.first, entry.key < first.key else {
                    left.descend()
                    continue
                }
                insertions.append(right.position)
                inserted.append(entry)
                right.advance()
            case (.node, .end): left.descend()
            case (.end, .node): right.descend()
            case (.entry(let entry), .end):
                deletions.append(left.position)
                deleted.append(entry)
                left.advance()
            case (.end, .entry(let entry)):
                insertions.append(right.position)
                inserted.append(entry)
                right.advance()
            }
        }
        if deleted.count == 1 && inserted.count == 1 {
            take(
                PlacedEntry(entry: deleted[0], position: deletions[0]),
                PlacedEntry(entry: inserted[0], position: insertions[0]),
                isSame
            )
        } else if !deleted.isEmpty && !inserted.isEmpty {
            findMoves(deleted, inserted, isSame)
        }
    }

    /// Takes the places of the one row that came, went or was written again.
    private mutating func take(
        _ old: PlacedEntry?,
        _ new: PlacedEntry?,
        _ isSame: (ResultEntry, ResultEntry) -> Bool
    ) {
        guard let old, let new, old.entry.key.identity == new.entry.key.identity else {
            deletions = old.map { [$0.position] } ?? []
            insertions = new.map { [$0.position] } ?? []
            return
        }
        if !isSame(old.entry, new.entry) {
            modifications.append(
                Modification(old: old.position, new: new.position, entry: new.entry)
            )
            modifications.sort { $0.new < $1.new }
        }
        let isMoved = old.position != new.position
        deletions = isMoved ? [old.position] : []
        insertions = isMoved ? [new.position] : []
        if isMoved { moves = [RowMove(from: old.position, to: new.position)] }
    }

    /// Finds the rows that are at another place of the order, and tells those that moved past others
    /// from those that did not.
    private mutating func findMoves(
        _ deleted: [ResultEntry],
        _ inserted: [ResultEntry],
        _ isSame: (ResultEntry, ResultEntry) -> Bool
    ) {
        var places: [ArraySlice<UInt8>: Int] = [:]
        places.reserveCapacity(inserted.count)
        for (index, entry) in inserted.enumerated() { places[entry.key.identity] = index }
        // Positions in `deletions` and in `insertions`.
        var pairs: [(deletion: Int, insertion: Int)] = []
        for (index, entry) in deleted.enumerated() {
            guard let place = places[entry.key.identity] else { continue }
            pairs.append((index, place))
            if !isSame(entry, inserted[place]) {
                modifications.append(
                    Modification(
                        old: deletions[index],
                        new: insertions[place],
                        entry: inserted[place]
                    )
                )
            }
        }
        if pairs.isEmpty { return }
        modifications.sort { $0.new < $1.new }
        // Between which of the rows that stayed each was, and is.
        let staying = Self.longestStaying(
            pairs.indices.filter {
                let (deletion, insertion) = pairs[$0]
                return deletions[deletion] - deletion == insertions[insertion] - insertion
            },
            gap: { deletions[pairs[$0].deletion] - pairs[$0].deletion },
            place: { pairs[$0].insertion }
        )
        var stayingDeletions = Set<Int>()
        var stayingInsertions = Set<Int>()
        for (index, pair) in pairs.enumerated() {
            if staying.contains(index) {
                stayingDeletions.insert(pair.deletion)
                stayingInsertions.insert(pair.insertion)
            } else {
                moves.append(
                    RowMove(from: deletions[pair.deletion], to: insertions[pair.insertion])
                )
            }
        }
        if staying.isEmpty { return }
        deletions = deletions.indices.filter { !stayingDeletions.contains($0) }
            .map { deletions[$0] }
        insertions = insertions.indices.filter { !stayingInsertions.contains($0) }
            .map { insertions[$0] }
    }

    /// Returns the most pairs that keep their order among themselves: the longest ascending sequence
    /// of new places within each gap between rows that stayed.
    private static func longestStaying(
        _ candidates: [Int],
        gap: (Int) -> Int,
        place: (Int) -> Int
    ) -> Set<Int> {
        var result = Set<Int>()
        var start = 0
        while start < candidates.count {
            var end = start + 1
            while end < candidates.count, gap(candidates[end]) == gap(candidates[start]) {
                end += 1
            }
            let group = candidates[start..<end]
            // Patience sorting: `tails[k]` ends the best sequence of k + 1 elements.
            var tails: [Int] = []
            var previous: [Int: Int] = [:]
            for candidate in group {
                var low = 0
                var high = tails.count
                while low < high {
                    let middle = (low + high) / 2
                    if place(tails[middle]) < place(candidate) {
                        low = middle + 1
                    } else {
                        high = middle
                    }
                }
                previous[candidate] = low > 0 ? tails[low - 1] : nil
                if low == tails.count { tails.append(candidate) } else { tails[low] = candidate }
            }
            var next = tails.last
            while let candidate = next {
                result.insert(candidate)
                next = previous[candidate]
            }
            start = end
        }
        return result
    }
}

/// One version of an observed result: its rows, and which of them the request's limit and offset show.
final class ResultVersion: Sendable {
    let tree: ResultTree
    let range: Range<Int>
    private let number: Int
    private let step: RowStep?

    /// Creates a version.
    ///
    /// - Parameters:
    ///   - tree: The rows that are kept.
    ///   - query: The request.
    ///   - previous: The version before.
    ///   - step: The one row in which the rows differ from those of the version before, if it is one.
    init(
        _ tree: ResultTree,
        _ query: RowQuery,
        after previous: ResultVersion? = nil,
        _ step: RowStep? = nil
    ) {
        self.tree = tree
        let start = min(query.offset, tree.count)
        range = start..<start + min(query.limit ?? .max, tree.count - start)
        number = previous.map { $0.number + 1 } ?? 0
        // What a limit or an offset hides is not told, so that one row may let others appear.
        self.step = query.limit == nil && query.offset == 0 ? step : nil
    }

    /// Returns the one row in which the version differs from an earlier one, if it is known and one.
    func step(from old: ResultVersion) -> RowStep? {
        number == old.number + 1 ? step : nil
    }
}

/// One row of two versions, in which alone they differ: as it was and as it is, where it is shown.
struct RowStep: Sendable {
    var old: PlacedEntry?
    var new: PlacedEntry?
}

/// An entry and its position in a version.
struct PlacedEntry: Sendable {
    let entry: ResultEntry
    let position: Int
}
