/// Writing on behalf of models: encodes them, fills in keys, tells outcomes apart.
final class EngineWriteTransaction: EngineReadTransaction, WriteTransaction {
    private let openWriter: any EngineWriter
    /// Whether nothing but one call is made, so that what it throws undoes the transaction.
    private let isOneCall: Bool
    /// Whether the task that asked for the transaction was cancelled; nil where no task waits for it.
    private let cancellation: Cancellation?

    init(
        _ writer: any EngineWriter,
        _ clientType: any EngineBackedClient.Type,
        isOneCall: Bool = false,
        cancelledBy cancellation: Cancellation? = nil,
        in outer: EngineWriteTransaction? = nil
    ) {
        openWriter = writer
        self.isOneCall = isOneCall
        self.cancellation = cancellation ?? outer?.cancellation
        super.init(writer, clientType, in: outer)
    }

    override func makeEntities(_ reader: any EngineReader) -> EntityContext {
        EntityContext(reader, writer: openWriter, registry)
    }

    /// Throws `.cancelled` once the task that asked for the transaction is cancelled: for work that goes on
    /// for long.
    func checkNotCancelled() throws {
        try cancellation?.check()
    }

    func writer() throws -> any EngineWriter {
        _ = try reader()
        return openWriter
    }

    /// What the store knows of relationships, read when it is first needed: one for the transaction and
    /// its savepoints.
    private(set) lazy var registry: RelationshipRegistry =
        (outer as? EngineWriteTransaction)?.registry ?? RelationshipRegistry(takesOver: true)

    /// Throws what is wrong with an entity, and when its rows would be among the links of a relationship.
    @inline(__always)
    func validate(_ entity: EntitySchema, _ writer: any EngineWriter) throws {
        try entity.validate()
        if entity.resemblesLinks { try registry.register(entity, with: writer) }
    }

    /// Rows that are encoded before they go to the engine: enough for it to sort and to batch, few
    /// enough to stay small beside the values themselves.
    static let chunk = 131_072

