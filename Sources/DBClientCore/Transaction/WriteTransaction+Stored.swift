// Writing stored shapes to the engine.
extension WriteTransaction {
    /// Rows that are encoded before they go to the engine: enough for it to sort and to batch, few
    /// enough to stay small beside the values themselves.
    static let chunk = 131_072

    func insertStored<Model: Stored>(_ values: [Model]) throws -> [Model] {
        let writer = try writer()
        let entity = Model.schema.entity
        try validate(entity, writer)
        guard entity.isFlat else { return try insertGraph(values) }
        // What is stored, once it differs from what was given.
        var stored: [Model]?
        let rows = writer.buffers.rows(of: entity)
        // A key that is made is to be above all that the call gives, which the engine has to see at once.
        let isOneRange = Model.mixKeys(values)
        func encodeNext(_ range: inout Range<Int>) throws -> Bool {
            let limit =
                isOneRange ? values.count : writer.hints(for: entity).rowsOfInsert ?? Self.chunk
            range = range.upperBound..<Swift.min(range.upperBound + limit, values.count)
            if range.isEmpty { return false }
            rows.removeAll()
            try Model.encode(values, in: range, to: rows)
            rows.fillGeneratedKeys()
            try rows.checkKeyLengths()
            return true
        }
        try atomically(values, writer) { range in
            guard try encodeNext(&range) else { return }
            try writer.insert(rows) {
                try keepStored(&stored, rows, of: values, range)
                return try encodeNext(&range)
            }
        }
        return stored ?? values
    }

    /// Replaces what is stored, and returns the values as they were given.
    func updateStored<Model: Stored>(_ values: [Model]) throws -> [Model] {
        try updateStored(values) { index in
            throw Model.schema.entity.nothingToUpdate(values[index].primaryKey)
        }
        return values
    }

    func updateExistingStored<Model: Stored>(_ values: [Model]) throws -> [Model] {
        guard Model.schema.entity.isFlat else { return try updateExistingGraph(values) }
        var missing = Set<Int>()
        // What is stored, once it differs from what was given.
        var stored: [Model]?
        try updateStored(values) { index in
            missing.insert(index)
        } chunk: { range, rows in
            try keepStored(&stored, rows, of: values, range)
        }
        let updated = stored ?? values
        return missing.isEmpty
            ? updated : updated.indices.filter { !missing.contains($0) }.map { updated[$0] }
    }

    private func updateStored<Model: Stored>(
        _ values: [Model],
        missing: (Int) throws -> Void,
        chunk: (Range<Int>, RowBuffer) throws -> Void = { _, _ in }
    ) throws {
        let writer = try writer()
        let entity = Model.schema.entity
        try validate(entity, writer)
        guard entity.isFlat else {
            _ = try updateGraph(values, missing: missing)
            return
        }
        defer { openContext?.noteWrite(to: entity) }
        try atomically(values, writer) { range in
            for start in stride(from: 0, to: values.count, by: Self.chunk) {
                range = start..<Swift.min(start + Self.chunk, values.count)
                let rows = writer.buffers.rows(of: entity)
                defer { withExtendedLifetime(rows) {} }
                try Model.encode(values, in: range, to: rows)
                try rows.checkKeyLengths()
                try writer.update(rows.batch, of: entity, setting: entity.columnsBesideKey) {
                    try missing(start + $0)
                }
                try chunk(range, rows)
            }
        }
    }

    func updateStored<Model: Stored>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        try writer().buffers.withAssignments(to: Model.schema.entity) { buffer in
            var assignments = Assignments<Model>(buffer)
            try assign(&assignments)
            try update(type, key: key, buffer)
        }
    }

    /// Writes the assignments in a buffer to the row with a primary key.
    func update<Model: Stored>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ buffer: AssignmentBuffer
    ) throws {
        let writer = try writer()
        let entity = buffer.entity
        try validate(entity, writer)
        defer { openContext?.noteWrite(to: entity) }
        guard buffer.isPlain else {
            let keys = RowBuffer(entity, columns: entity.primaryKey)
            try Model.encode(key: key, to: keys)
            let query = RowQuery(entity, where: .keys(entity.primaryKey, in: keys))
            guard try update(query, buffer) > 0 else { throw entity.nothingToUpdate(key) }
            return
        }
        guard let assigned = try buffer.finish() else {
            guard try isThere(Model.self, key) else {
                throw entity.nothingToUpdate(key)
            }
            return
        }
        var keys: RowBuffer?
        defer { withExtendedLifetime(keys) {} }
        if let column = entity.integerKey, let integer = key.integer {
            // The commonest key borrows nothing, so it needs no buffer.
            buffer.setKey(column, .integer(integer))
        } else {
            let encoded = writer.buffers.keys(of: entity)
            try Model.encode(key: key, to: encoded)
            buffer.setKey(encoded.batch)
            keys = encoded
        }
        try writer.update(assigned.values, of: entity, setting: assigned.columns) { _ in
            throw entity.nothingToUpdate(key)
        }
    }

    /// Apart, since room for a value is made where a function begins.
    @inline(never)
    private func isThere<Model: Stored>(
        _ type: Model.Type,
        _ key: Model.PrimaryKey
    ) throws -> Bool {
        try Model.find(key: key, in: reader(), of: clientType) != nil
    }

    func updateStored<Model: Stored>(
        _ type: Model.Type,
        _ query: RowQuery,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws -> Int {
        let writer = try writer()
        try validate(query.entity, writer)
        defer { openContext?.noteWrite(to: query.entity) }
        return try writer.buffers.withAssignments(to: query.entity) { buffer in
            var assignments = Assignments<Model>(buffer)
            try assign(&assignments)
            guard buffer.isPlain else { return try update(query, buffer) }
            guard let assigned = try buffer.finish() else { return try writer.count(query) }
            return try atomically { try writer.update(query, setting: assigned) }
        }
    }

    /// Writes what was assigned and is not plain to the values of a query.
    func update(_ query: RowQuery, _ buffer: AssignmentBuffer) throws -> Int {
        guard buffer.relationships.isEmpty else { return try updateGraph(query, buffer) }
        let assigned = try buffer.finish()
        let modifications = buffer.modifications
        return try atomically {
            if let computations = modifications.computations {
                return try writer().update(query, setting: assigned, computing: computations)
            }
            return try writer().update(query, setting: assigned, modifying: modifications)
        }
    }

    func deleteStored<Model: Stored>(_ type: Model.Type, keys: [Model.PrimaryKey]) throws -> Int {
        let writer = try writer()
        let entity = Model.schema.entity
        let keys = try writer.keys(keys, of: entity)
        defer { withExtendedLifetime(keys) {} }
        try validate(entity, writer)
        defer { openContext?.noteWrite() }
        let deletion = Deletion(writer, registry)
        guard try deletion.isPlain(entity) else {
            return try atomically { try deletion.delete(entity, keys: keys.copied()) }
        }
        return try atomically(keys.count) { try writer.delete(entity, keys: keys.batch) }
    }

    func deleteStored(_ query: RowQuery) throws -> Int {
        let writer = try writer()
        try validate(query.entity, writer)
        defer { openContext?.noteWrite() }
        let deletion = Deletion(writer, registry)
        let isPlain = try deletion.isPlain(query.entity)
        return try atomically {
            isPlain ? try writer.delete(query) : try deletion.delete(query)
        }
    }
}
