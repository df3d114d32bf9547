// Writing by stored names. The meaning of each call is that of its namesake on models.
extension WriteCalls {
    /// Inserts rows and returns them as they are stored, generated keys filled in.
    ///
    /// - Throws: `.duplicateKey`, `.uniqueViolation`; nothing of the call is then written.
    @discardableResult
    public func insert(_ rows: [DynamicRow]) throws -> [DynamicRow] {
        try atomically(rows.atomicCount) { transaction, writer, registry in
            var stored: [DynamicRow] = []
            try rows.write(with: writer, registry) { entity, buffer in
                buffer.fillGeneratedKeys()
                try buffer.checkKeyLengths()
                try transaction.intercept(.on(entity, .insert, buffer.count)) {
                    try writer.insert(buffer)
                }
                for row in 0..<buffer.count {
                    stored.append(try DynamicRow(buffer.batch, at: row, of: entity))
                }
            }
            return stored
        }
    }

    /// Replaces the stored rows that have the same primary keys.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    public func update(_ rows: [DynamicRow]) throws {
        try atomically(rows.atomicCount) { transaction, writer, registry in
            try rows.write(with: writer, registry) { entity, buffer in
                try buffer.checkKeyLengths()
                try transaction.intercept(.on(entity, .update, buffer.count)) {
                    try writer.update(
                        buffer.batch,
                        of: entity,
                        setting: entity.columnsBesideKey
                    ) { _ in throw entity.nothingToUpdate() }
                }
            }
        }
    }

    /// Inserts the rows that are not stored, replaces those that are, and returns how many were
    /// inserted and how many replaced.
    ///
    /// Where two rows of the call have one primary key, the last one counts.
    @discardableResult
    public func upsert(_ rows: [DynamicRow]) throws -> (inserted: Int, updated: Int) {
        var inserted = 0
        var updated = 0
        try atomically(rows.atomicCount) { transaction, writer, registry in
            try rows.write(with: writer, registry) { entity, buffer in
                buffer.fillGeneratedKeys()
                try buffer.checkKeyLengths()
                _ = buffer.keepLastOfEachKey()
                try transaction.intercept(.on(entity, .upsert, buffer.count)) {
                    try writer.upsert(buffer) { if $1 { inserted += 1 } else { updated += 1 } }
                }
            }
        }
        return (inserted, updated)
    }

    /// Writes some fields of the row with a primary key, given in key order.
    ///
    /// - Throws: `.notFound` when it is not stored.
    public func update(
        _ entity: EntitySchema,
        key: [DynamicValue],
        set values: [String: DynamicValue]
    ) throws {
        let rows = entity.relationships.isEmpty ? 1 : 2
        try atomically(rows) { transaction, writer, registry in
            guard let assigned = try entity.assignments(values) else {
                if try transaction.find(entity, key: key) == nil { throw entity.nothingToUpdate() }
                return
            }
            let written = try entity.encode(key: key, to: writer.buffers).copied()
            defer { withExtendedLifetime(written) {} }
            assigned.setKey(written.batch)
            try transaction.intercept(.on(entity, .assign, 1)) {
                try assigned.withRow {
                    try writer.update($0.values, of: entity, setting: $0.columns) { _ in
                        throw entity.nothingToUpdate()
                    }
                    try entity.check($0, in: written, with: writer, registry)
                }
            }
        }
    }

    /// Writes some fields of the rows of a request and returns how many there were.
    @discardableResult
    public func update(
        _ request: DynamicRequest,
        set values: [String: DynamicValue]
    ) throws -> Int {
        let query = try request.rowQuery()
        let assigned = try query.entity.assignments(values)
        return try atomically { transaction, writer, registry in
            guard let assigned else { return try transaction.count(query) }
            return try transaction.intercept(.on(query, .assignMatching)) {
                try assigned.withRow {
                    // Found before the update, after which the request may find others.
                    let entity = query.entity
                    let asksForRows =
                        entity.hasPartOfKey(in: $0.columns) || entity.mayCloseCircle(in: $0.columns)
                    let keys = asksForRows ? try writer.keys(of: query) : nil
                    let count = try writer.update(query, setting: $0)
                    if count > 0 { try entity.check($0, in: keys, with: writer, registry) }
                    return count
                }
            }
        }
    }

    /// Deletes the row with a primary key, given in key order, and returns whether there was one.
    @discardableResult
    public func delete(_ entity: EntitySchema, key: [DynamicValue]) throws -> Bool {
        try atomically(1) { transaction, writer, registry in
            let keys = try entity.encode(key: key, to: writer.buffers)
            return try transaction.intercept(.on(entity, .delete, 1)) {
                let deletion = Deletion(writer, registry)
                guard try deletion.isPlain(entity) else {
                    return try writer.atomically {
                        try deletion.delete(entity, keys: keys.copied()) > 0
                    }
                }
                return try keys.withBatch { try writer.delete(entity, keys: $0) > 0 }
            }
        }
    }

    /// Deletes the rows of a request and returns how many there were.
    @discardableResult
    public func delete(_ request: DynamicRequest) throws -> Int {
        let query = try request.rowQuery()
        try query.entity.requireStored()
        return try atomically { transaction, writer, registry in
            try transaction.intercept(.on(query, .deleteMatching)) {
                let deletion = Deletion(writer, registry)
                return try deletion.isPlain(query.entity)
                    ? try writer.delete(query) : try deletion.delete(query)
            }
        }
    }

    /// Runs a body that is undone when it throws, with the transaction, what it writes with and what it knows
    /// of relationships.
    private func atomically<Value>(
        _ rows: Int = 2,
        _ body: (WriteTransaction, any EngineWriter, RelationshipRegistry) throws -> Value
    ) throws -> Value {
        try writing(asOneCall: true) { transaction in
            let writer = try transaction.rowWriter()
            let registry = transaction.registry
            defer { transaction.openContext?.noteWrite() }
            do {
                return try writer.atomically(rows) { try body(transaction, writer, registry) }
            } catch {
                registry.forget()
                throw error
            }
        }
    }
}

