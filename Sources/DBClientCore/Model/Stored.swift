/// A value type that a client can keep.
///
/// `@Stored` writes the conformance. By hand it is a schema of key paths and two methods that name
/// the fields in the schema's order:
///
/// ```swift
/// struct Publisher: Stored {
///     let identifier: Int
///     var name: String
///
///     static let schema = Schema<Publisher>(
///         name: "Publisher",
///         fields: [
///             .field(\.identifier, "identifier", primaryKey: .given),
///             .field(\.name, "name", index: .plain),
///         ])
///     var primaryKey: Int { identifier }
///
///     init(row: inout RowReader) throws {
///         identifier = try row.read()
///         name = try row.read()
///     }
///
///     func write(to row: inout RowWriter) throws {
///         try row.write(identifier)
///         try row.write(name)
///     }
/// }
/// ```
public protocol Stored: StoredConvertible where Storage == Self {
    /// The stored shape.
    static var schema: Schema<Self> { get }

    /// Indexes over several fields; those of one field are declared with the field.
    static var indexes: [StoredIndex<Self>] { get }

    /// Creates the value from a row, reading each field once in the schema's order.
    ///
    /// In an extension it can call the compiler's own initializer,
    /// `self.init(identifier: try row.read(), name: try row.read())`, as `@Stored` does with
    /// ``RowReader/value(_:of:)`` for each: the optimizer copies a value that is set property by property
    /// once more than one that is made at once, an eighth of the cost of a fetch.
    ///
    /// - Throws: `DBClientError` with code `.decoding` when the row does not fit.
    init(row: inout RowReader) throws

    /// Writes each field once in the schema's order.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for a value that no engine can keep.
    func write(to row: inout RowWriter) throws

    /// Appends every row of a batch to `models`.
    ///
    /// Engines hand rows over in batches and call this once for each. The default is specialised
    /// in the module that declares the model, which is what makes reading fast; do not implement it.
    static func decode(_ batch: RowBatch, appendingTo models: inout [Self]) throws

    /// Writes a primary key to a buffer of keys. Specialised like `decode`; do not implement it.
    static func encode(key: PrimaryKey, to buffer: RowBuffer) throws

    /// Returns the value with a primary key, or nil. Specialised like `decode`; do not implement it.
    static func find(key: PrimaryKey, in reader: any EngineReader) throws -> Self?

    /// Writes every model of a range to `buffer`, as one row each. Do not implement it.
    static func encode(_ models: [Self], in range: Range<Int>, to buffer: RowBuffer) throws

    /// Whether the primary keys are integers that ascend, so that none occurs twice. Specialised like
    /// `decode`; do not implement it.
    static func haveAscendingKeys(_ models: [Self]) -> Bool
}

extension Stored {
    /// No composite index.
    @inlinable
    public static var indexes: [StoredIndex<Self>] { [] }

    /// Appends every row of a batch to `models`.
    @inlinable
    public static func decode(_ batch: RowBatch, appendingTo models: inout [Self]) throws {
        if batch.expectedCount > 0 && models.isEmpty {
            models.reserveCapacity(batch.expectedCount)
        }
        for index in 0..<batch.count {
            var reader = batch.reader(at: index)
            models.append(try Self(row: &reader))
        }
    }

    /// Whether the primary keys are integers that ascend.
    @inlinable
    public static func haveAscendingKeys(_ models: [Self]) -> Bool {
        var last: Int64?
        for model in models {
            guard let key = model.primaryKey.integer else { return false }
            if let last, key <= last { return false }
            last = key
        }
        return true
    }

    /// Writes a primary key to a buffer of keys.
    @inlinable
    public static func encode(key: PrimaryKey, to buffer: RowBuffer) throws {
        var writer = try buffer.beginRow()
        try key.write(to: &writer)
        try buffer.endRow(writer)
        try buffer.checkKeyLengths(from: buffer.count - 1)
    }

    /// Returns the value with a primary key, or nil.
    @inlinable
    public static func find(key: PrimaryKey, in reader: any EngineReader) throws -> Self? {
        let entity = schema.entity
        try entity.validate()
        guard entity.isFlat else { return try related(key: key, in: reader) }
        // Memory that holds nothing yet takes the value as it is made; a variable would be asked first
        // whether it holds one.
        return try withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { place in
            var isFound = false
            do {
                try withKey(key, of: entity, in: reader) { keys in
                    try reader.get(entity, keys: keys) { _, row in
                        var reader = row.reader(at: 0)
                        place.initializeElement(at: 0, to: try Self(row: &reader))
                        isFound = true
                    }
                }
            } catch {
                if isFound { place.deinitializeElement(at: 0) }
                throw error
            }
            return isFound ? place.moveElement(from: 0) : nil
        }
    }

    /// Calls a function with a primary key as the only row of a batch, valid until the next call with
    /// the same reader.
    @inlinable
    static func withKey<Value>(
        _ key: PrimaryKey,
        of entity: EntitySchema,
        in reader: any EngineReader,
        _ body: (RowBatch) throws -> Value
    ) throws -> Value {
        if entity.integerKey != nil, let integer = key.integer {
            // The commonest key borrows nothing, so it needs no buffer.
            return try withUnsafePointer(to: Slot.integer(integer)) { slot in
                try body(RowBatch(slots: slot, columnCount: 1, count: 1, entity: entity))
            }
        }
        let keys = reader.buffers.keys(of: entity)
        try encode(key: key, to: keys)
        return try body(keys.batch)
    }

    /// Writes every model of a range to `buffer`, as one row each.
    @inlinable
    public static func encode(
        _ models: [Self],
        in range: Range<Int>,
        to buffer: RowBuffer
    ) throws {
        buffer.reserveCapacity(range.count)
        // Through a pointer no model is copied to be written.
        try models[range].withUnsafeBufferPointer { models in
            for index in models.indices {
                var writer = try buffer.beginRow()
                try models[index].write(to: &writer)
                try buffer.endRow(writer)
            }
        }
    }
}

/// A primary key: one storable value, or a struct of several.
public protocol PrimaryKeyValue: Hashable, Sendable {
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
    /// The default is specialised in the module that declares the key; do not implement it.
    static func decode(_ batch: RowBatch, appendingTo keys: inout [Self]) throws
}

extension PrimaryKeyValue {
    /// None: no relationship leads to the model.
    public static var fields: [SchemaField<Self>] { [] }

    /// Nil.
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
    /// One.
    @inlinable
    public static var columnCount: Int { 1 }

    /// The value itself.
    public static var fields: [SchemaField<Self>] {
        [
            SchemaField(
                \Self.self,
                [FieldSchema("key", of: Self.self, fieldType)]
            )
        ]
    }

    /// Reads the value.
    @inlinable
    public init(row: inout RowReader) throws {
        self = try row.read()
    }

    /// Writes the value.
    @inlinable
    public func write(to row: inout RowWriter) throws {
        try row.write(self)
    }
}
