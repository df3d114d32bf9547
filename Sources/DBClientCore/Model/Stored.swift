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
    /// The stored shape of the model: its name, its fields, its key and its relationships.
    static var schema: Schema<Self> { get }

    /// Indexes over several fields; those of one field are declared with the field.
    static var indexes: [StoredIndex<Self>] { get }

    /// The stored views that are kept from the model's values.
    ///
    /// Whatever writes values of the model keeps their rows in the same commit.
    static var storedViews: [any StoredView.Type] { get }

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

    /// The loops over the model's values and rows.
    ///
    /// The default is compiled for the model in the module that declares it, which is what makes reading and
    /// writing fast.
    static var compiled: CompiledModel<Self> { get }
}

extension Stored {
    /// An empty list, which is the default: the model has no composite index.
    @inlinable
    public static var indexes: [StoredIndex<Self>] { [] }

    /// An empty list, which is the default: no views are kept from the model's values.
    @inlinable
    public static var storedViews: [any StoredView.Type] { [] }

    /// The loops, compiled for the model.
    @inlinable
    public static var compiled: CompiledModel<Self> { CompiledModel() }
}
