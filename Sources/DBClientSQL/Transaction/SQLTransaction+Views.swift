public import DBClientCore

// The database itself refuses writes to rows of which views are kept, by whatever program, unless its session holds the
// mark of those that keep them.
extension SQLTransaction {
    /// Returns the mark of an entity's stored views.
    public func viewMark(of entity: EntitySchema) throws -> String? {
        if entity.hasViews, let table = tables.table(of: entity, isWriting: false) {
            return table.sql.viewMark
        }
        return try connection.viewMark(of: dialect.tableName(of: entity))
    }

    /// Keeps the mark of an entity's stored views with its table.
    public func setViewMark(_ mark: String?, of entity: EntitySchema) throws {
        try connection.checkTransaction()
        if mark != nil { try makeTable(of: entity) }
        try connection.note(.willAlter)
        try connection.setViewMark(mark, of: dialect.tableName(of: entity))
        forgetSchema()
        mayChangeSchema = true
    }

    /// Has the session hold a mark, or none.
    func hold(_ mark: String?) throws {
        if heldMark == .some(mark) { return }
        try connection.holdViewMark(mark)
        heldMark = .some(mark)
    }

    /// Notes that the innermost savepoint has ended.
    ///
    /// What was held since it began may be undone with it, and so may what a connection had not sent yet.
    func didEndSavepoint() {
        guard let mark = marksOfSavepoints.popLast(), mark != heldMark else { return }
        heldMark = nil
    }
}
