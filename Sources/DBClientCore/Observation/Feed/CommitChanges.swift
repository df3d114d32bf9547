/// What one commit did to the values of a model, with each value before and after.
///
/// Each primary key occurs once at most: a value that a commit inserts and deletes does not occur, one
/// that it writes twice occurs with the value before the first and after the last write. The lists are
/// in the order of the primary key.
public struct CommitChanges<Model: Stored>: Sendable {
    /// The values that are new.
    public let inserted: [Model]
    /// The values that were there and differ now.
    public let updated: [Update]
    /// The values that are gone.
    public let deleted: [Model]
    /// Whether more may have been written that is not known value by value: by a statement of one's
    /// own, or by another process.
    public let hasUnseenChanges: Bool

    /// A value that was written.
    public struct Update: Sendable {
        /// The value before the commit.
        public let before: Model
        /// The value after the commit.
        public let after: Model

        /// Creates an update.
        public init(before: Model, after: Model) {
            self.before = before
            self.after = after
        }
    }

    init(_ unit: FeedUnit) throws {
        var inserted: [Model] = []
        var updated: [Update] = []
        var deleted: [Model] = []
        for row in unit.rows {
            let before = try row.before.map { try Self.model($0) }
            let after = try row.after.map { try Self.model($0) }
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
        hasUnseenChanges = unit.hasUnseen
    }

    private static func model(_ row: RowBatch) throws -> Model {
        var reader = row.reader(at: 0)
        return try Model(row: &reader)
    }
}

extension CommitChanges.Update: Equatable where Model: Equatable {}
extension CommitChanges: Equatable where Model: Equatable {}
