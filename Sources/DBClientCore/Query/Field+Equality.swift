// Equality with a value of the field's own type, or an optional one: nil is a field that is absent.

/// True when the field equals the value; `== nil` when it is absent.
public func == <Model, Value: StorableValue>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> {
    field.compare(.equal, value)
}

/// True when the field differs from the value; an absent field differs from every value.
public func != <Model, Value: StorableValue>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> {
    field.compare(.notEqual, value)
}

/// True when the field, an enum, an embedded struct or a value that is kept as JSON, equals the value; by what is
/// stored of it.
@_disfavoredOverload
public func == <Model, Value>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> {
    field.compare(.equal, kept: value)
}

/// True when the field, an enum, an embedded struct or a value that is kept as JSON, differs from the value.
@_disfavoredOverload
public func != <Model, Value>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> {
    field.compare(.notEqual, kept: value)
}

/// True when the field is absent, whatever its type.
@_disfavoredOverload
public func == <Model, Wrapped>(
    field: Field<Model, Wrapped?>,
    absent: _OptionalNilComparisonType
) -> Condition<Model> {
    field.condition { column, _ in field.absence(column) }
}

/// True when the field is present, whatever its type.
@_disfavoredOverload
public func != <Model, Wrapped>(
    field: Field<Model, Wrapped?>,
    absent: _OptionalNilComparisonType
) -> Condition<Model> {
    field.condition { column, _ in .not(field.absence(column)) }
}

extension Field {
    func compare(_ comparison: Comparison, _ value: some StorableValue) -> Condition<Model> {
        condition { column, entity in
            let stored = try entity.naming(column) {
                try StorageValue(storing: value)
            }
            return .comparing(column: column, comparison, stored)
        }
    }

    func compare<Raw: RawRepresentable>(
        _ comparison: Comparison,
        raw value: Raw?
    ) -> Condition<Model> where Raw.RawValue: StorableValue {
        compare(comparison, value?.rawValue)
    }

    /// Returns whether the field equals a value, or differs from it, whose type says at run time how it is kept.
    fileprivate func compare(_ comparison: Comparison, kept value: Value?) -> Condition<Model> {
        condition { column, entity in
            if let embedded = embeddedColumns(at: column) {
                let isEqual = try entity.equal(embedded, to: value as Any)
                return comparison == .equal ? isEqual : .not(isEqual)
            }
            let stored = try entity.naming(column) { try StorageValue(keeping: value as Any) }
            return .comparing(column: column, comparison, stored)
        }
    }

    /// The columns of an embedded struct, and of what says whether it is there; nil for other fields.
    private func embeddedColumns(at column: Int) -> Range<Int>? {
        let wrapped = (Value.self as? any OptionalType.Type)?.wrapped
        guard let type = (wrapped ?? Value.self) as? any EmbeddedValue.Type else { return nil }
        let presence = wrapped == nil || isAlwaysInOwner ? 0 : 1
        return column..<column + presence + type.columnCount
    }
}

extension EntitySchema {
    /// Returns the condition that columns equal those of an embedded struct, or of none.
    fileprivate func equal(_ columns: Range<Int>, to value: Any) throws -> RowCondition {
        guard let value = flattened(value) as? any EmbeddedValue else {
            return .isNil(column: columns.lowerBound)
        }
        let presence = columns.count - type(of: value).columnCount
        let buffer = RowBuffer(self, columns: Array(columns))
        var row = try buffer.beginRow()
        if presence > 0 { try row.put(integer: 1) }
        try value.write(to: &row)
        try buffer.endRow(row)
        return withExtendedLifetime(buffer) {
            .all(
                columns.enumerated().map { index, column in
                    .comparing(column: column, .equal, StorageValue(buffer.batch[0, index]))
                }
            )
        }
    }
}

extension StorageValue {
    /// Returns the stored form of a value that a field of its type has: its own, that of its raw value, or JSON.
    fileprivate init(keeping value: Any) throws {
        guard let value = flattened(value) else {
            self = .null
            return
        }
        if let value = value as? any StorableValue {
            self = try StorageValue(storing: value)
        } else if let raw = (value as? any RawRepresentable)?.rawValue as? any StorableValue {
            self = try StorageValue(storing: raw)
        } else if let value = value as? any Encodable {
            self = try StorageValue(json: value)
        } else {
            throw DBClientError(
                .invalidRequest,
                "A value must be storable to be compared; got a \(type(of: value))."
            )
        }
    }
}
