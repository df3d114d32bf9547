public import DBClientCore

/// One row of a raw SQL query.
public struct SQLRow: Sendable {
    /// The names of the columns, shared by the rows of one result.
    public let columnNames: [String]
    /// The values in the order of the columns, as the database keeps them.
    public let values: [StorageValue]

    /// Creates a row from column names and the values beneath them.
    public init(columnNames: [String], values: [StorageValue]) {
        self.columnNames = columnNames
        self.values = values
    }

    /// Returns the value of the first column of a name.
    ///
    /// - Throws: `.invalidRequest` when there is no such column or the row has no value for it, `.decoding` when the
    ///   stored value is not one of `Value`.
    public func value<Value: StorableValue>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws -> Value {
        guard let index = columnNames.firstIndex(of: column) else {
            throw DBClientError(
                .invalidRequest,
                "The result has no column of this name.",
                field: column
            )
        }
        guard index < values.count else {
            throw DBClientError(
                .invalidRequest,
                "The row has fewer values than columns.",
                field: column
            )
        }
        do {
            return try values[index].decode(as: type)
        } catch var error as DBClientError {
            error.field = column
            throw error
        }
    }

    /// The value of the first column of a name, or nil.
    ///
    /// Nil when it is null, when it is no `Value` or when there is no such column; `value(_:as:)`
    /// distinguishes these cases.
    public subscript<Value: StorableValue>(
        _ column: String, as type: Value.Type = Value.self
    ) -> Value? {
        try? value(column, as: Value?.self)
    }
}
