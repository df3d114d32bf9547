/// A list is one JSON array; its elements are coded by their own `Codable` conformance.
extension Array: StorableValue where Element: StorableValue & Codable {}
extension Array: ColumnValue where Element: StorableValue & Codable {}
/// A set is one JSON array in the order of its elements' JSON text.
extension Set: StorableValue where Element: StorableValue & Codable {}
extension Set: ColumnValue where Element: StorableValue & Codable {}
/// A dictionary is one JSON object with sorted keys.
extension Dictionary: StorableValue where Key == String, Value: StorableValue & Codable {}
extension Dictionary: ColumnValue where Key == String, Value: StorableValue & Codable {}

extension StorableValue where Self: Codable & Collection {
    /// The field type `.json`: a collection is stored as JSON text.
    public static var fieldType: FieldType { .json }

    /// Creates the collection from the stored JSON text.
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.text)
        guard let value = try? JSONField.decode(Self.self, from: slot.bytes) else {
            throw .malformed
        }
        self = value
    }

    /// Writes the collection as JSON text.
    public func store(in row: inout RowWriter) throws {
        try JSONField.write(self, to: &row)
    }
}
