// Writing by stored names. The meaning of each call is that of its namesake on models.
extension WriteTransaction {
    /// Inserts rows and returns them as they are stored, generated keys filled in.
    ///
    /// - Throws: `.duplicateKey`, `.uniqueViolation`; nothing of the call is then written.
    @discardableResult
    public func insert(_ rows: [DynamicRow]) throws -> [DynamicRow] {
        let writer = try rowWriter()
        var stored: [DynamicRow] = []
        try writer.atomically(rows.atomicCount) {
            try rows.forEachEntity { entity, rows in
                let buffer = try entity.encode(rows, to: writer.buffers)
                buffer.fillGeneratedKeys()
                try buffer.checkKeyLengths()
                try writer.insert(buffer)
                try entity.check(buffer, with: writer)
                for row in 0..<buffer.count {
                    stored.append(try DynamicRow(buffer.batch, at: row, of: entity))
                }
            }
        }
        return stored
    }

    /// Replaces the stored rows that have the same primary keys.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    public func update(_ rows: [DynamicRow]) throws {
        let writer = try rowWriter()
        try writer.atomically(rows.atomicCount) {
            try rows.forEachEntity { entity, rows in
                let buffer = try entity.encode(rows, to: writer.buffers)
                try buffer.checkKeyLengths()
                try writer.update(buffer.batch, of: entity) { _ in
                    throw entity.nothingToUpdate()
                }
                try entity.check(buffer, with: writer)
            }
        }
    }

    /// Inserts the rows that are not stored, replaces those that are, and returns how many were
    /// inserted and how many replaced.
    ///
    /// Where two rows of the call have one primary key, the last one counts.
    @discardableResult
    public func upsert(_ rows: [DynamicRow]) throws -> (inserted: Int, updated: Int) {
        let writer = try rowWriter()
        var inserted = 0
        var updated = 0
        try writer.atomically(rows.atomicCount) {
            try rows.forEachEntity { entity, rows in
                let buffer = try entity.encode(rows, to: writer.buffers)
                buffer.fillGeneratedKeys()
                try buffer.checkKeyLengths()
                _ = buffer.keepLastOfEachKey()
                try writer.upsert(buffer) { if $1 { inserted += 1 } else { updated += 1 } }
                try entity.check(buffer, with: writer)
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
        let writer = try rowWriter()
        let assigned = try entity.assignments(values)
        let keys = try entity.encode(key: key, to: writer.buffers)
        let found =
            if let assigned {
                try writer.atomically(entity.relationships.isEmpty ? 1 : 2) {
                    try assigned.withRow {
                        let written = keys.copied()
                        let found = try writer.update(entity, key: keys.batch, setting: $0)
                        if found { try entity.check($0, in: written, with: writer) }
                        return found
                    }
                }
            } else {
                try find(entity, key: key) != nil
            }
        if !found { throw entity.nothingToUpdate() }
    }

    /// Writes some fields of the rows of a request and returns how many there were.
    @discardableResult
    public func update(
        _ request: DynamicRequest,
        set values: [String: DynamicValue]
    ) throws -> Int {
        let writer = try rowWriter()
        let query = try request.rowQuery()
        guard let assigned = try query.entity.assignments(values) else {
            return try writer.count(query)
        }
        return try writer.atomically {
            try assigned.withRow {
                // Found before the update, after which the request may find others.
                let entity = query.entity
                let asksForRows =
                    entity.hasPartOfKey(in: $0.columns) || entity.mayCloseCircle(in: $0.columns)
                let keys = asksForRows ? try writer.keys(of: query) : nil
                let count = try writer.update(query, setting: $0)
                if count > 0 { try entity.check($0, in: keys, with: writer) }
                return count
            }
        }
    }

    /// Deletes the row with a primary key, given in key order, and returns whether there was one.
    @discardableResult
    public func delete(_ entity: EntitySchema, key: [DynamicValue]) throws -> Bool {
        let writer = try rowWriter()
        let keys = try entity.encode(key: key, to: writer.buffers)
        let deletion = Deletion(writer, RelationshipRegistry())
        guard try deletion.isPlain(entity) else {
            return try writer.atomically { try deletion.delete(entity, keys: keys.copied()) > 0 }
        }
        return try writer.delete(entity, keys: keys.batch) > 0
    }

    /// Deletes the rows of a request and returns how many there were.
    @discardableResult
    public func delete(_ request: DynamicRequest) throws -> Int {
        let writer = try rowWriter()
        let query = try request.rowQuery()
        let deletion = Deletion(writer, RelationshipRegistry())
        let isPlain = try deletion.isPlain(query.entity)
        return try writer.atomically {
            isPlain ? try writer.delete(query) : try deletion.delete(query)
        }
    }

    /// Has the calls on models read anew which relationships there are.
    func forgetRelationships() {
        let transaction =
            self as? EngineWriteTransaction
            ?? (self as? InterceptedReadTransaction)?.uncheckedTransaction
            as? EngineWriteTransaction
        transaction?.registry = RelationshipRegistry()
    }

    private func rowWriter() throws -> any EngineWriter {
        // What is registered here is read anew by the calls on models.
        forgetRelationships()
        guard let writer = try rowReader() as? any EngineWriter else {
            throw DBClientError(.readOnly, "The transaction only reads.")
        }
        return writer
    }
}

extension [DynamicRow] {
    /// A row that holds others takes several calls.
    fileprivate var atomicCount: Int {
        count == 1 && !self[0].entity.relationships.isEmpty ? 2 : count
    }

    /// Calls a function with the rows in runs of one entity.
    fileprivate func forEachEntity(
        _ body: (EntitySchema, ArraySlice<DynamicRow>) throws -> Void
    ) rethrows {
        var start = startIndex
        while start < endIndex {
            let entity = self[start].entity
            let end = self[start...].firstIndex { $0.entity != entity } ?? endIndex
            try body(entity, self[start..<end])
            start = end
        }
    }
}

extension EntitySchema {
    fileprivate func encode(
        _ rows: ArraySlice<DynamicRow>,
        to buffers: RowBuffers
    ) throws -> RowBuffer {
        try validate()
        let buffer = buffers.rows(of: self)
        for row in rows { try row.write(to: buffer) }
        return buffer
    }

    /// Throws when written rows name what is not there or came to hold themselves, as values of the
    /// entity's model could not.
    fileprivate func check(
        _ rows: RowBuffer,
        columns: [Int]? = nil,
        with writer: any EngineWriter
    ) throws {
        let columns = columns ?? Array(fields.indices)
        try checkKeys(of: rows.batch, columns: columns, with: writer)
        if mayCloseCircle(in: columns) { try RelationshipLoader(writer).checkDepth(of: rows) }
    }

    /// Throws when rows name what is not there, or hold themselves, once some of their fields were
    /// written.
    ///
    /// `keys` are those of the rows, whose other fields have the rest of a key that was written in
    /// part, and what leads from one value to the next.
    fileprivate func check(
        _ assigned: RowAssignments,
        in keys: RowBuffer?,
        with writer: any EngineWriter
    ) throws {
        let columns = assigned.columns
        guard let keys, hasPartOfKey(in: columns) || mayCloseCircle(in: columns) else {
            return try checkKeys(of: assigned.values, columns: columns, with: writer)
        }
        let rows = RowBuffer(self)
        try writer.lookUp(keys) { rows.append(copying: $0) }
        try check(rows, columns: columns, with: writer)
    }

    private func checkKeys(
        of rows: RowBatch,
        columns: [Int],
        with writer: any EngineWriter
    ) throws {
        if relationships.isEmpty { return }
        let registry = RelationshipRegistry()
        try registry.register(self, with: writer)
        try GraphWriter(writer, registry).checkKeys(of: rows, self, columns: columns)
    }

    /// Whether a value may come to hold itself where some columns are written.
    fileprivate func mayCloseCircle(in columns: [Int]) -> Bool {
        relationships.contains { relationship in
            !relationship.isByReference && relationship.columns.contains(where: columns.contains)
        } && mayHoldItself
    }

    /// Whether some columns have a part of a related key and not all of it.
    fileprivate func hasPartOfKey(in columns: [Int]) -> Bool {
        relationships.contains { relationship in
            let written = relationship.columns.count { columns.contains($0) }
            return written > 0 && written < relationship.columns.count
        }
    }

    fileprivate func nothingToUpdate() -> DBClientError {
        DBClientError(
            .notFound,
            "There is no row with this primary key to update.",
            entity: name
        )
    }

    /// Returns what is assigned to fields; nil when nothing is.
    fileprivate func assignments(_ values: [String: DynamicValue]) throws -> DynamicAssignments? {
        try validate()
        if values.isEmpty { return nil }
        var columns: [Int: DynamicValue] = [:]
        for (name, value) in values {
            let column = try self.column(named: name)
            guard !primaryKey.contains(column) else {
                throw DBClientError(
                    .invalidRequest,
                    "The primary key of a stored value cannot be set.",
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
        return DynamicAssignments(columns: columns.keys.sorted(), buffer: buffer)
    }
}

/// Values for some fields, with the memory that holds them.
private struct DynamicAssignments {
    let columns: [Int]
    /// One row that was begun and, with its required fields absent, is never ended.
    let buffer: RowBuffer

    func withRow<Value>(_ body: (RowAssignments) throws -> Value) rethrows -> Value {
        try withExtendedLifetime(buffer) {
            try body(RowAssignments(columns: columns, values: buffer.openRow))
        }
    }
}
