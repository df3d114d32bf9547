import DBClientCore
import Foundation
import Synchronization

/// The smallest engine that has transactions: rows in arrays, one lock, a log of what it was told.
final class FakeEngine: Engine {
    struct State: Sendable {
        var tables: [String: [[StorageValue]]] = [:]
        var log: [String] = []
    }

    private let state = Mutex(State())
    private let limits = Mutex<[Int?]>([])
    private let called = Mutex<[String]>([])
    private let writing = NSRecursiveLock()

    var log: [String] { state.withLock { $0.log } }
    /// The limit of each scan of a read transaction.
    var scannedLimits: [Int?] { limits.withLock { $0 } }

    /// The calls of every transaction that concern rows, with their numbers of rows.
    var calls: [String] { called.withLock { $0 } }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        let reader = FakeWriter(state.withLock { $0 })
        defer {
            limits.withLock { $0 += reader.limits }
            called.withLock { $0 += reader.calls }
        }
        return try body(reader)
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        writing.lock()
        defer { writing.unlock() }
        let writer = FakeWriter(state.withLock { $0 })
        defer { called.withLock { $0 += writer.calls } }
        do {
            let value = try body(writer)
            commit(writer)
            return value
        } catch {
            rollback(writer)
            throw error
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try writeBlocking(body)
    }

    func close() throws {}

    func begin() -> FakeWriter {
        FakeWriter(state.withLock { $0 })
    }

    func commit(_ writer: FakeWriter) {
        state.withLock { $0 = State(tables: writer.tables, log: writer.log + ["commit"]) }
    }

    func rollback(_ writer: FakeWriter) {
        state.withLock { $0.log = writer.log + ["rollback"] }
    }
}

struct FakeClient: EngineBackedClient {
    let fake = FakeEngine()
    var engine: any Engine { fake }
}

/// Reads and writes a copy of the engine's rows.
final class FakeWriter: EngineWriter {
    let buffers = RowBuffers()
    var tables: [String: [[StorageValue]]]
    var log: [String]
    var hasFailed = false
    private(set) var limits: [Int?] = []
    /// What the rows of each scan had to fulfil.
    private(set) var conditions: [RowCondition] = []
    private(set) var calls: [String] = []
    private var savepoints: [[String: [[StorageValue]]]] = []

    init(_ state: FakeEngine.State) {
        tables = state.tables
        log = state.log
    }

    func rows(of entity: EntitySchema) -> [[StorageValue]] {
        (tables[entity.name] ?? []).sorted {
            Evaluation.order($0, $1, by: entity.primaryKey.map { RowOrdering(column: $0) }) < 0
        }
    }

    private func rows(of query: RowQuery) -> [[StorageValue]] {
        let found = rows(of: query.entity).filter { Evaluation.holds(query.condition, for: $0) }
            .sorted { Evaluation.order($0, $1, by: query.totalOrder) < 0 }
        return Array(found.dropFirst(query.offset).prefix(query.limit ?? .max))
    }

    private func position(of key: [StorageValue], in entity: EntitySchema) -> Int? {
        tables[entity.name]?.firstIndex { row in entity.primaryKey.map { row[$0] } == key }
    }

    private func values(_ batch: RowBatch, _ row: Int) -> [StorageValue] {
        (0..<batch.columnCount).map { StorageValue(batch[row, $0]) }
    }

