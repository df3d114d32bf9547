extension Bool: StorableValue {
    /// The field type `.boolean`, which is stored as 0 or 1.
    @inlinable
    public static var fieldType: FieldType { .boolean }

    /// Creates a value from 0 or 1.
    @inlinable
    @inline(__always)
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.integer)
        guard slot.bits <= 1 else { throw .range }
        self = slot.bits == 1
    }

    /// Writes 0 for false and 1 for true.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        try row.put(integer: self ? 1 : 0)
    }
}

extension StorableValue where Self: FixedWidthInteger {
    /// The field type `.integer` with this type's width and sign.
    @inlinable
    public static var fieldType: FieldType {
        .integer(bits: Self.bitWidth, signed: Self.isSigned)
    }

    /// Creates the integer, checking its range.
    @inlinable
    @inline(__always)
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.integer)
        guard let value = Self(exactly: slot.integer) else { throw .range }
        self = value
    }

    /// Writes the integer as 64 bits.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for an unsigned integer over `Int64.max`,
    ///   which engines cannot order.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        guard let value = Int64(exactly: self) else {
            throw row.invalidValue("An integer must be at most Int64.max.")
        }
        try row.put(integer: value)
    }
}

extension Int: StorableValue {}
extension Int8: StorableValue {}
extension Int16: StorableValue {}
extension Int32: StorableValue {}
extension Int64: StorableValue {}
extension UInt: StorableValue {}
extension UInt8: StorableValue {}
extension UInt16: StorableValue {}
extension UInt32: StorableValue {}
extension UInt64: StorableValue {}

extension Double: StorableValue {
    /// The field type `.double`, of 64 bits.
    @inlinable
    public static var fieldType: FieldType { .double }

    /// Creates the double from the stored one.
    @inlinable
    @inline(__always)
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.real)
        self = slot.real
    }

    /// Writes the double as it is.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        try row.put(real: self)
    }
}

extension Float: StorableValue {
    /// The field type `.float`, of 32 bits.
    @inlinable
    public static var fieldType: FieldType { .float }

    /// Creates the float; a stored double that no float equals is out of range.
    @inlinable
    @inline(__always)
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.real)
        guard let value = Float(exactly: slot.real) else { throw .range }
        self = value
    }

    /// Writes the float as a double, which is exact both ways.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        try row.put(real: Double(self))
    }
}

extension StorableValue where Self: Numeric {
    /// Creates the sum of a field's values: zero of none.
    ///
    /// Engines add floats as doubles, so that their sum is rounded to a float here.
    init(sum slot: Slot) throws(SlotError) {
        if slot.isNull {
            self = .zero
        } else if Self.fieldType == .float, slot.kind == .real {
            let sum = Float(slot.real)
            if sum.isInfinite && slot.real.isFinite { throw .range }
            if sum.isNaN, let none = sum as? Self {
                self = none
                return
            }
            try self.init(slot: .real(Double(sum)))
        } else {
            try self.init(slot: slot)
        }
    }
}

extension String: StorableValue {
    /// The field type `.text`, stored as UTF-8.
    @inlinable
    public static var fieldType: FieldType { .text }

    /// Creates the string from the UTF-8 of a slot.
    ///
    /// - Throws: A `SlotError` for a slot that is no text.
    @inlinable
    @inline(__always)
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.text)
        self = slot.text
    }

    /// Writes the string as UTF-8, without a change of its Unicode form.
    @inlinable
    public func store(in row: inout RowWriter) throws {
        try row.put(text: self)
    }
}
