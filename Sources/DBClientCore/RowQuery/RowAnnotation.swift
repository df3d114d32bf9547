/// What is computed of the rows that belong to each row of a query, as engines see it.
public struct RowAnnotation: Hashable, Sendable {
    /// The rows that belong to a row, those among them that fulfil the condition; without a count, a total and a slice.
    public let rows: RelatedRows
    /// What is computed of them: their number, or a function over a field of them or of what they lead to.
    ///
    /// It is never a number of different values.
    public let term: RowGrouping.Term

    /// Creates what is computed of the rows that belong to each row.
    public init(_ rows: RelatedRows, _ term: RowGrouping.Term) {
        self.rows = rows
        self.term = term
    }

    /// What it comes to where no row belongs to one: a number is zero, and a function null.
    var ofNone: Slot { term == .count ? .integer(0) : .null }
}
