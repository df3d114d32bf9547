public import DBClientCore

/// How what a live object shows differs from what it showed before, by positions.
///
/// `deletions` are positions in what was shown before, `insertions` positions in what is shown now, both ascending.
/// Deleting the ones from the back and then inserting the others in order turns the former sequence of identities into the
/// present one. An element that only changed is a modification; one that came to another place is deleted and inserted as
/// well, and `moves` tells that it is the same.
public struct LiveChange: Hashable, Sendable {
    /// The former positions of elements that are gone or have moved, ascending.
    public private(set) var deletions: [Int] = []
    /// The present positions of elements that are new or have moved, ascending.
    public private(set) var insertions: [Int] = []
    /// The former and the present positions of elements that are the same by identity and have changed, ascending by the
    /// present ones.
    public private(set) var modifications: [RowMove] = []
    /// The former and the present positions of elements that have moved, ascending by the former ones.
    ///
    /// Both are among the deletions and the insertions too.
    public private(set) var moves: [RowMove] = []

    /// Creates a change from its positions, which must keep to what the type promises.
    public init(
        deletions: [Int] = [],
        insertions: [Int] = [],
        modifications: [RowMove] = [],
        moves: [RowMove] = []
    ) {
        self.deletions = deletions
        self.insertions = insertions
        self.modifications = modifications
        self.moves = moves
    }

    /// Creates the change that a change set tells.
    public init<Model>(_ changes: ChangeSet<Model>) {
        deletions = changes.deletions
        insertions = changes.insertions
        modifications = changes.modifications.map { RowMove(from: $0.old, to: $0.new) }
        moves = changes.moves
    }

    /// Creates the change that an observation of rows tells.
    public init<Row>(_ change: SelectedChange<Row>) {
        deletions = change.deletions
        insertions = change.insertions
        modifications = change.modifications
        moves = change.moves
    }

    /// Whether what is shown before and after is the same; a move is a deletion and an insertion.
    public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// Calls closures for each change, in an order in which every position is right at its time: deletions from the back,
    /// insertions from the front, then what changed, by its present position.
    ///
    /// An element that moved is deleted and inserted.
    public func replay(
        delete: (Int) throws -> Void,
        insert: (Int) throws -> Void,
        update: (Int) throws -> Void
    ) rethrows {
        for position in deletions.reversed() { try delete(position) }
        for position in insertions { try insert(position) }
        let moved = Set(moves.map(\.to))
        for place in modifications where !moved.contains(place.to) { try update(place.to) }
    }

    /// Makes what was shown what is shown.
    ///
    /// - Parameters:
    ///   - elements: What was shown before the change.
    ///   - shown: What is shown after it, of which the elements are taken that are new or have changed.
    public func apply<Shown: RandomAccessCollection>(
        to elements: inout [Shown.Element],
        from shown: Shown
    ) where Shown.Index == Int {
        replay(
            delete: { elements.remove(at: $0) },
            insert: { elements.insert(shown[shown.startIndex + $0], at: $0) },
            update: { elements[$0] = shown[shown.startIndex + $0] }
        )
    }
}
