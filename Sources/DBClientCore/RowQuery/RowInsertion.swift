/// New rows of an entity that are made from the rows of a query, one of each.
public struct RowInsertion: Sendable {
    /// The entity of the new rows.
    public let entity: EntitySchema
    /// The positions of the fields that are given, ascending: all but a key that the store is to make.
    public let columns: [Int]
    /// What each of these is: a field of the query's rows, what they lead to, what is computed from them, or a constant.
    public let values: [RowGrouping.Key]
    /// The rows that are read, in the order in which the new ones are inserted.
    public let source: RowQuery

    /// Completes fields by what the model begins them with, and optional ones by nil.
    ///
    /// - Throws: `.invalidRequest` for a required field of which neither is known.
    init(_ entity: EntitySchema, _ given: [Int: RowGrouping.Key], from source: RowQuery) throws {
        self.entity = entity
        self.source = source
        let initial = entity.initialValues()
        var columns: [Int] = []
        var values: [RowGrouping.Key] = []
        for (column, field) in entity.fields.enumerated() {
            if let value = given[column] {
                values.append(value)
            } else if entity.primaryKey.contains(column), entity.keyGeneration == .generated {
                continue
            } else if let value = initial[column] {
                values.append(.constant(value, field.type))
            } else if field.isOptional {
                values.append(.constant(.null, field.type))
            } else {
                throw DBClientError(
                    .invalidRequest,
                    "A required field of rows that are inserted from a request must be set; it has no default.",
                    entity: entity.name,
                    field: field.name
                )
            }
            columns.append(column)
        }
        self.columns = columns
        self.values = values
    }
}

extension RowInsertion {
    /// What the fields are, computed from the fields of the query's rows; nil where the library has to look at a value,
    /// or at rows of another entity.
    package var expressions: [RowExpression]? {
        let isStored = source.join == nil && values.allSatisfy(\.path.isEmpty)
        guard isStored, !entity.hasFormats, !source.entity.hasFormats, hasPlainKey else {
            return nil
        }
        return values.map { $0.expression ?? .field($0.column) }
    }

    /// Whether the key is one that the database makes, or that every engine takes as it is.
    private var hasPlainKey: Bool {
        let keys = zip(columns, values).filter { entity.primaryKey.contains($0.0) }.map(\.1)
        if entity.keyGeneration == .generated { return keys.isEmpty && entity.integerKey != nil }
        // A key that another entity has is not too long.
        let isKey =
            keys.allSatisfy { $0.expression == nil && $0.path.isEmpty }
            && Set(keys.map(\.column)) == Set(source.entity.primaryKey)
        return !entity.mayHaveLongKey || isKey && keys.count == source.entity.primaryKey.count
    }
}

extension RowGrouping.Key {
    /// Returns a constant of a type, the same for every row.
    static func constant(_ value: StorageValue, _ type: FieldType) -> RowGrouping.Key {
        RowGrouping.Key(.constant(value, type))
    }
}
