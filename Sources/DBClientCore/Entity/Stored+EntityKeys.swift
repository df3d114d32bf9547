extension Stored {
    /// Returns primary keys as they are stored; a key that the store is to make is nil.
    static func rowKeys(_ keys: [PrimaryKey]) throws -> [EntityKey?] {
        let entity = schema.entity
        try entity.validate()
        let given = RowBuffer(entity, columns: entity.primaryKey, capacity: keys.count)
        for key in keys { try encode(key: key, to: given) }
        let stored = withExtendedLifetime(given) { keys.indices.map { given.batch.values(at: $0) } }
        given.fillGeneratedKeys()
        return withExtendedLifetime(given) {
            keys.indices.map { row in
                given.batch.values(at: row) == stored[row]
                    ? EntityKey(entity: entity, values: stored[row]) : nil
            }
        }
    }

    /// Returns the last value of each primary key, in the order given.
    package static func lastOfEachKey<Value>(
        _ values: [Value],
        _ key: (Value) -> PrimaryKey
    ) throws -> [Value] {
        let keys = try rowKeys(values.map(key))
        var last: [EntityKey: Int] = [:]
        for (index, key) in keys.enumerated() { if let key { last[key] = index } }
        return values.indices
            .filter { index in keys[index].map { last[$0] == index } ?? true }
            .map { values[$0] }
    }
}

extension ManagedEntity {
    /// Whether it is one of a stored type.
    package func isOne<Model: Stored>(of type: Model.Type) -> Bool {
        Model.schema.entity === schema
    }

    /// Whether it has a primary key, or the store makes one in place of it.
    package func hasKey<Model: Stored>(
        _ primaryKey: Model.PrimaryKey,
        of type: Model.Type
    ) throws -> Bool {
        try Model.rowKeys([primaryKey])[0].map { $0 == key } ?? isInserted
    }
}