    func insert<Model: Stored>(_ values: [Model]) throws -> [Model] {
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
                isOneRange ? values.count : writer.rowsOfInsert(into: entity) ?? Self.chunk
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

    func update<Model: Stored>(_ values: [Model]) throws {
        try update(values) { index in
            throw Model.schema.entity.nothingToUpdate(values[index].primaryKey)
        }
    }

    func updateExisting<Model: Stored>(_ values: [Model]) throws -> [Model] {
        guard Model.schema.entity.isFlat else { return try updateExistingGraph(values) }
        var missing = Set<Int>()
        // What is stored, once it differs from what was given.
        var stored: [Model]?
        try update(values) { index in
            missing.insert(index)
        } chunk: { range, rows in
            try keepStored(&stored, rows, of: values, range)
        }
        let updated = stored ?? values
        return missing.isEmpty
            ? updated : updated.indices.filter { !missing.contains($0) }.map { updated[$0] }
    }

    private func update<Model: Stored>(
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
                try Model.encode(values, in: range, to: rows)
                try rows.checkKeyLengths()
                try writer.update(rows.batch, of: entity) { try missing(start + $0) }
                try chunk(range, rows)
            }
        }
    }

    func update<Model: Stored>(
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

    /// Writes what was assigned.
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
        let found =
            if let assigned = try buffer.finish() {
                try Self.update(Model.self, key, setting: assigned, of: entity, writer)
            } else {
                try Self.isThere(Model.self, key, writer)
            }
        guard found else { throw entity.nothingToUpdate(key) }
    }

    /// Writes some fields of a row and returns whether it exists.
    private static func update<Model: Stored>(
        _ type: Model.Type,
        _ key: Model.PrimaryKey,
        setting assigned: RowAssignments,
        of entity: EntitySchema,
        _ writer: any EngineWriter
    ) throws -> Bool {
        if entity.integerKey != nil, let integer = key.integer {
            // The commonest key borrows nothing, so it needs no buffer.
            return try withUnsafePointer(to: Slot.integer(integer)) { slot in
                let keys = RowBatch(slots: slot, columnCount: 1, count: 1, entity: entity)
                return try writer.update(entity, key: keys, setting: assigned)
            }
        }
        let keys = writer.buffers.keys(of: entity)
        try Model.encode(key: key, to: keys)
        return try writer.update(entity, key: keys.batch, setting: assigned)
    }

    /// Apart, since room for a value is made where a function begins.
    @inline(never)
    private static func isThere<Model: Stored>(
        _ type: Model.Type,
        _ key: Model.PrimaryKey,
        _ reader: any EngineReader
    ) throws -> Bool {
        try Model.find(key: key, in: reader) != nil
    }

    func update<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: (inout Assignments<Request.Model>) throws -> Void
    ) throws -> Int where Request.Model: Stored {
        let writer = try writer()
        let query = try request.request.rowQuery()
        try validate(query.entity, writer)
        defer { openContext?.noteWrite(to: query.entity) }
        return try writer.buffers.withAssignments(to: query.entity) { buffer in
            var assignments = Assignments<Request.Model>(buffer)
            try assign(&assignments)
            guard buffer.isPlain else { return try update(query, buffer) }
            guard let assigned = try buffer.finish() else { return try writer.count(query) }
            return try atomically { try writer.update(query, setting: assigned) }
        }
    }

    /// Writes what was assigned and is not plain to the values of a query.
    private func update(_ query: RowQuery, _ buffer: AssignmentBuffer) throws -> Int {
        guard buffer.relationships.isEmpty else { return try updateGraph(query, buffer) }
        let assigned = try buffer.finish()
        let modifications = buffer.modifications
        return try atomically {
            try writer().update(query, setting: assigned, modifying: modifications)
        }
    }

    func delete<Model: Stored>(_ type: Model.Type, keys: [Model.PrimaryKey]) throws -> Int {
        let writer = try writer()
        let entity = Model.schema.entity
        let keys = try writer.keys(keys, of: entity)
        try validate(entity, writer)
        defer { openContext?.noteWrite() }
        let deletion = Deletion(writer, registry)
        guard try deletion.isPlain(entity) else {
            return try atomically { try deletion.delete(entity, keys: keys.copied()) }
        }
        return try atomically(keys.count) { try writer.delete(entity, keys: keys.batch) }
    }

    func delete<Request: FetchRequestConvertible>(_ request: Request) throws -> Int
    where Request.Model: Stored {
        let writer = try writer()
        let query = try request.request.rowQuery()
        try validate(query.entity, writer)
        defer { openContext?.noteWrite() }
        let deletion = Deletion(writer, registry)
        let isPlain = try deletion.isPlain(query.entity)
        return try atomically {
            isPlain ? try writer.delete(query) : try deletion.delete(query)
        }
    }

    @discardableResult
    func write<Value>(_ body: (any WriteTransaction) throws -> Value) throws -> Value {
        let writer = try writer()
        var mark: Int?
        openSavepoints += 1
        defer { openSavepoints -= 1 }
        // Also in a transaction of one call, whose closure may begin it and go on without what it did.
        do {
            return try writer.atomically {
                mark = openContext?.journal?.mark ?? 0
                // A handle of its own, so that it ends with its body.
                let nested = EngineWriteTransaction(writer, clientType, in: self)
                defer { nested.end() }
                let value = try body(nested)
                try openContext?.flush()
                return value
            }
        } catch {
            registry.forget()
            // After the savepoint is undone, since entities are as their rows are then.
            if let mark { openContext?.rollback(to: mark) }
            throw error
        }
    }

    /// Runs a body that is undone when it throws.
    ///
    /// A call on one row is atomic without, and so is one that is all of the transaction: savepoints cost
    /// copies of pages, and round trips to a server.
    func atomically<Value>(_ rows: Int = 2, _ body: () throws -> Value) throws -> Value {
        if isOneCall { return try body() }
        do {
            return try openWriter.atomically(rows, body)
        } catch {
            registry.forget()
            throw error
        }
    }
}

extension EntitySchema {
    /// Returns the error of an update of what is not stored.
    func nothingToUpdate(_ key: some Any) -> DBClientError {
        DBClientError(
            .notFound,
            "There is no value with this primary key to update.",
            entity: name,
            key: "\(key)"
        )
    }
}

extension EngineWriter {
    /// Runs a body that is undone when it throws.
    ///
    /// A call on one row is atomic without.
    func atomically<Value>(_ rows: Int = 2, _ body: () throws -> Value) throws -> Value {
        guard rows > 1 else { return try body() }
        try beginSavepoint()
        let value: Value
        do {
            value = try body()
        } catch {
            // A lost transaction has no savepoint to go back to; what lost it is what to tell.
            if !hasFailed { try rollbackSavepoint() }
            throw error
        }
        try releaseSavepoint()
        return value
    }
}
