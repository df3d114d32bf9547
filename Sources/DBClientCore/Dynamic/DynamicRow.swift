/// A row of an entity by the stored names of its fields: a typed dictionary, checked against the
/// schema.
///
/// ```swift
/// var row = try DynamicRow(heroes, ["identifier": 1455, "name": "Iron Man"])
/// try row.set("year", to: 1963)
/// ```
public struct DynamicRow: Hashable, Sendable {
    /// The entity that the row belongs to.
    public let entity: EntitySchema
    /// The values in the order of the entity's fields.
    private var columns: [DynamicValue]

    /// Creates a row; a field that is not named is absent.
    ///
    /// - Throws: `.invalidRequest` for a name that is no field, or for a value of another kind than the
    ///   field's; `.invalidValue` for a value that no engine can keep.
    public init(_ entity: EntitySchema, _ values: [String: DynamicValue] = [:]) throws {
        self.entity = entity
        columns = Array(repeating: .null, count: entity.fields.count)
        for (name, value) in values { try set(name, to: value) }
    }

    /// Creates a row from one that an engine delivers.
    init(_ batch: RowBatch, at row: Int, of entity: EntitySchema) throws {
        self.entity = entity
        columns = try entity.fields.indices.map { try entity.dynamicValue(batch[row, $0], at: $0) }
    }

    /// The value of the field with a stored name; nil when there is no such field.
    public subscript(name: String) -> DynamicValue? {
        entity.position(of: name).map { columns[$0] }
    }

    /// Sets the field with a stored name.
    ///
    /// - Throws: `.invalidRequest` when there is no such field or it holds another kind of value,
    ///   `.invalidValue` for a value that no engine can keep.
    public mutating func set(_ name: String, to value: DynamicValue) throws {
        let column = try entity.column(named: name)
        _ = try entity.storageValue(value, at: column)
        columns[column] = value
    }

    /// The values by the stored names of their fields, the absent ones left out.
    public var values: [String: DynamicValue] {
        Dictionary(
            zip(entity.fields, columns).filter { !$1.isNull }.map { ($0.name, $1) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The values of the primary key, in key order.
    public var key: [DynamicValue] {
        entity.primaryKey.map { columns[$0] }
    }

    /// Returns the condition of the rows of an entity that come after this one in a total order.
    ///
    /// - Throws: `.invalidRequest` for a row of another entity.
    func isBefore(in order: [RowOrdering], of entity: EntitySchema) throws -> RowCondition {
        guard self.entity === entity else {
            throw DBClientError(
                .invalidRequest,
                "A page must begin after a row of its own entity; got one of \(self.entity.name).",
                entity: entity.name
            )
        }
        let place = try order.map { try entity.storageValue(columns[$0.column], at: $0.column) }
        return .after(place, in: order, of: entity)
    }

    /// Writes the row, with the type's zero for a key that the store is to make.
    func write(to buffer: RowBuffer) throws {
        var row = try buffer.beginRow()
        for (column, value) in columns.enumerated() {
            if value.isNull, entity.keyGeneration == .generated, entity.primaryKey == [column] {
                try entity.writeZero(at: column, to: &row)
            } else {
                try entity.write(value, at: column, to: &row)
            }
        }
        try buffer.endRow(row)
    }
}

extension EntitySchema {
    fileprivate func writeZero(at column: Int, to row: inout RowWriter) throws {
        switch fields[column].type {
        case .uuid:
            try [UInt8](repeating: 0, count: 16).withUnsafeBytes { try row.put(data: $0) }
        case .text: try row.put(text: "")
        default: try row.put(integer: 0)
        }
    }
}
