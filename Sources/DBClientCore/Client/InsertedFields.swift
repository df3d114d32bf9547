/// The fields of the rows that ``DBClient/insert(_:from:_:)-(_,Request,_)`` makes of those of a request.
///
/// ```swift
/// try await client.insert(ArchivedOrder.self, from: Order.where { $0.isClosed }) { archived, order in
///     archived.set(\.id, to: order.id)
///     archived.set(\.total, to: order.price * order.quantity)
///     archived.set(\.reason, to: "closed")
/// }
/// ```
public struct InsertedFields<Model: StoredConvertible, Source: StoredConvertible> {
    private let buffer: AssignmentBuffer
    private var assignments: Assignments<Model>
    /// What is not a constant, by the positions of the fields.
    private var sources: [Int: RowGrouping.Key] = [:]
    private var failure: DBClientError?

    init() throws {
        buffer = try AssignmentBuffer(Model.Storage.schema.entity, setsKey: true)
        assignments = Assignments(buffer)
    }

    /// Sets a field to a field of the request's rows, or to what is computed from their fields.
    public mutating func set<Value, Term: ExpressionTerm>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to term: Term
    ) where Term.Model == Source, Term.Value == Value {
        take(term.fieldExpression, as: keyPath)
    }

    /// Sets an optional field to what is always there.
    public mutating func set<Value, Term: ExpressionTerm>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to term: Term
    ) where Term.Model == Source, Term.Value == Value {
        take(term.fieldExpression, as: keyPath)
    }

    /// Sets a field to a value, the same in every row.
    public mutating func set<Value: StorableValue>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) {
        assign(keyPath) { $0.set(keyPath, to: value) }
    }

    /// Sets a field that is kept as its raw value to a value, the same in every row.
    public mutating func set<Value: RawRepresentable>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) where Value.RawValue: StorableValue {
        assign(keyPath) { $0.set(keyPath, to: value) }
    }

    /// Sets a field that is kept as its raw value to a value, the same in every row.
    public mutating func set<Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) where Value.RawValue: StorableValue {
        assign(keyPath) { $0.set(keyPath, to: value) }
    }

    /// Sets a field that is kept as JSON to a value, the same in every row.
    @_disfavoredOverload
    public mutating func set<Value: Codable>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) {
        assign(keyPath) { $0.set(keyPath, to: value) }
    }

    /// Sets every field of an embedded struct to a value, the same in every row.
    public mutating func set<Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) {
        assign(keyPath) { $0.set(keyPath, to: value) }
    }

    private mutating func assign(
        _ keyPath: AnyKeyPath,
        _ body: (inout Assignments<Model>) -> Void
    ) {
        for column in Model.Storage.schema.columns(of: keyPath) ?? 0..<0 { sources[column] = nil }
        body(&assignments)
    }

    private mutating func take<Value>(
        _ expression: FieldExpression<Source, Value>,
        as keyPath: AnyKeyPath
    ) {
        let entity = Model.Storage.schema.entity
        do {
            if let failure = expression.failure { throw failure }
            try expression.entity.checkNesting(of: expression.row)
            guard let columns = Model.Storage.schema.columns(of: keyPath), columns.count == 1 else {
                throw entity.notStored(keyPath)
            }
            sources[columns.lowerBound] = RowGrouping.Key(
                expression.row,
                through: expression.path
            )
        } catch {
            if failure == nil { failure = DBClientError.wrapping(error) }
        }
    }

    /// Returns what the fields are set to, by their positions in `Storage`.
    func values() throws -> [Int: RowGrouping.Key] {
        if let failure { throw failure }
        let entity = Model.Storage.schema.entity
        var values: [Int: RowGrouping.Key] = [:]
        if let assigned = try buffer.finish() {
            for column in assigned.columns {
                let value = StorageValue(assigned.values[0, column])
                values[column] = .constant(value, entity.fields[column].type)
            }
        }
        return values.merging(sources) { $1 }
    }
}
