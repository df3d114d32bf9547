/// An element of an observation of rows: the rows as they are, and how they differ from those that the observer last
/// received.
///
/// `deletions` are positions in `previous`, ascending; `insertions` are positions in `rows`, ascending. Deleting the ones
/// from the back and then inserting the others in order turns the former sequence into the present one.
public struct SelectedChange<Row: Sendable>: Sendable {
    /// The rows after the change.
    public let rows: SelectedRows<Row>
    /// The rows as this observer last got them; nil of the first element.
    public let previous: SelectedRows<Row>?
    /// The positions in `previous` of rows that are gone or have moved, ascending.
    public let deletions: [Int]
    /// The positions in `rows` of rows that are new or have moved, ascending; all of them of the first element.
    public let insertions: [Int]
    /// The positions, in `previous` and in `rows`, of rows that were there before and have other values, by the latter.
    public let modifications: [RowMove]
    /// The rows that were there before and have moved, by their positions in `previous`.
    ///
    /// Both positions are among the deletions and the insertions too.
    public let moves: [RowMove]

    /// Makes the element for a step; nil when nothing differs.
    init?(_ step: ResultStep) {
        rows = SelectedRows(step.new)
        guard let old = step.old else {
            previous = nil
            deletions = []
            insertions = Array(rows.indices)
            modifications = []
            moves = []
            return
        }
        let difference = ResultDifference(from: old, to: step.new, isSame: ValuesEntry.isSame)
        if difference.isEmpty { return nil }
        #if DEBUG
        difference.checkLaws(from: old, to: step.new, isSame: ValuesEntry.isSame)
        #endif
        previous = SelectedRows(old)
        deletions = difference.deletions
        insertions = difference.insertions
        modifications = difference.modifications.map { RowMove(from: $0.old, to: $0.new) }
        moves = difference.moves
    }
}
