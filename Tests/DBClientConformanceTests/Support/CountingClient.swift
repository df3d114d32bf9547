import DBClientCore
import DBClientSQL
import Synchronization

/// A client that counts what is asked of its engine.
final class CountingClient: EngineBackedClient {
    let engine: any Engine
    let calls = EngineCalls()
    /// Held, since a client that is let go closes.
    private let base: any EngineBackedClient

    init(_ base: any EngineBackedClient) {
        self.base = base
        engine = CountingEngine(base.engine, calls)
    }

    /// As a relational client does, so that models kept as live rows are counted on every engine.
    static func mapping<Model: EngineConvertible>(
        of model: Model.Type
    ) -> (any ModelMapping<Model>)? {
        SQLDBClient.mapping(of: model)
    }
}

/// How often an engine was called, by verb and entity.
final class EngineCalls: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func note(_ verb: String, _ entity: EntitySchema) {
        counts.withLock { $0["\(verb) \(entity.name)", default: 0] += 1 }
    }

    /// Returns the counts since they were last taken.
    func take() -> [String: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }
}

private final class CountingEngine: Engine {
    private let base: any Engine
    private let calls: EngineCalls

    init(_ base: any Engine, _ calls: EngineCalls) {
        self.base = base
        self.calls = calls
    }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try base.readBlocking { try body(CountingReader($0, calls)) }
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try base.writeBlocking { try body(CountingWriter($0, calls)) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        let calls = calls
        return try await base.write { try body(CountingWriter($0, calls)) }
    }

    func close() throws {
        try base.close()
    }
}

private class CountingReader: EngineReader {
    private let reader: any EngineReader
    let calls: EngineCalls

    init(_ reader: any EngineReader, _ calls: EngineCalls) {
        self.reader = reader
        self.calls = calls
    }

    var buffers: RowBuffers { reader.buffers }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        calls.note("get", entity)
        try reader.get(entity, keys: keys, visit)
    }

    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        calls.note("lookUp", entity)
        try reader.lookUp(entity, keys: keys, visit)
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        calls.note("scan", query.entity)
        try reader.scan(query, visit)
    }

    func count(_ query: RowQuery) throws -> Int {
        calls.note("count", query.entity)
        return try reader.count(query)
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        calls.note("aggregate", query.entity)
        return try reader.aggregate(function, column: column, through: path, of: query)
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        calls.note("distinct", query.entity)
        try reader.distinct(column: column, of: query, visit)
    }

    func explain(_ query: RowQuery) throws -> String {
        try reader.explain(query)
    }
}

private final class CountingWriter: CountingReader, EngineWriter {
    private let writer: any EngineWriter

    init(_ writer: any EngineWriter, _ calls: EngineCalls) {
        self.writer = writer
        super.init(writer, calls)
    }

    var hasFailed: Bool { writer.hasFailed }

    func insert(_ rows: RowBuffer) throws {
        calls.note("insert", rows.entity)
        try writer.insert(rows)
    }

    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        calls.note("update", entity)
        try writer.update(rows, of: entity, setting: columns, missing: missing)
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        calls.note("upsert", rows.entity)
        try writer.upsert(rows, outcome: outcome)
    }

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        calls.note("delete", entity)
        return try writer.delete(entity, keys: keys)
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        calls.note("update", query.entity)
        return try writer.update(query, setting: assignments)
    }

    func delete(_ query: RowQuery) throws -> Int {
        calls.note("delete", query.entity)
        return try writer.delete(query)
    }

    func beginSavepoint() throws { try writer.beginSavepoint() }
    func releaseSavepoint() throws { try writer.releaseSavepoint() }
    func rollbackSavepoint() throws { try writer.rollbackSavepoint() }
}
