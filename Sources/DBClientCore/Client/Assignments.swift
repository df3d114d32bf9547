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
    /// What is assigned of other models, by relationship, the last of each.
    @exclusivity(unchecked) private(set) var relationships: [RowBranch] = []

    init(_ entity: EntitySchema) throws {
        self.entity = entity
        rows = RowBuffer(entity)
        row = try rows.beginRow()
    }

    func removeAll() {
        rows.removeAll()
        // A column or two, which costs less than to replace a range by nothing.
        while columns.popLast() != nil {}
        if !relationships.isEmpty { relationships.removeAll() }
        if failure != nil { failure = nil }
    }

    /// Forgets what was assigned of other models.
    func removeRelationships() {
        relationships.removeAll()
    }

    func set<Related: Stored>(
        _ relationship: RelationshipSchema?,
        named keyPath: AnyKeyPath,
        to models: [Related]
    ) {
        set(relationship, named: keyPath) { relationship in
            let branch = RowBranch(relationship, Collected<Related>(), nil)
            branch.beginRow()
            for model in models { _ = try branch.add(model) }
            return branch
        }
    }

    func set<Related: Stored>(
        _ relationship: RelationshipSchema?,
        named keyPath: AnyKeyPath,
        to type: Related.Type,
        keys: [Related.PrimaryKey]
    ) {
        set(relationship, named: keyPath) { relationship in
            let target = Related.schema.entity
            let branch = RowBranch(
                relationship,
                nil,
                RowBuffer(target, columns: target.primaryKey)
            )
            branch.beginRow()
            for key in keys { try branch.add(key: key) }
            return branch
        }
    }

    private func set(
        _ relationship: RelationshipSchema?,
        named keyPath: AnyKeyPath,
        _ makeBranch: (RelationshipSchema) throws -> RowBranch
    ) {
        do {
            guard let relationship else {
                throw DBClientError(
                    .invalidRequest,
                    "The property \(keyPath) is not stored.",
                    entity: entity.name
                )
            }
            set(try makeBranch(relationship))
        } catch {
            if failure == nil { failure = DBClientError.wrapping(error) }
        }
    }

    /// Sets what is held through a relationship.
    func set(_ branch: RowBranch) {
        relationships.removeAll { $0.relationship === branch.relationship }
        relationships.append(branch)
    }

    /// Puts the keys of a to-one relationship, which are known by now, into its columns.
    func fillKeys(of branch: RowBranch) throws {
        guard let first = branch.relationship.columns.first, let keys = branch.keys else { return }
        let element = branch.elements(of: 0).first
        let width = branch.relationship.columns.count
        _ = try row.write(at: first) { row in
            for column in 0..<width {
                try row.put(element.map { keys.batch[Int($0), column] } ?? .null)
            }
        }
        for column in branch.relationship.columns where !columns.contains(column) {
            columns.append(column)
        }
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
