// Fields by key path; the overloads mirror those of `SchemaField.field`.
extension ManagedEntity {
    /// Returns the value of a field.
    ///
    /// - Throws: `.invalidRequest` when the entity has no such field.
    public func value<Model: Stored, Value: StorableValue>(
        _ keyPath: KeyPath<Model, Value>
    ) throws -> Value {
        try decode(column(keyPath))
    }

    /// Returns the value of a field that is kept as its raw value.
    public func value<Model: Stored, Value: RawRepresentable>(
        _ keyPath: KeyPath<Model, Value>
    ) throws -> Value where Value.RawValue: StorableValue {
        try read(at: column(keyPath)) { try $0.read() }
    }

    /// Returns the value of a field that is kept as its raw value.
    public func value<Model: Stored, Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model, Value>
    ) throws -> Value where Value.RawValue: StorableValue {
        try read(at: column(keyPath)) { try $0.read() }
    }

    /// Returns the value of an optional field that is kept as its raw value.
    public func value<Model: Stored, Value: RawRepresentable>(
        _ keyPath: KeyPath<Model, Value?>
    ) throws -> Value? where Value.RawValue: StorableValue {
        try read(at: column(keyPath)) { try $0.read(Value?.self) }
    }

    /// Returns the value of an optional field that is kept as its raw value.
    public func value<Model: Stored, Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model, Value?>
    ) throws -> Value? where Value.RawValue: StorableValue {
        try read(at: column(keyPath)) { try $0.read(Value?.self) }
    }

    /// Returns the value of a field that is kept as JSON.
    @_disfavoredOverload
    public func value<Model: Stored, Value: Codable>(
        _ keyPath: KeyPath<Model, Value>
    ) throws -> Value {
        try read(at: column(keyPath)) { try $0.read() }
    }

    /// Returns the value of an optional field that is kept as JSON.
    @_disfavoredOverload
    public func value<Model: Stored, Value: Codable>(
        _ keyPath: KeyPath<Model, Value?>
    ) throws -> Value? {
        try read(at: column(keyPath)) { try $0.read(Value?.self) }
    }

    /// Returns the value of an embedded struct.
    public func value<Model: Stored, Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model, Value>
    ) throws -> Value {
        try read(at: column(keyPath)) { try $0.read() }
    }

    /// Returns the value of an optional embedded struct, or nil.
    public func value<Model: Stored, Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model, Value?>
    ) throws -> Value? {
        try read(at: column(keyPath)) { try $0.read(Value?.self) }
    }

    /// Returns the value of the field with a stored name.
    ///
    /// - Throws: `.invalidRequest` when the entity has no such field, `.decoding` when its value is
    ///   not one of `Value`.
    public func value<Value: StorableValue>(
        _ field: String,
        as type: Value.Type = Value.self
    ) throws -> Value {
        try decode(column(named: field))
    }

    /// Returns the entity as a stored value, with what it holds.
    ///
    /// A value that holds others is loaded, for which what waits to be written is written first.
    ///
    /// - Throws: `.invalidRequest` when it is not one of the type.
    public func value<Model: Stored>(as type: Model.Type = Model.self) throws -> Model {
        try checkType(type)
        if schema.isFlat {
            try prepare()
            // The value has the key, which the store may have yet to make.
            if key == nil { try context.flush() }
            return try read(at: 0) { try Model(row: &$0) }
        }
        return try context.values(of: [self], as: type)[0]
    }
}

// The primary key cannot be set, and a read transaction sets nothing.
extension ManagedEntity {
    /// Sets a field.
    ///
    /// - Throws: `.invalidRequest` for the primary key or when the entity has no such field,
    ///   `.invalidValue` for a value that no engine can keep, `.readOnly` in a read transaction.
    public func set<Model: Stored, Value: StorableValue>(
        _ keyPath: KeyPath<Model, Value>,
        to value: Value
    ) throws {
        try write(at: column(keyPath)) { try $0.write(value) }
    }

    /// Sets a field that is kept as its raw value.
    public func set<Model: Stored, Value: RawRepresentable>(
        _ keyPath: KeyPath<Model, Value>,
        to value: Value
    ) throws where Value.RawValue: StorableValue {
        try write(at: column(keyPath)) { try $0.write(value.rawValue) }
    }

    /// Sets a field that is kept as its raw value.
    public func set<Model: Stored, Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model, Value>,
        to value: Value
    ) throws where Value.RawValue: StorableValue {
        try write(at: column(keyPath)) { try $0.write(value.rawValue) }
    }

    /// Sets an optional field that is kept as its raw value.
    public func set<Model: Stored, Value: RawRepresentable>(
        _ keyPath: KeyPath<Model, Value?>,
        to value: Value?
    ) throws where Value.RawValue: StorableValue {
        try write(at: column(keyPath)) { try $0.write(value?.rawValue) }
    }

    /// Sets an optional field that is kept as its raw value.
    public func set<Model: Stored, Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model, Value?>,
        to value: Value?
    ) throws where Value.RawValue: StorableValue {
        try write(at: column(keyPath)) { try $0.write(value?.rawValue) }
    }

    /// Sets a field that is kept as JSON.
    @_disfavoredOverload
    public func set<Model: Stored, Value: Codable>(
        _ keyPath: KeyPath<Model, Value>,
        to value: Value
    ) throws {
        try write(at: column(keyPath)) { try $0.write(value) }
    }

    /// Sets an optional field that is kept as JSON.
    @_disfavoredOverload
    public func set<Model: Stored, Value: Codable>(
        _ keyPath: KeyPath<Model, Value?>,
        to value: Value?
    ) throws {
        try write(at: column(keyPath)) { try $0.write(value) }
    }

    /// Sets every field of an embedded struct.
    public func set<Model: Stored, Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model, Value>,
        to value: Value
    ) throws {
        try write(at: column(keyPath)) { try $0.write(value) }
    }

    /// Sets every field of an optional embedded struct; nil makes all of them null.
    public func set<Model: Stored, Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model, Value?>,
        to value: Value?
    ) throws {
        try write(at: column(keyPath)) { try $0.write(value) }
    }

    /// Sets the field with a stored name.
    ///
    /// - Throws: As with a key path, and `.invalidRequest` for a value of another type than the
    ///   field's.
    public func set<Value: StorableValue>(_ field: String, to value: Value) throws {
        let column = try column(named: field)
        let stored = try schema.storageValue(of: value, for: column)
        try write(at: column) { try $0.put(copying: stored) }
    }

    /// Sets every field to that of a stored value with the same primary key.
    ///
    /// What the value holds becomes entities like it: those that are stored are changed, others made.
    ///
    /// - Throws: `.invalidRequest` when the primary keys differ or the entity is not one of the type.
    public func set<Model: Stored>(_ value: Model) throws {
        try checkType(Model.self)
        let encoded = try EncodedModels([value])
        try context.changing(like: [value]) {
            try replace(encoded.values(of: 0), at: 0)
            try context.assign(encoded, to: [self])
        }
    }
}

extension RowWriter {
    fileprivate mutating func put(copying value: StorageValue) throws {
        try value.withSlot { try put(copying: $0) }
    }
}
