/// A value as engines keep it, owned: the constants of a condition, the result of an aggregate.
///
/// Text is equal and ordered by its bytes, not canonically as in Swift.
public enum StorageValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case data([UInt8])
}

extension StorageValue: Hashable {
    /// Compares the kind and the bits or bytes.
    public static func == (left: StorageValue, right: StorageValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        default: false
        }
    }

    /// Hashes the kind and the bits or bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let text):
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(0xFF as UInt8)
        case .data(let bytes): hasher.combine(bytes)
        }
    }
}

extension StorageValue {
    /// Creates a value of its own from a slot, whose bytes are copied.
    public init(_ slot: Slot) {
        switch slot.kind {
        case .null: self = .null
        case .integer: self = .integer(slot.integer)
        case .real: self = .real(slot.real)
        case .text: self = .text(slot.text)
        case .data: self = .data(Array(slot.bytes))
        }
    }

    /// Returns the stored form of a value.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for a value that no engine can keep.
    public init<Value: ColumnValue>(storing value: Value) throws {
        // Text, the commonest constant, is its own stored form, unless an error has to say that it is not.
        if Value.self == String.self {
            let text = withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: String.self) }
            if text.isStored {
                self = .text(text)
                return
            }
        }
        self = try StorageValue.encode { try value.store(in: &$0) }
    }

    /// Returns what a function writes as one field.
    ///
    /// A row of one slot on the stack: a buffer for each constant of a condition would cost more than
    /// the rest of the condition.
    static func encode(_ write: (inout RowWriter) throws -> Void) throws -> StorageValue {
        var slot = Slot.null
        var arena = ByteArena()
        defer { arena.deallocate() }
        return try withUnsafeMutablePointer(to: &slot) { slot in
            try withUnsafeMutablePointer(to: &arena) { arena in
                var writer = RowWriter(
                    first: slot,
                    columnCount: 1,
                    buffer: constants,
                    arena: arena
                )
                try write(&writer)
                guard writer.next == writer.end else { throw constants.tooFewWrites() }
                return StorageValue(slot.pointee)
            }
        }
    }

    /// Names the constants of conditions in errors; holds no rows.
    private nonisolated(unsafe) static let constants = RowBuffer(.constant)

    /// Returns the model's value of a stored form.
    ///
    /// - Throws: `DBClientError` with code `.decoding` when the form is not one of `Value`.
    public func decode<Value: ColumnValue>(as type: Value.Type = Value.self) throws -> Value {
        try withSlot { slot in
            do throws(SlotError) {
                return try Value(slot: slot)
            } catch {
                throw DBClientError(
                    .decoding,
                    error.message(reading: slot, as: Value.fieldType)
                )
            }
        }
    }

    /// Calls a function with a slot that borrows the value.
    public func withSlot<Result>(_ body: (Slot) throws -> Result) rethrows -> Result {
        switch self {
        case .null: return try body(.null)
        case .integer(let value): return try body(.integer(value))
        case .real(let value): return try body(.real(value))
        case .text(var text):
            return try text.withUTF8 { try body(.text(UnsafeRawBufferPointer($0))) }
        case .data(let bytes): return try bytes.withUnsafeBytes { try body(.data($0)) }
        }
    }

    /// Returns a slot whose bytes live as long as the rows of a buffer.
    public func slot(in buffer: RowBuffer) -> Slot {
        withSlot { slot in
            switch slot.kind {
            case .text: .text(buffer.copy(slot.bytes))
            case .data: .data(buffer.copy(slot.bytes))
            default: slot
            }
        }
    }

    /// Whether this is ``null``, an absent value.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension String {
    /// Whether every engine keeps the text; false also where that takes more than a look.
    fileprivate var isStored: Bool {
        let isStored = utf8.withContiguousStorageIfAvailable { bytes in
            bytes.count <= RowBuffer.maximumValueLength
                && !containsNUL(UnsafeRawBufferPointer(bytes))
        }
        return isStored ?? false
    }
}

extension EntitySchema {
    /// The entity of a lone value, for writing constants.
    package static let constant = EntitySchema(
        name: "constant",
        fields: [FieldSchema(name: "value", type: .json, isOptional: true)],
        primaryKey: [0],
        keyGeneration: .given,
        indexes: [],
        failure: DBClientError(.invalidSchema, "A constant must have no entity.")
    )
}

extension Slot {
    /// Returns the order of two slots of one field: negative, zero or positive; null comes first.
    @inlinable
    public static func compare(_ left: Slot, _ right: Slot) -> Int {
        if left.kind != right.kind { return Int(left.kind.rawValue) - Int(right.kind.rawValue) }
        switch left.kind {
        case .null: return 0
        case .integer:
            return left.integer < right.integer ? -1 : left.integer == right.integer ? 0 : 1
        case .real: return left.real < right.real ? -1 : left.real == right.real ? 0 : 1
        case .text, .data: return compareBytes(left.bytes, right.bytes)
        }
    }
}
