/// The changes that one commit made to the values of a model, with each value before and after.
///
/// Each primary key occurs once at most: a value that a commit inserts and deletes does not occur, one
/// that it writes twice occurs with the value before the first and after the last write. The lists are
/// in the order of the primary key.
public struct CommitChanges<Model: StoredConvertible>: Sendable {
    /// The values that the commit inserted.
    public let inserted: [Model]
    /// The values that were there and differ now.
    public let updated: [Update]
    /// The values that the commit deleted.
    public let deleted: [Model]
    /// Whether more may have been written that is not known value by value: by custom SQL, by
    /// another process, or by more commits than wait to be delivered.
    public let hasUntrackedChanges: Bool

    /// A value that the commit changed.
    public struct Update: Sendable {
        /// The value as it was before the commit.
        public let before: Model
        /// The value as the commit has left it.
        public let after: Model

        /// Creates an update from the values before and after it.
        public init(before: Model, after: Model) {
            self.before = before
            self.after = after
        }
    }

    init(_ unit: FeedUnit, _ model: (RowBatch) throws -> Model) throws {
        // It owns the memory of its rows.
        defer { withExtendedLifetime(unit) {} }
        var inserted: [Model] = []
        var updated: [Update] = []
        var deleted: [Model] = []
        for row in unit.rows {
            let before = try row.before.map(model)
            let after = try row.after.map(model)
            switch (before, after) {
            case (let before?, let after?): updated.append(Update(before: before, after: after))
            case (nil, let after?): inserted.append(after)
            case (let before?, nil): deleted.append(before)
            case (nil, nil): break
            }
        }
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        hasUntrackedChanges = unit.hasUnseen
    }

    /// Makes the change from one version of all values to the next; nil when there is none.
    init?(_ step: ResultStep, _ comparison: some EntryComparison) {
        guard let old = step.old else { return nil }
        let difference = ResultDifference(from: old, to: step.new) { comparison.isSame($0, $1) }
        if difference.isEmpty { return nil }
        let (before, after) = (ResultCollection<Model>(old), ResultCollection<Model>(step.new))
        inserted = difference.insertions.map { after[$0] }
        deleted = difference.deletions.map { before[$0] }
        updated = difference.modifications.map {
            Update(before: before[$0.old], after: after[$0.new])
        }
        hasUntrackedChanges = false
    }
}

extension CommitChanges.Update: Equatable where Model: Equatable {}
extension CommitChanges: Equatable where Model: Equatable {}
