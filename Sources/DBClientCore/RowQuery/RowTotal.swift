/// A comparison of the sum or the average of a field over rows with a constant.
///
/// Absent values are left out. A sum of none is zero; an average of none is null, which differs from
/// every value and compares otherwise with none. A sum is exact, however large; one of doubles is rounded once.
public struct RowTotal: Hashable, Sendable {
    /// The function that is compared: the sum or the average.
    public let function: AggregateFunction
    /// The position of the field that the function is computed from.
    public let column: Int
    /// The way to the row that has the field, by primary keys; empty for a field of the rows.
    public let path: [RelatedRows]
    /// How the total compares with ``value``.
    public let comparison: Comparison
    /// The constant that the total is compared with: an integer or a decimal where the sum is one, else a
    /// real.
    public let value: StorageValue

    /// Creates a comparison of an aggregate over related rows with a constant.
    public init(
        _ function: AggregateFunction,
        _ column: Int,
        through path: [RelatedRows],
        _ comparison: Comparison,
        _ value: StorageValue
    ) {
        self.function = function
        self.column = column
        self.path = path
        self.comparison = comparison
        self.value = value
    }

    /// The field, of an entity's rows or of those that they lead to.
    public func field(of entity: EntitySchema) -> FieldSchema {
        (path.last?.entity ?? entity).fields[column]
    }

    /// Whether it holds where there is no value.
    public var holdsForNone: Bool { FieldAggregate(function).holds(comparison, value) }
}
