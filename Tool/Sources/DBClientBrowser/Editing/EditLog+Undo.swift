import DBClientCore
import HTTPTypes

extension EditLog {
    /// Returns the rows of an edit as they are, nil for those that are not there.
    ///
    /// - Parameters:
    ///   - edit: The edit.
    ///   - number: Its number.
    ///   - transaction: The transaction that is to undo it.
    /// - Returns: The rows, in the order of the edit's changes.
    /// - Throws: ``PageFailure`` where a row is no longer as the edit has left it, which says whether a later edit of
    ///   this page is to be undone first.
    func present(
        _ edit: Edit,
        _ number: Int,
        in transaction: WriteTransaction
    ) throws -> [DynamicRow?] {
        try edit.rows.map { change in
            let row = try transaction.find(change.entity, key: change.key)
            var failure: PageFailure
            if let later = later(than: number, writing: change), later.hasLeft(row) {
                let shared = later.fields.intersection(change.fields).sorted()
                let names = shared.isEmpty ? "of the row" : "of \(shared.joined(separator: ", "))"
                failure = PageFailure(
                    .conflict,
                    "laterEdit",
                    "The later edit \(names) must be undone first; nothing was undone."
                )
                failure.field = shared.first
            } else if change.hasLeft(row) {
                return row
            } else {
                failure = PageFailure.conflict(
                    "The row must be as the edit has left it; it was changed since, so nothing was undone."
                )
            }
            failure.entity = change.entity.name
            throw failure
        }
    }
}