extension WriteTransaction {
    /// Returns what writes rows past the models.
    ///
    /// - Throws: `.readOnly` where a decorator checks what is written.
    func rowWriter() throws -> any EngineWriter {
        guard writesRows else {
            throw DBClientError(
                .readOnly,
                "A client that validates must not be used to write rows without a model."
            )
        }
        return try writer()
    }
}

extension [DynamicRow] {
    /// A row that holds others takes several calls.
    fileprivate var atomicCount: Int {
        count == 1 && !self[0].entity.relationships.isEmpty ? 2 : count
    }

    /// Calls a function with the rows in runs of one entity, and then checks what they hold: a row may
    /// refer to one that comes later.
    fileprivate func write(
        with writer: any EngineWriter,
        _ registry: RelationshipRegistry,
        _ body: (EntitySchema, RowBuffer) throws -> Void
    ) throws {
        var written: [RowBuffer] = []
        var start = startIndex
        while start < endIndex {
            let entity = self[start].entity
            let end = self[start...].firstIndex { $0.entity != entity } ?? endIndex
            let buffer = try entity.encode(self[start..<end], to: writer.buffers)
            try body(entity, buffer)
            start = end
            if entity.isFlat { continue }
            if end == endIndex {
                written.append(buffer)
            } else {
                // The next run takes the buffer.
                let kept = RowBuffer(entity, capacity: buffer.count)
                buffer.withBatch { kept.append(copying: $0) }
                written.append(kept)
            }
        }
        for rows in written { try rows.entity.check(rows, with: writer, registry) }
    }
}

extension EntitySchema {
    fileprivate func encode(
        _ rows: ArraySlice<DynamicRow>,
        to buffers: RowBuffers
    ) throws -> RowBuffer {
        try validate()
        try requireStored()
        let buffer = buffers.rows(of: self)
        for row in rows { try row.write(to: buffer) }
        return buffer
    }

