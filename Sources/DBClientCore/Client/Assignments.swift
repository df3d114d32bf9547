/// The fields that a partial update writes, with their new values.
///
/// ```swift
/// try await client.update(Character.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }
/// ```
public struct Assignments<Model: StoredConvertible> {
    let buffer: AssignmentBuffer

    init(_ buffer: AssignmentBuffer) {
        self.buffer = buffer
    }

    /// Sets a field.
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

    /// Sets an embedded struct.
    public mutating func set<Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        to value: Value
    ) {
        set(keyPath) { try $0.write(value) }
    }

    /// Sets an optional embedded struct.
    public mutating func set<Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model.Storage, Value?>,
        to value: Value?
    ) {
        set(keyPath) { try $0.write(value) }
    }

    private func set(_ keyPath: AnyKeyPath, _ write: (inout RowWriter) throws -> Void) {
        buffer.set(Model.Storage.schema.position(of: keyPath), named: keyPath, write)
    }
}

/// The assignments of one call, in reused memory and without the model.
final class AssignmentBuffer {
    let entity: EntitySchema
    private let rows: RowBuffer
    @exclusivity(unchecked) private var columns: [Int] = []
    @exclusivity(unchecked) private var failure: DBClientError?
    @exclusivity(unchecked) private var row: RowWriter

    init(_ entity: EntitySchema) throws {
        self.entity = entity
        rows = RowBuffer(entity)
        row = try rows.beginRow()
    }

    func removeAll() {
        rows.removeAll()
        columns.removeAll(keepingCapacity: true)
        failure = nil
    }

    func set(
        _ position: Int?,
        named keyPath: AnyKeyPath,
        _ write: (inout RowWriter) throws -> Void
    ) {
        do {
            guard let position else {
                throw DBClientError(
                    .invalidRequest,
                    "The property \(keyPath) is not stored.",
                    entity: entity.name
                )
            }
            try set(position, write)
        } catch {
            if failure == nil { failure = DBClientError.wrapping(error) }
        }
    }

    func set(_ position: Int, _ write: (inout RowWriter) throws -> Void) throws {
        guard !entity.primaryKey.contains(position) else {
            throw DBClientError(
                .invalidRequest,
                "The primary key of a stored value cannot be set.",
                entity: entity.name,
                field: entity.fields[position].name,
                hint: "Delete the value and insert it under its new key."
            )
        }
        let end = try row.write(at: position, write)
        for column in position..<end where !columns.contains(column) { columns.append(column) }
    }

    /// Returns what was assigned; nil when nothing was.
    func finish() throws -> RowAssignments? {
        if let failure { throw failure }
        if columns.isEmpty { return nil }
        if columns.count > 1 { columns.sort() }
        return RowAssignments(columns: columns, values: rows.openRow)
    }
}

extension RowWriter {
    /// Writes fields from a position on and returns the position after the last.
    mutating func write(
        at position: Int,
        _ body: (inout RowWriter) throws -> Void
    ) throws -> Int {
        next = first + position
        try body(&self)
        return next - first
    }
}

extension DBClientError {
    /// Returns the error itself when it is one of the library's, and wraps any other.
    package static func wrapping(_ error: any Error) -> DBClientError {
        if let error = error as? DBClientError { return error }
        if error is CancellationError {
            return DBClientError(.cancelled, "The task was cancelled; nothing was written.")
        }
        return DBClientError(.engine, "An unexpected error came up.", underlying: error)
    }
}
