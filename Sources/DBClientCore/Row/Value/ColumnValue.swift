/// A value that one column holds: it can be selected, grouped by and made distinct, and has a smallest and a
/// largest value where it is ordered.
///
/// Every ``StorableValue`` is one, and so is a ``Reference`` to a model with a primary key of one field,
/// which stands for its key. Custom types adopt ``StorableValue``.
public protocol ColumnValue: Sendable {
    /// The type of the field that holds the value.
    static var fieldType: FieldType { get }
    /// Whether the value may be absent; only `Optional` says true.
    static var isOptional: Bool { get }

    /// Creates the value from a slot, copying what the slot borrows.
    init(slot: Slot) throws(SlotError)

    /// Writes the value as one field.
    func store(in row: inout RowWriter) throws
}

extension ColumnValue {
    /// False, which is the default: the value is always there.
    @inlinable
    public static var isOptional: Bool { false }
}
