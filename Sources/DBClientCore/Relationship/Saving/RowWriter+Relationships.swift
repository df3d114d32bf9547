// The overloads that mirror those of `SchemaField.field` for values of other models.
extension RowWriter {
    /// Writes a value of another model, which is saved with its owner.
    public mutating func write<Related: Stored>(_ value: Related) throws {
        try write(value as Related?)
    }

    /// Writes an optional value of another model, which is saved with its owner.
    public mutating func write<Related: Stored>(_ value: Related?) throws {
        let branch = try beginBranch()
        guard let value else { return try putNulls(Related.PrimaryKey.columnCount) }
        let element = try branch.add(value)
        guard let keys = branch.keys else { return }
        for column in keys.columns.indices { try put(keys.batch[element, column]) }
    }

    /// Writes values of another model, which are saved with their owner, in order.
    public mutating func write<Related: Stored>(_ values: [Related]) throws {
        let branch = try beginBranch()
        for value in values { _ = try branch.add(value) }
        try putNull()
    }

    /// Writes values of another model, which are saved with their owner.
    public mutating func write<Related: Stored & Hashable>(_ values: Set<Related>) throws {
        let branch = try beginBranch()
        for value in values { _ = try branch.add(value) }
        try putNull()
    }

    /// Writes a reference to a value of another model.
    public mutating func write<Related: Stored>(_ value: Reference<Related>) throws {
        try write(value as Reference<Related>?)
    }

    /// Writes an optional reference to a value of another model.
    public mutating func write<Related: Stored>(_ value: Reference<Related>?) throws {
        let buffer = buffer.takeUnretainedValue()
        // Without a graph the row is a key, or the constant of a condition.
        guard let graph = buffer.graph else {
            return try value.map { try $0.key.write(to: &self) }
                ?? putNulls(Related.PrimaryKey.columnCount)
        }
        let branch = try beginBranch()
        guard let value else { return try putNulls(Related.PrimaryKey.columnCount) }
        try branch.add(key: value.key)
        // References in the key are those of the value that it names.
        buffer.graph = nil
        defer { buffer.graph = graph }
        try value.key.write(to: &self)
    }

    /// Writes references to values of another model, in order.
    public mutating func write<Related: Stored>(_ value: References<Related>) throws {
        let branch = try beginBranch()
        for key in value.keys { try branch.add(key: key) }
        try putNull()
    }

    private mutating func putNulls(_ count: Int) throws {
        for _ in 0..<count { try putNull() }
    }

    private func beginBranch() throws -> RelationshipValues {
        let buffer = buffer.takeUnretainedValue()
        guard let branch = buffer.graph?.branch(at: next - first) else {
            throw DBClientError(
                .invalidSchema,
                "write(to:) must write a related value only where the schema has a relationship.",
                entity: buffer.entity.name
            )
        }
        branch.beginRow()
        return branch
    }
}
