// What is held through relationships, as values and keys; the overloads mirror those of `SchemaField.field`.
extension ManagedEntity {
    /// Returns the value that is held.
    public func value<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Related>
    ) throws -> Related {
        try entity(keyPath).value(as: Related.self)
    }

    /// Returns the value that is held, or nil.
    public func value<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Related?>
    ) throws -> Related? {
        try entity(keyPath)?.value(as: Related.self)
    }

    /// Returns the values that are held, in order.
    public func value<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, [Related]>
    ) throws -> [Related] {
        try context.values(of: entities(keyPath), as: Related.self)
    }

    /// Returns the values that are held.
    public func value<Model: Stored, Related: Stored & Hashable>(
        _ keyPath: KeyPath<Model, Set<Related>>
    ) throws -> Set<Related> {
        Set(try context.values(of: entities(keyPath), as: Related.self))
    }

    /// Returns a reference to a value of another model.
    public func value<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>>
    ) throws -> Reference<Related> {
        try flushForKeys(relationship(keyPath))
        return try read(at: column(keyPath)) { try $0.read() }
    }

    /// Returns a reference to a value of another model, or nil.
    public func value<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>?>
    ) throws -> Reference<Related>? {
        try flushForKeys(relationship(keyPath))
        return try read(at: column(keyPath)) { try $0.read(Reference<Related>?.self) }
    }

    /// Returns references to values of another model, in order.
    public func value<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, References<Related>>
    ) throws -> References<Related> {
        let index = try relationship(keyPath)
        try loadList(index)
        try flushForKeys(index)
        try loadList(index)
        let keys = (held.lists[index]?.elements ?? []).compactMap(\.key)
        let rows = try keyRows(Related.schema.entity, keys)
        return References(
            try rows.withBatch { batch in
                try keys.indices.map { row in
                    var reader = batch.reader(at: row)
                    return try Related.PrimaryKey(row: &reader)
                }
            }
        )
    }

    /// Sets the value that is held: the entity like it, which is made or changed.
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Related>,
        to value: Related
    ) throws {
        try context.changing(like: [value]) {
            try set(keyPath, to: context.entities(like: [value])[0])
        }
    }

    /// Sets the value that is held, or nil.
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Related?>,
        to value: Related?
    ) throws {
        let values = value.map { [$0] } ?? []
        try context.changing(like: values) {
            let entity: ManagedEntity? = try context.entities(like: values).first
            try set(keyPath, to: entity)
        }
    }

    /// Sets the values that are held: the entities like them, which are made or changed.
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, [Related]>,
        to values: [Related]
    ) throws {
        try context.changing(like: values) {
            let entities: [ManagedEntity] = try context.entities(like: values)
            try set(keyPath, to: entities)
        }
    }

    /// Sets the values that are held: the entities like them, which are made or changed.
    public func set<Model: Stored, Related: Stored & Hashable>(
        _ keyPath: KeyPath<Model, Set<Related>>,
        to values: Set<Related>
    ) throws {
        let values = Array(values)
        try context.changing(like: values) {
            let entities: [ManagedEntity] = try context.entities(like: values)
            try set(keyPath, to: entities)
        }
    }

    /// Sets a reference to a value of another model.
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>>,
        to value: Reference<Related>
    ) throws {
        try write(at: column(keyPath)) { try $0.write(value) }
    }

    /// Sets a reference to a value of another model, or nil.
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>?>,
        to value: Reference<Related>?
    ) throws {
        try write(at: column(keyPath)) { try $0.write(value) }
    }

    /// Sets the references to values of another model.
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, References<Related>>,
        to value: References<Related>
    ) throws {
        let index = try relationship(keyPath)
        _ = try context.openWriter()
        let keys = try context.storedKeys(Related.self, value.keys)
        try context.settle(keys)
        try replace(list: index, by: keys.map { .key($0) })
    }

    /// Writes what waits to be written when the store has yet to make the key of what is held.
    private func flushForKeys(_ index: Int) throws {
        try prepare()
        let isUnknown =
            held.ones[index].map { $0.key == nil } ?? false
            || held.lists[index]?.elements.contains { $0.key == nil } ?? false
        if isUnknown { try context.flush() }
    }
}
