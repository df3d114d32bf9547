/// The fields that a partial update writes, with their new values.
///
/// ```swift
/// try await client.update(Character.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }
/// ```
@dynamicMemberLookup
public struct Assignments<Model: StoredConvertible> {
    let buffer: AssignmentBuffer

    /// Unavailable: a field is set with `set(_:to:)`.
    @available(*, unavailable, message: "use 'set(\\.name, to: …)'")
    public subscript<Value>(dynamicMember keyPath: KeyPath<Model.Storage, Value>) -> Value {
        get { fatalError() }
        nonmutating set {}
    }

    /// A field of the value that is written, as it is stored before the call, to compute with:
    /// `$0.set(\.stock, to: $0.stock - $0.reserved)`.
    public subscript<Value>(
        dynamicMember keyPath: KeyPath<Model.Storage, Value>
    ) -> Field<Model, Value> {
        fields[dynamicMember: keyPath]
    }

    /// The fields of the value that is written: a buffer serves one call at a time.
    private var fields: Fields<Model> {
        Fields(scope: Int(bitPattern: Unmanaged.passUnretained(buffer).toOpaque()))
    }

    init(_ buffer: AssignmentBuffer) {
        self.buffer = buffer
    }

    /// Sets a field to a value.
    public mutating func set<Value: StorableValue>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) {
        set(keyPath) { try $0.write(value) }
    }

    /// Sets a field that is kept as its raw value.
    public mutating func set<Value: RawRepresentable>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) where Value.RawValue: StorableValue {
        set(keyPath) { try $0.write(value.rawValue) }
    }

    /// Sets a field that is kept as its raw value.
    public mutating func set<Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) where Value.RawValue: StorableValue {
        set(keyPath) { try $0.write(value.rawValue) }
    }

    /// Sets an optional field that is kept as its raw value.
    public mutating func set<Value: RawRepresentable>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to value: Value?
    ) where Value.RawValue: StorableValue {
        set(keyPath) { try $0.write(value?.rawValue) }
    }

    /// Sets an optional field that is kept as its raw value.
    public mutating func set<Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to value: Value?
    ) where Value.RawValue: StorableValue {
        set(keyPath) { try $0.write(value?.rawValue) }
    }

    /// Sets a field that is kept as JSON.
    @_disfavoredOverload
    public mutating func set<Value: Codable>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) {
        set(keyPath) { try $0.write(value) }
    }

    /// Sets an optional field that is kept as JSON.
    @_disfavoredOverload
    public mutating func set<Value: Codable>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to value: Value?
    ) {
        set(keyPath) { try $0.write(value) }
    }

    /// Sets every field of an embedded struct.
    public mutating func set<Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) {
        set(keyPath) { try $0.write(value) }
    }

    /// Sets every field of an optional embedded struct; nil makes all of them null.
    public mutating func set<Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to value: Value?
    ) {
        set(keyPath) { try $0.write(value) }
    }

    /// Sets a value of another model, which is saved too.
    public mutating func set<Related: Stored>(
        _ keyPath: KeyPath<Model.Storage, Related>,
        to value: Related
    ) {
        buffer.set(Model.Storage.schema.relationship(of: keyPath), named: keyPath, to: [value])
    }

    /// Sets an optional value of another model, which is saved too.
    public mutating func set<Related: Stored>(
        _ keyPath: KeyPath<Model.Storage, Related?>,
        to value: Related?
    ) {
        buffer.set(
            Model.Storage.schema.relationship(of: keyPath),
            named: keyPath,
            to: value.map { [$0] } ?? []
        )
    }

    /// Sets the values of another model, which are saved too.
    public mutating func set<Related: Stored>(
        _ keyPath: KeyPath<Model.Storage, [Related]>,
        to values: [Related]
    ) {
        buffer.set(Model.Storage.schema.relationship(of: keyPath), named: keyPath, to: values)
    }

    /// Sets the values of another model, which are saved too.
    public mutating func set<Related: Stored & Hashable>(
        _ keyPath: KeyPath<Model.Storage, Set<Related>>,
        to values: Set<Related>
    ) {
        buffer.set(
            Model.Storage.schema.relationship(of: keyPath),
            named: keyPath,
            to: Array(values)
        )
    }

    /// Sets a reference to a value of another model.
    public mutating func set<Related: Stored>(
        _ keyPath: KeyPath<Model.Storage, Reference<Related>>,
        to value: Reference<Related>
    ) {
        let relationship = Model.Storage.schema.relationship(of: keyPath)
        buffer.set(relationship, named: keyPath, to: Related.self, keys: [value.key])
    }

    /// Sets an optional reference to a value of another model.
    public mutating func set<Related: Stored>(
        _ keyPath: KeyPath<Model.Storage, Reference<Related>?>,
        to value: Reference<Related>?
    ) {
        let relationship = Model.Storage.schema.relationship(of: keyPath)
        buffer.set(
            relationship,
            named: keyPath,
            to: Related.self,
            keys: value.map { [$0.key] } ?? []
        )
    }

    /// Sets the references to values of another model.
    public mutating func set<Related: Stored>(
        _ keyPath: KeyPath<Model.Storage, References<Related>>,
        to value: References<Related>
    ) {
        let relationship = Model.Storage.schema.relationship(of: keyPath)
        buffer.set(relationship, named: keyPath, to: Related.self, keys: value.keys)
    }

    /// Sets a field to what is computed from the fields of the same value.
    ///
    /// ```swift
    /// try await client.update(Product.all) { $0.set(\.stock) { $0.stock - $0.reserved } }
    /// try await client.update(Product.all) { $0.set(\.stock, to: $0.stock - $0.reserved) }
    /// try await client.update(Product.all) { $0.set(\.stock, to: \.stock - \.reserved) }
    /// ```
    ///
    /// It is computed from the fields as they are stored before the call, whatever else the call sets. Where there is
    /// no such number, the call throws `.invalidValue`, and nothing is written.
    public mutating func set<Value: ExpressionValue, Term: ExpressionTerm>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to term: (Fields<Model>) -> Term
    ) where Term.Model == Model, Term.Value == Value {
        set(keyPath, computing: term(fields).fieldExpression)
    }

    /// Sets an optional field to what is computed from the fields of the same value, which is always there.
    public mutating func set<Value: ExpressionValue, Term: ExpressionTerm>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to term: (Fields<Model>) -> Term
    ) where Term.Model == Model, Term.Value == Value {
        set(keyPath, computing: term(fields).fieldExpression)
    }

    /// Sets a field to what is computed from the fields of the same value: `$0.set(\.stock, to: $0.stock - $0.reserved)`.
    @_disfavoredOverload
    public mutating func set<Value: ExpressionValue, Term: ExpressionTerm>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to term: Term
    ) where Term.Model == Model, Term.Value == Value {
        set(keyPath, computing: term.fieldExpression)
    }

    /// Sets an optional field to what is computed from the fields of the same value, which is always there.
    @_disfavoredOverload
    public mutating func set<Value: ExpressionValue, Term: ExpressionTerm>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to term: Term
    ) where Term.Model == Model, Term.Value == Value {
        set(keyPath, computing: term.fieldExpression)
    }

    /// Sets a field to what is computed from properties of the same value: `$0.set(\.stock, to: \.stock - \.reserved)`.
    public mutating func set<Value: ExpressionValue>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to expression: FieldExpression<Model.Storage, Value>
    ) {
        set(keyPath, computing: expression.of(Model.self))
    }

    /// Sets an optional field to what is computed from properties of the same value, which is always there.
    public mutating func set<Value: ExpressionValue>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to expression: FieldExpression<Model.Storage, Value>
    ) {
        set(keyPath, computing: expression.of(Model.self))
    }

    /// Sets a field to what another property of the same value is: `$0.set(\.formerPrice, to: \.price)`.
    public mutating func set<Value: ExpressionValue>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to property: KeyPath<Model.Storage, Value>
    ) {
        set(keyPath, computing: property.expression(scope: 0).of(Model.self))
    }

    /// Sets an optional field to what another property of the same value is, which is always there.
    public mutating func set<Value: ExpressionValue>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to property: KeyPath<Model.Storage, Value>
    ) {
        set(keyPath, computing: property.expression(scope: 0).of(Model.self))
    }

    private func set<Value>(
        _ keyPath: AnyKeyPath,
        computing expression: FieldExpression<Model, Value>
    ) {
        let position = (keyPath as? PartialKeyPath<Model.Storage>).flatMap {
            Model.Storage.schema.position(of: $0)
        }
        buffer.set(position, named: keyPath) {
            if let failure = expression.failure { throw failure }
            // Constants alone are of no value.
            let isOfOther = expression.scope != 0 && expression.scope != fields.scope
            if !expression.path.isEmpty || isOfOther {
                throw DBClientError(
                    .invalidRequest,
                    "A field must be set to what is computed from fields of the value itself.",
                    entity: Model.Storage.schema.entity.name
                )
            }
            try expression.entity.checkNesting(of: expression.row)
            return expression.row
        }
    }

    /// Sets a field to what a function makes of the value that it has.
    ///
    /// ```swift
    /// try await client.update(Character.all) { $0.modify(\.appearances) { $0 += 1 } }
    /// ```
    ///
    /// Of the stored values only their keys and what is modified are read, in the transaction that writes
    /// them, so no change of another transaction is lost, unless a PostgreSQL client was made for
    /// `READ COMMITTED`. A field that the same call has set is modified from what it was set to. What the
    /// function throws, the call throws, and nothing is written.
    public mutating func modify<Value: StorableValue>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        _ change: @escaping (inout Value) throws -> Void
    ) {
        let entity = Model.Storage.schema.entity
        let position = Model.Storage.schema.position(of: keyPath)
        buffer.modify(position, named: keyPath) { stored, column in
            // The names are of what the library throws, not of what the function does.
            var value: Value = try entity.naming(column) { try stored.decode() }
            try change(&value)
            return try entity.naming(column) { try StorageValue(storing: value) }
        }
    }

    private func set(_ keyPath: AnyKeyPath, _ write: (inout RowWriter) throws -> Void) {
        buffer.set(Model.Storage.schema.position(of: keyPath), named: keyPath, write)
    }
}

extension DBClientError {
    /// Returns the error itself when it is one of the library's, and wraps any other.
    package static func wrapping(_ error: any Error) -> DBClientError {
        if let error = error as? DBClientError { return error }
        if error is CancellationError {
            return DBClientError(.cancelled, "The task was cancelled; nothing was written.")
        }
        return DBClientError(.engine, "An unexpected error occurred.", underlying: error)
    }
}
