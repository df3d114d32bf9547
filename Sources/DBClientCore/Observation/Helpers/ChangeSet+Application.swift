extension ChangeSet {
    /// Calls closures for each change, in an order in which every position is right at its time:
    /// deletions from the back, insertions from the front, then what changed, by its new position.
    ///
    /// ```swift
    /// changes.replay(
    ///     delete: { rows.remove(at: $0) },
    ///     insert: { rows.insert(Row($1), at: $0) },
    ///     update: { rows[$0] = Row($1) })
    /// ```
    ///
    /// A value that moved is deleted and inserted.
    public func replay(
        delete: (Int) throws -> Void,
        insert: (Int, Model) throws -> Void,
        update: (Int, Model) throws -> Void
    ) rethrows {
        for position in deletions.reversed() { try delete(position) }
        for position in insertions { try insert(position, objects[position]) }
        let moved = Set(moves.map(\.to))
        for modification in modifications where !moved.contains(modification.new) {
            try update(modification.new, modification.element)
        }
    }

    /// Makes the former values the present ones.
    ///
    /// - Parameter values: The former values, in order.
    public func apply(to values: inout [Model]) {
        replay(
            delete: { values.remove(at: $0) },
            insert: { values.insert($1, at: $0) },
            update: { values[$0] = $1 }
        )
    }

    /// The change as the standard library has it: applied to `previous` it gives `objects`.
    ///
    /// A value that moved or changed is a removal and an insertion that name each other.
    public var difference: CollectionDifference<Model> {
        var destinations: [Int: Int] = [:]
        for move in moves { destinations[move.from] = move.to }
        for change in modifications { destinations[change.old] = change.new }
        var removed = Set(deletions)
        removed.formUnion(modifications.map(\.old))
        var inserted = Set(insertions)
        inserted.formUnion(modifications.map(\.new))
        var origins: [Int: Int] = [:]
        for (from, to) in destinations { origins[to] = from }
        let changes: [CollectionDifference<Model>.Change] =
            removed.map {
                .remove(offset: $0, element: previous[$0], associatedWith: destinations[$0])
            }
            + inserted.map {
                .insert(offset: $0, element: objects[$0], associatedWith: origins[$0])
            }
        // The positions are valid by the law of change sets.
        return CollectionDifference(changes)
            ?? objects.map(\.self).difference(from: previous.map(\.self)) { _, _ in false }
    }

    /// The change as list views take it that update themselves in one batch.
    public var batchUpdates: BatchUpdates {
        let from = Set(moves.map(\.from))
        let to = Set(moves.map(\.to))
        return BatchUpdates(
            deletions: deletions.filter { !from.contains($0) },
            insertions: insertions.filter { !to.contains($0) },
            moves: moves,
            reloads: modifications.map(\.new)
        )
    }
}

/// A change for a list view that updates itself in one batch, such as `UICollectionView` or `UITableView`:
/// each row is in one of the lists at most, except for reloads.
///
/// ```swift
/// view.performBatchUpdates {
///     view.deleteItems(at: updates.deletions.map(path))
///     view.insertItems(at: updates.insertions.map(path))
///     for move in updates.moves { view.moveItem(at: path(move.from), to: path(move.to)) }
/// }
/// view.reloadItems(at: updates.reloads.map(path))
/// ```
public struct BatchUpdates: Hashable, Sendable {
    /// Positions before the batch of rows that go, ascending.
    public let deletions: [Int]
    /// Positions after the batch of rows that come, ascending.
    public let insertions: [Int]
    /// Rows that stand elsewhere: positions before and after the batch.
    public let moves: [RowMove]
    /// Positions after the batch of rows to draw again; reload them when the batch is done, since a
    /// view takes no reload of a row that moves.
    public let reloads: [Int]
}
