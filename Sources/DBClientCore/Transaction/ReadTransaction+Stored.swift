// Reading stored shapes from the engine.
extension ReadTransaction {
    /// Returns the value with a primary key, or nil: one call to interceptors.
    @usableFromInline
    final func findStored<Model: Stored>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> Model? {
        if interceptors.isEmpty { return try Model.find(key: key, in: reader(), of: clientType) }
        return try intercept(.on(Model.schema.entity, .find, 1)) {
            try Model.find(key: key, in: reader(), of: clientType)
        }
    }

    /// Returns the values with these primary keys that exist, in the order of `keys`.
    final func findStored<Model: Stored>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) throws -> [Model] {
        let reader = try reader()
        let entity = Model.schema.entity
        let keys = try reader.keys(keys, of: entity)
        defer { withExtendedLifetime(keys) {} }
        guard entity.isFlat else {
            let rows = RowBuffer(entity)
            try reader.get(entity, keys: keys.batch) { rows.append(copying: $1) }
            return try RelationshipLoader(reader).models(type, of: rows)
        }
        var found: [Model] = []
        found.reserveCapacity(keys.count)
        let compiled = Model.compiled
        try reader.get(entity, keys: keys.batch) { _, row in try compiled.decode(row, &found) }
        return found
    }

    /// Returns the values of a query.
    final func fetchStored<Model: Stored>(_ type: Model.Type, _ query: RowQuery) throws -> [Model] {
        guard query.entity.isFlat else {
            return try RelationshipLoader(reader()).fetch(Model.self, query)
        }
        var models: [Model] = []
        // An engine may have batches of one row.
        let compiled = Model.compiled
        try reader().scan(query) { batch in
            try compiled.decode(batch, &models)
            return true
        }
        models.releaseRoom()
        return models
    }

    /// Calls a function with each value of a query.
    final func forEachStored<Model: Stored>(
        _ type: Model.Type,
        _ query: RowQuery,
        _ body: (Model) throws -> Bool
    ) throws {
        if isPartOfWrite {
            // What the body writes is not to be seen here, nor to keep this going.
            for value in try fetchStored(type, query) where try !body(value) { return }
            return
        }
        guard query.entity.isFlat else {
            return try RelationshipLoader(reader()).forEach(Model.self, query, body)
        }
        try reader().scanForCaller(query) { batch in
            for index in 0..<batch.count {
                var row = batch.reader(at: index)
                guard try body(Model(row: &row)) else { return false }
            }
            return true
        }
    }
}

extension EngineReader {
    /// Returns a buffer of encoded keys, valid until the next call on the same transaction.
    func keys<Key: PrimaryKeyValue>(_ keys: [Key], of entity: EntitySchema) throws -> RowBuffer {
        try entity.validate()
        let buffer = buffers.keys(of: entity)
        for key in keys {
            var row = try buffer.beginRow()
            try key.write(to: &row)
            try buffer.endRow(row)
        }
        try buffer.checkKeyLengths()
        return buffer
    }
}

extension Array {
    /// Gives back memory for elements that were expected in vain, once it is more than an array that grows has.
    fileprivate mutating func releaseRoom() {
        guard capacity > Swift.max(2 * count, 64) else { return }
        var copy: Self = []
        copy.reserveCapacity(count)
        copy.append(contentsOf: self)
        self = copy
    }
}
