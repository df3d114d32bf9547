/// How the values of an observed request changed since they were last delivered: positions to delete, to
/// insert and to draw again.
///
/// `deletions` are positions in `previous`, ascending; `insertions` are positions in `objects`,
/// ascending. Deleting the ones from the back and then inserting the others in order turns the former
/// sequence of primary keys into the present one. A value that only changed is a modification; one
/// that came to another place is deleted and inserted as well, and `moves` tells that it is the same.
public struct ChangeSet<Model: StoredConvertible>: Sendable {
    /// The values after the change, to show from now on.
    public let objects: ResultCollection<Model>
    /// The values as this observer last got them.
    public let previous: ResultCollection<Model>
    /// The positions in `previous` of values that are gone or have moved, ascending.
    public let deletions: [Int]
    /// The positions in `objects` of values that are new or have moved, ascending.
    public let insertions: [Int]
    /// The values that were there before with the same primary key and have changed, in the order of
    /// their new positions.
    public let modifications: Modifications
    /// The values that were there before and have moved, in the order of their old positions.
    ///
    /// Both positions are among the deletions and the insertions too.
    public let moves: [Move]

    /// A value that has moved to another position.
    public typealias Move = RowMove

    init(
        _ difference: ResultDifference,
        from old: ResultVersion,
        to new: ResultVersion,
        isSame: (ResultEntry, ResultEntry) -> Bool
    ) {
        objects = ResultCollection(new)
        previous = ResultCollection(old)
        deletions = difference.deletions
        insertions = difference.insertions
        modifications = Modifications(difference.modifications)
        moves = difference.moves
        #if DEBUG
        difference.checkLaws(from: old, to: new, isSame: isSame)
        #endif
    }
}

/// A value that stands elsewhere than before.
public struct RowMove: Hashable, Sendable {
    /// The position in the former values.
    public let from: Int
    /// The position in the present values.
    public let to: Int

    /// Creates a move from a former position to a present one.
    public init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }
}
