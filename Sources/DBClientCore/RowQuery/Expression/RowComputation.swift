/// A field of rows that is set to what is computed from the fields of the same row, as they are stored.
public struct RowComputation: Hashable, Sendable {
    /// The position of the field that is set.
    public let column: Int
    /// What is computed, of the type of the field.
    public let expression: RowExpression

    /// Creates a computation of a field.
    public init(column: Int, _ expression: RowExpression) {
        self.column = column
        self.expression = expression
    }
}
