/// A value that fits one field.
///
/// The standard scalars, `Date`, `UUID`, `Data`, `URL`, `Decimal`, arrays, sets, string-keyed
/// dictionaries and optionals of them conform. A type with a raw value needs only the declaration:
/// `enum Alignment: String, StorableValue { … }`, and `Codable` as well to stand in a list.
public protocol StorableValue: ColumnValue {}

/// Why a slot does not hold the value asked for.
///
/// The reader adds the entity and the field.
public enum SlotError: Error, Sendable {
    /// The slot is null and the field is required.
    case missing
    /// The slot holds another kind of value.
    case kind
    /// The number is outside the type's range.
    case range
    /// No case of the enum has the stored raw value.
    case unknownCase
    /// The bytes are not a value of the type.
    case malformed

    func message(reading slot: Slot, as type: FieldType?) -> String {
        let wanted = type.map { "a stored \($0.name)" } ?? "a value of the field's type"
        switch self {
        case .missing: return "A required value is missing."
        case .kind: return "The value must be \(wanted); found \(slot.kind)."
        case .range: return "The stored integer must be within the range of the field's type."
        case .unknownCase: return "The stored \(slot.kind) must be a raw value of the enum."
        case .malformed: return "The bytes must be \(wanted)."
        }
    }
}

extension Slot {
    /// Throws unless the slot holds a value of a kind.
    @inlinable
    @inline(__always)
    public func require(_ wanted: Kind) throws(SlotError) {
        if kind != wanted { throw kind == .null ? .missing : .kind }
    }
}

extension Optional: StorableValue where Wrapped: StorableValue {}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The field type of the wrapped value.
    @inlinable
    public static var fieldType: FieldType { Wrapped.fieldType }

    /// True: an optional value may be absent.
    @inlinable
    public static var isOptional: Bool { true }

    /// Creates nil from a null slot, the wrapped value from any other.
    @inlinable
    @inline(__always)
    public init(slot: Slot) throws(SlotError) {
        self = slot.isNull ? .none : .some(try Wrapped(slot: slot))
    }

    /// Writes the wrapped value or null.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        if let self { try self.store(in: &row) } else { try row.putNull() }
    }
}

extension StorableValue where Self: RawRepresentable, RawValue: StorableValue {
    /// The field type of the raw value.
    @inlinable
    public static var fieldType: FieldType { RawValue.fieldType }

    /// Creates the value from its stored raw value.
    @inlinable
    public init(slot: Slot) throws(SlotError) {
        guard let value = Self(rawValue: try RawValue(slot: slot)) else { throw .unknownCase }
        self = value
    }

    /// Writes the raw value in place of the value.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        try rawValue.store(in: &row)
    }
}
