/// The initial values of the properties of an embedded struct, which stored values get for those that a
/// migration adds.
///
/// `@Embedded` writes the closure that sets them. By hand:
///
/// ```swift
/// static let schema = EmbeddedSchema<Self>(
///     fields: [.field(\.street, "street"), .field(\.floor, "floor")],
///     defaults: { try $0.set(\.floor) { try $0.write(0) } }
/// )
/// ```
public struct StartingValues<Value: EmbeddedValue> {
    private let set: StartingFields.Set

    fileprivate init(_ set: @escaping StartingFields.Set) {
        self.set = set
    }

    /// Sets what a property begins with.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - write: Writes the value.
    /// - Throws: `.invalidRequest` for a property that is not stored; what the closure throws.
    public mutating func set(
        _ keyPath: PartialKeyPath<Value>,
        _ write: (inout RowWriter) throws -> Void
    ) throws {
        guard let columns = Value.schema.columns(of: keyPath) else {
            throw DBClientError(
                .invalidRequest,
                "The property \(keyPath) of an embedded struct must be a stored one."
            )
        }
        try set(columns, write)
    }
}

/// The initial values of the fields of one embedded struct, at its place among the columns of its owner.
struct StartingFields: Sendable {
    /// Sets some columns, which are those of one property.
    typealias Set = (Range<Int>, (inout RowWriter) throws -> Void) throws -> Void

    private let tellValues: @Sendable (@escaping Set) throws -> Void
    private var offset = 0

    init<Value: EmbeddedValue>(
        _ defaults: @escaping @Sendable (inout StartingValues<Value>) throws -> Void
    ) {
        tellValues = { set in
            var values = StartingValues<Value>(set)
            try defaults(&values)
        }
    }

    /// Returns the same at a place further on.
    func moved(by distance: Int) -> Self {
        var copy = self
        copy.offset += distance
        return copy
    }

    /// Calls a function for each property that begins with a value, in their order.
    func tell(_ set: @escaping Set) throws {
        let offset = offset
        try tellValues { columns, write in
            try set(columns.lowerBound + offset..<columns.upperBound + offset, write)
        }
    }
}
