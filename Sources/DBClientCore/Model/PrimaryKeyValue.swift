/// A primary key: one storable value, or a struct of several.
public protocol PrimaryKeyValue: TreeLink, Hashable, Sendable {
    /// The primary key of the value that it leads to where it is a field: itself, unless it is a reference.
    associatedtype NodeKey = Self

    /// The number of fields that make the key.
    static var columnCount: Int { get }

    /// The key's fields in order, from which a relationship to the model makes its columns.
    ///
    /// A key of several fields that leaves them out serves its model, but no relationship leads to it.
    static var fields: [SchemaField<Self>] { get }

    /// The key as `write(to:)` writes it, when that is one integer; nil otherwise, which is the default.
    var integer: Int64? { get }

    /// Reads the key's fields in order.
    init(row: inout RowReader) throws

    /// Writes the key's fields in order.
    func write(to row: inout RowWriter) throws

    /// Appends every key of a batch to `keys`.
    ///
    /// The default is compiled for the key in the module that declares it.
    static func decode(_ batch: RowBatch, appendingTo keys: inout [Self]) throws
}

extension PrimaryKeyValue {
    /// None: no relationship leads to the model.
    public static var fields: [SchemaField<Self>] { [] }

    /// Nil, which is the default: the key is not written as one integer.
    @inlinable
    public var integer: Int64? { nil }

    /// Appends every key of a batch to `keys`.
    @inlinable
    public static func decode(_ batch: RowBatch, appendingTo keys: inout [Self]) throws {
        if batch.expectedCount > 0 && keys.isEmpty { keys.reserveCapacity(batch.expectedCount) }
        for index in 0..<batch.count {
            var reader = batch.reader(at: index)
            keys.append(try Self(row: &reader))
        }
    }
}

extension PrimaryKeyValue where Self: FixedWidthInteger {
    /// The integer, unless it is over what engines keep.
    @inlinable
    public var integer: Int64? { Int64(exactly: self) }
}

extension PrimaryKeyValue where Self: StorableValue {
    /// One: a storable value is a key of one column.
    @inlinable
    public static var columnCount: Int { 1 }

    /// One field, which holds the value itself.
    public static var fields: [SchemaField<Self>] {
        [
            SchemaField(
                \Self.self,
                [FieldSchema("key", of: Self.self, fieldType)]
            )
        ]
    }

    /// Reads the key from its one column.
    @inlinable
    public init(row: inout RowReader) throws {
        self = try row.read()
    }

    /// Writes the key to its one column.
    @inlinable
    public func write(to row: inout RowWriter) throws {
        try row.write(self)
    }
}
