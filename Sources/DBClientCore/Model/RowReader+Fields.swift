// The overloads that mirror those of `SchemaField.field`.
extension RowReader {
    /// Reads an optional value; nil where the field is null.
    @inlinable
    @inline(__always)
    public mutating func read<Value: StorableValue>(
        _ type: Value?.Type = Value?.self
    ) throws -> Value? {
        let slot = try take()
        if slot.isNull { return nil }
        do throws(SlotError) {
            return try Value(slot: slot)
        } catch {
            throw failure(error, slot)
        }
    }

    /// Reads a storable value with a raw value.
    @inlinable
    @inline(__always)
    public mutating func read<Value: StorableValue & RawRepresentable>(
        _ type: Value.Type = Value.self
    ) throws -> Value where Value.RawValue: StorableValue {
        let slot = try take()
        do throws(SlotError) {
            return try Value(slot: slot)
        } catch {
            throw failure(error, slot)
        }
    }

    /// Reads a value by its raw value.
    @inlinable
    public mutating func read<Value: RawRepresentable>(
        _ type: Value.Type = Value.self
    ) throws -> Value where Value.RawValue: StorableValue {
        let raw = try read(Value.RawValue.self)
        guard let value = Value(rawValue: raw) else {
            throw failure(.unknownCase, (next - 1).pointee)
        }
        return value
    }

    /// Reads an optional storable value with a raw value.
    @inlinable
    public mutating func read<Value: StorableValue & RawRepresentable>(
        _ type: Value?.Type = Value?.self
    ) throws -> Value? where Value.RawValue: StorableValue {
        if try isNextNull() { return try skipNull() }
        return try read(Value.self)
    }

    /// Reads an optional value by its raw value.
    @inlinable
    public mutating func read<Value: RawRepresentable>(
        _ type: Value?.Type = Value?.self
    ) throws -> Value? where Value.RawValue: StorableValue {
        if try isNextNull() { return try skipNull() }
        return try read(Value.self)
    }

    /// Decodes a codable value from JSON text.
    @_disfavoredOverload
    public mutating func read<Value: Codable>(_ type: Value.Type = Value.self) throws -> Value {
        let slot = try take()
        do throws(SlotError) { try slot.require(.text) } catch { throw failure(error, slot) }
        do {
            return try JSONField.decode(type, from: slot.bytes)
        } catch {
            throw failure(error)
        }
    }

    /// Decodes an optional codable value from JSON text.
    @_disfavoredOverload
    public mutating func read<Value: Codable>(_ type: Value?.Type = Value?.self) throws -> Value? {
        if try isNextNull() { return try skipNull() }
        return .some(try read(Value.self))
    }

    /// Reads an embedded struct, field by field.
    @inlinable
    public mutating func read<Value: EmbeddedValue>(_ type: Value.Type = Value.self) throws -> Value
    {
        try Value(row: &self)
    }

    /// Reads an optional embedded struct, whose first column tells whether it is there; nil where it is not.
    @inlinable
    public mutating func read<Value: EmbeddedValue>(
        _ type: Value?.Type = Value?.self
    ) throws -> Value? {
        guard try read(Bool?.self) == true else {
            for _ in 0..<Value.columnCount { _ = try take() }
            return nil
        }
        return try Value(row: &self)
    }

    @inlinable
    func isNextNull() throws -> Bool {
        guard next < end else { throw tooManyReads() }
        return next.pointee.isNull
    }

    @inlinable
    mutating func skipNull<Value>() throws -> Value? {
        _ = try take()
        return nil
    }
}

extension EmbeddedValue {
    /// The number of columns that the struct takes in its owner.
    public static var columnCount: Int { schema.columns.count }
}

extension RowWriter {
    /// Writes a storable value with a raw value.
    @inlinable
    @inline(__always)
    public mutating func write<Value: StorableValue & RawRepresentable>(_ value: Value) throws
    where Value.RawValue: StorableValue {
        try value.store(in: &self)
    }

    /// Writes a value as its raw value.
    @inlinable
    public mutating func write<Value: RawRepresentable>(_ value: Value) throws
    where Value.RawValue: StorableValue {
        try value.rawValue.store(in: &self)
    }

    /// Writes an optional storable value with a raw value.
    @inlinable
    public mutating func write<Value: StorableValue & RawRepresentable>(_ value: Value?) throws
    where Value.RawValue: StorableValue {
        if let value { try value.store(in: &self) } else { try putNull() }
    }

    /// Writes an optional value as its raw value.
    @inlinable
    public mutating func write<Value: RawRepresentable>(_ value: Value?) throws
    where Value.RawValue: StorableValue {
        if let value { try value.rawValue.store(in: &self) } else { try putNull() }
    }

    /// Writes a codable value as JSON text.
    @_disfavoredOverload
    public mutating func write<Value: Codable>(_ value: Value) throws {
        try JSONField.write(value, to: &self)
    }

    /// Writes an optional codable value as JSON text.
    @_disfavoredOverload
    public mutating func write<Value: Codable>(_ value: Value?) throws {
        if let value { try JSONField.write(value, to: &self) } else { try putNull() }
    }

    /// Writes an embedded struct, field by field.
    @inlinable
    public mutating func write<Value: EmbeddedValue>(_ value: Value) throws {
        try value.write(to: &self)
    }

    /// Writes an optional embedded struct, after a column that tells whether it is there.
    @inlinable
    public mutating func write<Value: EmbeddedValue>(_ value: Value?) throws {
        if let value {
            try put(integer: 1)
            try value.write(to: &self)
        } else {
            for _ in 0...Value.columnCount { try putNull() }
        }
    }
}

// What no field is, with the message of the schema's fields: without these the compiler cannot say what is wrong
// with the code that a macro writes.
extension RowReader {
    /// Unavailable: a field cannot have this type.
    @available(*, unavailable, message: "a value of this type cannot be stored")
    @_disfavoredOverload
    public mutating func read<Value>(_ type: Value.Type = Value.self) throws -> Value {
        fatalError()
    }
}

extension RowWriter {
    /// Unavailable: a field cannot have this type.
    @available(*, unavailable, message: "a value of this type cannot be stored")
    @_disfavoredOverload
    public mutating func write<Value>(_ value: Value) throws {}
}
