/// An aggregate over the values of a to-many relationship, to be compared with a constant, or given with each value by
/// `annotated`.
///
/// A comparison with an absent value is false, and its negation true.
public struct FieldTotal<Model: StoredConvertible, Value: StorableValue> {
    private let compare: (Comparison, StorageValue) -> Condition<Model>
    /// Returns what an engine computes of each value.
    let annotation: () throws -> RowAnnotation
    /// Reads what it has computed.
    private(set) var decode: @Sendable (Slot) throws(SlotError) -> Value

    init(
        _ compare: @escaping (Comparison, StorageValue) -> Condition<Model>,
        annotation: @escaping () throws -> RowAnnotation
    ) {
        self.compare = compare
        self.annotation = annotation
        decode = { (slot: Slot) throws(SlotError) in try Value(slot: slot) }
    }

    private func compared(_ comparison: Comparison, _ value: Value?) -> Condition<Model> {
        do {
            return compare(comparison, try value.map { try StorageValue(storing: $0) } ?? .null)
        } catch {
            return Condition(.constant(false), failure: DBClientError.wrapping(error))
        }
    }

    /// True when it equals the value; `== nil` when there is none.
    public static func == (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.equal, value)
    }

    /// True when it differs from the value or there is none; `!= nil` when there is one.
    public static func != (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.notEqual, value)
    }

    /// True when it is present and less than the value.
    public static func < (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.less, value)
    }

    /// True when it is present and at most the value.
    public static func <= (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.lessOrEqual, value)
    }

    /// True when it is present and greater than the value.
    public static func > (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.greater, value)
    }

    /// True when it is present and at least the value.
    public static func >= (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.greaterOrEqual, value)
    }
}

extension FieldTotal where Value: Numeric {
    /// The same as a sum, which is zero of none.
    var addingUp: Self {
        var copy = self
        copy.decode = { (slot: Slot) throws(SlotError) in try Value(sum: slot) }
        return copy
    }
}

/// The number of values that a to-many relationship holds, to be compared with a constant or given with each value.
public typealias FieldCount<Model: StoredConvertible> = FieldTotal<Model, Int>

extension FieldTotal where Value == Int {
    /// Creates the number from a function that compares it.
    init(
        rows compare: @escaping (RowCount) -> Condition<Model>,
        annotation: @escaping () throws -> RowAnnotation
    ) {
        self.init(
            { comparison, value in
                guard case .integer(let number) = value else {
                    return .constant(comparison == .notEqual)
                }
                return compare(RowCount(comparison, Int(number)))
            },
            annotation: annotation
        )
    }
}