    // MARK: Reading

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        calls.append("get \(keys.count)")
        try find(entity, keys, visit)
    }

    private func find(
        _ entity: EntitySchema,
        _ keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        for index in 0..<keys.count {
            guard let position = position(of: values(keys, index), in: entity),
                let row = tables[entity.name]?[position]
            else { continue }
            let buffer = try makeBuffer(entity, row)
            try withExtendedLifetime(buffer) { try visit(index, buffer.batch) }
        }
    }

    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        calls.append("lookUp \(keys.count)")
        try find(entity, keys) { try visit($1) }
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        limits.append(query.limit)
        conditions.append(query.condition)
        calls.append("scan")
        for row in rows(of: query) {
            let buffer = try makeBuffer(query.entity, row)
            guard try withExtendedLifetime(buffer, { try visit(buffer.batch) }) else { return }
        }
    }

    func count(_ query: RowQuery) throws -> Int { rows(of: query).count }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        guard path.isEmpty else {
            return try aggregateByLookingUp(function, column: column, through: path, of: query)
        }
        let values = rows(of: query).map { $0[column] }.filter { !$0.isNull }
        let integers = values.compactMap { value in
            if case .integer(let integer) = value { integer } else { nil }
        }
        switch function {
        case .minimum: return values.min { Evaluation.order($0, $1) < 0 } ?? .null
        case .maximum: return values.max { Evaluation.order($0, $1) < 0 } ?? .null
        case .sum: return integers.isEmpty ? .null : .integer(integers.reduce(0, +))
        case .average:
            return integers.isEmpty
                ? .null : .real(Double(integers.reduce(0, +)) / Double(integers.count))
        }
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        let values = Set(rows(of: query).map { $0[column] })
        for value in values.sorted(by: { Evaluation.order($0, $1) < 0 }) {
            try value.withSlot(visit)
        }
    }

    func explain(_ query: RowQuery) throws -> String { "scan of \(query.entity.name)" }

    // MARK: Writing

    func insert(_ rows: RowBuffer) throws {
        calls.append("insert \(rows.count)")
        let entity = rows.entity
        for index in 0..<rows.count {
            if rows.batch[index, entity.primaryKey[0]].isNull {
                let next = Int64(tables[entity.name]?.count ?? 0) + 1
                rows.replace(row: index, column: entity.primaryKey[0], with: .integer(next))
            }
            let row = values(rows.batch, index)
            guard position(of: entity.primaryKey.map { row[$0] }, in: entity) == nil else {
                throw DBClientError(.duplicateKey, "The key exists.", entity: entity.name)
            }
            tables[entity.name, default: []].append(row)
        }
    }

    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        let isWhole = columns == entity.columnsBesideKey
        calls.append(isWhole ? "update \(rows.count)" : "set \(columns)")
        for index in 0..<rows.count {
            let key = entity.primaryKey.map { StorageValue(rows[index, $0]) }
            if let position = position(of: key, in: entity) {
                for column in columns {
                    tables[entity.name]?[position][column] = StorageValue(rows[index, column])
                }
            } else {
                try missing(index)
            }
        }
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        calls.append("upsert \(rows.count)")
        for index in 0..<rows.count {
            let row = values(rows.batch, index)
            let position = position(of: rows.entity.primaryKey.map { row[$0] }, in: rows.entity)
            if let position {
                tables[rows.entity.name]?[position] = row
            } else {
                tables[rows.entity.name, default: []].append(row)
            }
            outcome(index, position == nil)
        }
    }

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        calls.append("delete \(keys.count)")
        var count = 0
        for index in 0..<keys.count {
            guard let position = position(of: values(keys, index), in: entity) else { continue }
            tables[entity.name]?.remove(at: position)
            count += 1
        }
        return count
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        let found = Set(rows(of: query))
        for (position, row) in (tables[query.entity.name] ?? []).enumerated()
        where found.contains(row) {
            for column in assignments.columns {
                tables[query.entity.name]?[position][column] = StorageValue(
                    assignments.values[0, column]
                )
            }
        }
        return found.count
    }

    func delete(_ query: RowQuery) throws -> Int {
        let found = Set(rows(of: query))
        tables[query.entity.name]?.removeAll { found.contains($0) }
        return found.count
    }

    func beginSavepoint() throws {
        log.append("savepoint")
        savepoints.append(tables)
    }

    func releaseSavepoint() throws {
        log.append("release")
        savepoints.removeLast()
    }

    func rollbackSavepoint() throws {
        log.append("undo")
        tables = savepoints.removeLast()
    }
}
