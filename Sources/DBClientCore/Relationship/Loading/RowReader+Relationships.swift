// The overloads that mirror those of `SchemaField.field` for values of other models.
extension RowReader {
    /// Reads a value of another model, which was loaded with its owner.
    @inlinable
    public mutating func read<Related: Stored>(
        _ type: Related.Type = Related.self
    ) throws -> Related {
        guard let value = try related(type) else { throw missingValue() }
        return value
    }

    /// Reads an optional value of another model, which was loaded with its owner.
    @inlinable
    public mutating func read<Related: Stored>(
        _ type: Related?.Type = Related?.self
    ) throws -> Related? {
        try related(Related.self)
    }

    /// Reads the values of another model that were loaded with their owner, in order.
    @inlinable
    public mutating func read<Related: Stored>(
        _ type: [Related].Type = [Related].self
    ) throws -> [Related] {
        let slot = try take()
        guard let object = slot.loadedObject, let lists = object as? LoadedLists<Related> else {
            throw notLoaded()
        }
        return lists.models(of: Int(slot.length) - 1)
    }

    /// Reads the values of another model that were loaded with their owner.
    @inlinable
    public mutating func read<Related: Stored & Hashable>(
        _ type: Set<Related>.Type = Set<Related>.self
    ) throws -> Set<Related> {
        Set(try read([Related].self))
    }

    /// Reads a reference to a value of another model.
    @inlinable
    public mutating func read<Related: Stored>(
        _ type: Reference<Related>.Type = Reference<Related>.self
    ) throws -> Reference<Related> {
        Reference(try Related.PrimaryKey(row: &self))
    }

    /// Reads an optional reference to a value of another model.
    @inlinable
    public mutating func read<Related: Stored>(
        _ type: Reference<Related>?.Type = Reference<Related>?.self
    ) throws -> Reference<Related>? {
        if next < end, next.pointee.isNull {
            for _ in 0..<Related.PrimaryKey.columnCount { _ = try take() }
            return nil
        }
        return try read(Reference<Related>.self)
    }

    /// Reads references to values of another model, in order.
    @inlinable
    public mutating func read<Related: Stored>(
        _ type: References<Related>.Type = References<Related>.self
    ) throws -> References<Related> {
        let slot = try take()
        guard let object = slot.loadedObject, let keys = object as? LoadedKeys else {
            throw notLoaded()
        }
        return References(
            try keys.keys(of: Int(slot.length) - 1, as: Related.PrimaryKey.self)
        )
    }

    @inlinable
    mutating func related<Related: Stored>(_ type: Related.Type) throws -> Related? {
        let slot = try take()
        for _ in 1..<Related.PrimaryKey.columnCount { _ = try take() }
        if slot.isNull { return nil }
        guard let object = slot.loadedObject, let loaded = object as? Loaded<Related> else {
            throw notLoaded()
        }
        return loaded.models[Int(loaded.places[Int(slot.length) - 1])]
    }

    @usableFromInline
    @inline(never)
    func missingValue() -> DBClientError {
        failure(.missing, .null)
    }

    @usableFromInline
    @inline(never)
    func notLoaded() -> DBClientError {
        let entity = entity.takeUnretainedValue()
        let column = next - first - 1
        return DBClientError(
            .invalidSchema,
            "init(row:) must read a related value only where the schema has one that was loaded.",
            entity: entity.name,
            field: entity.fields.indices.contains(column) ? entity.fields[column].name : nil
        )
    }
}
