// What a reference is as its key is: a value of a column, a primary key or a part of one.

/// A reference is stored as the primary key that it holds.
extension Reference: ColumnValue where Model.PrimaryKey: ColumnValue {
    /// The field type of the referenced model's primary key.
    @inlinable
    public static var fieldType: FieldType { Model.PrimaryKey.fieldType }

    /// Creates a reference from the slot of its key.
    @inlinable
    public init(slot: Slot) throws(SlotError) {
        self.init(try Model.PrimaryKey(slot: slot))
    }

    /// Writes the primary key in place of the reference.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        try key.store(in: &row)
    }
}

/// In the order of the keys.
extension Reference: Comparable where Model.PrimaryKey: Comparable {
    /// Whether the key is less than that of another.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.key < right.key }
}

/// The key of a model that is there once for each value of another, or a part of the key of one that joins two:
///
/// ```swift
/// @Stored struct Membership {
///     @PrimaryKey @Relationship(onDelete: .cascade) var team: Reference<Team>
///     @PrimaryKey @Relationship(onDelete: .cascade) var hero: Reference<Hero>
/// }
/// ```
extension Reference: PrimaryKeyValue {
    /// The primary key of the value that is referred to.
    public typealias NodeKey = Model.PrimaryKey

    /// The number of columns of the referenced model's primary key.
    public static var columnCount: Int { Model.PrimaryKey.columnCount }

    /// The fields of the referenced model's primary key.
    public static var fields: [SchemaField<Self>] {
        Model.PrimaryKey.fields.map { SchemaField(\Self.key, $0.columns) }
    }

    /// The key, when it is one integer.
    @inlinable
    public var integer: Int64? { key.integer }

    /// Creates a reference from the primary key in the row.
    @inlinable
    public init(row: inout RowReader) throws {
        self.init(try Model.PrimaryKey(row: &row))
    }

    /// Writes the primary key to the row.
    @inlinable
    public func write(to row: inout RowWriter) throws {
        try key.write(to: &row)
    }
}