    /// Throws when written rows name values that are not stored or came to contain themselves, as values of
    /// the entity's model could not.
    func check(
        _ rows: RowBuffer,
        columns: [Int]? = nil,
        with writer: any EngineWriter,
        _ registry: RelationshipRegistry
    ) throws {
        let columns = columns ?? Array(fields.indices)
        try checkKeys(of: rows.batch, columns: columns, with: writer, registry)
        if mayCloseCircle(in: columns) { try RelationshipLoader(writer).checkDepth(of: rows) }
    }

    /// Throws when rows name values that are not stored, or contain themselves, once some of their fields
    /// were written.
    ///
    /// `keys` are those of the rows, whose other fields have the rest of a key that was written in
    /// part, and what leads from one value to the next.
    fileprivate func check(
        _ assigned: RowAssignments,
        in keys: RowBuffer?,
        with writer: any EngineWriter,
        _ registry: RelationshipRegistry
    ) throws {
        let columns = assigned.columns
        guard let keys,
            hasPartOfKey(in: columns) || setsShard(in: columns) || mayCloseCircle(in: columns)
        else {
            return try checkKeys(of: assigned.values, columns: columns, with: writer, registry)
        }
        let rows = RowBuffer(self)
        try writer.lookUp(keys) { rows.append(copying: $0) }
        try check(rows, columns: columns, with: writer, registry)
    }

    private func checkKeys(
        of rows: RowBatch,
        columns: [Int],
        with writer: any EngineWriter,
        _ registry: RelationshipRegistry
    ) throws {
        if relationships.isEmpty { return }
        try registry.register(self, with: writer)
        try GraphWriter(writer, registry).checkKeys(of: rows, self, columns: columns)
    }

    /// Whether a value may come to hold itself where some columns are written.
    fileprivate func mayCloseCircle(in columns: [Int]) -> Bool {
        relationships.contains { relationship in
            !relationship.isByReference && relationship.columns.contains(where: columns.contains)
        } && mayHoldInCircles
    }

    /// Whether some columns have a part of a related key and not all of it.
    fileprivate func hasPartOfKey(in columns: [Int]) -> Bool {
        relationships.contains { relationship in
            let written = relationship.columns.count { columns.contains($0) }
            return written > 0 && written < relationship.columns.count
        }
    }

    /// Returns what is assigned to fields; nil when nothing is.
    fileprivate func assignments(_ values: [String: DynamicValue]) throws -> DynamicAssignments? {
        try validate()
        try requireStored()
        if values.isEmpty { return nil }
        var columns: [Int: DynamicValue] = [:]
        for (name, value) in values {
            let column = try self.column(named: name)
            guard !primaryKey.contains(column) else {
                throw DBClientError(
                    .invalidRequest,
                    "The primary key of a stored value must not be set.",
                    entity: self.name,
                    field: name
                )
            }
            guard !value.isNull || fields[column].isOptional else {
                throw DBClientError(
                    .constraintViolation,
                    "A required value is missing.",
                    entity: self.name,
                    field: name
                )
            }
            columns[column] = value
        }
        let buffer = RowBuffer(self)
        var row = try buffer.beginRow()
        for column in fields.indices {
            try naming(column) { try write(columns[column] ?? .null, at: column, to: &row) }
        }
        try buffer.round(columns.keys)
        return DynamicAssignments(columns: columns.keys.sorted(), buffer: buffer)
    }
}

/// Values for some fields, with the memory that holds them.
private struct DynamicAssignments {
    let columns: [Int]
    /// One row that was begun and, with its required fields absent, is never ended.
    let buffer: RowBuffer

    /// Puts the key of the row beside what is assigned; its bytes are borrowed.
    func setKey(_ key: RowBatch) {
        for (position, column) in buffer.entity.primaryKey.enumerated() {
            buffer.replace(row: buffer.count, column: column, with: key[0, position])
        }
    }

    func withRow<Value>(_ body: (RowAssignments) throws -> Value) rethrows -> Value {
        try withExtendedLifetime(buffer) {
            try body(RowAssignments(columns: columns, values: buffer.openRow))
        }
    }
}
