/// What a backend implements: transactions over rows.
///
/// Every convenience is written once above it.
///
/// An engine knows schemas, rows and closed queries, and never a model. Rows cross the border in
/// batches of slots that borrow the engine's own bytes, so nothing is allocated for a row.
///
/// Errors that leave an engine are `DBClientError`.
public protocol Engine: AnyObject, Sendable {
    /// Runs a body in a read transaction: one snapshot from its first statement to its end.
    ///
    /// Blocks the caller's thread.
    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value

    /// Runs a body in a read transaction without blocking the caller's executor for long.
    ///
    /// The default runs the body on the caller's thread, which is right for an engine that answers
    /// in microseconds from memory; an engine over a network overrides it.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value

    /// Runs a body that makes one call on the reader, for which an engine may spare itself the
    /// transaction.
    ///
    /// The body may run again. Blocks the caller's thread. The default is a read transaction.
    func readOnceBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value

    /// Runs a body that makes one call on the reader without blocking the caller's executor for long.
    func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value

    /// Runs a body in a write transaction: atomic, serialisable, durable when the call returns.
    ///
    /// A body that throws is rolled back. Blocks the caller's thread. The body may run again when
    /// the engine has to repeat the transaction.
    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value

    /// Runs a body in a write transaction without blocking the caller's executor.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value

    /// What monitoring calls the database system: for those that OpenTelemetry's conventions name, that
    /// name, such as `sqlite`.
    ///
    /// The default is the name of the engine's type.
    var systemName: String { get }

    /// Where the store's commits are told to those who observe it; nil, the default, when the engine
    /// cannot be observed.
    ///
    /// An engine with a ``WriteQueue`` makes one hub for a store and gives it to the queue.
    var hub: ChangeHub? { get }

    /// Opens a snapshot that stays across calls until it is let go; nil where the engine holds none,
    /// which is the default.
    func openSnapshot() throws -> (any EngineSnapshot)?

    /// Releases everything; later calls throw `.closed`.
    func close() throws
}

extension Engine {
    /// The name of the type.
    public var systemName: String { String(describing: Self.self) }

    /// Not to be observed.
    public var hub: ChangeHub? { nil }

    /// Runs the body on the caller's thread.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value {
        try readBlocking(body)
    }

    /// Runs the body in a read transaction.
    @inlinable
    public func readOnceBlocking<Value>(
        _ body: (any EngineReader) throws -> Value
    ) throws -> Value {
        try readBlocking(body)
    }

    /// Runs the body in a read transaction.
    public func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value {
        try await read(body)
    }
}

/// Reading inside a transaction.
///
/// Not for use by two threads at once.
public protocol EngineReader: AnyObject {
    /// Reused memory for keys and rows that go to the engine.
    var buffers: RowBuffers { get }

    /// Visits the rows with these keys.
    ///
    /// `keys` has a row for each key, of the primary key's columns. `visit` is called with the
    /// position of a key and a batch of one row, in the order of `keys`, for those that exist.
    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws

    /// Visits the rows with these keys, no two of which are equal, in any order and in batches of any
    /// size: how related values are loaded.
    ///
    /// One round trip to the engine, or as many as the keys have thousands.
    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws

    /// Visits the rows of a query in its total order, in batches of any size.
    ///
    /// `visit` returns false to stop early.
    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws

    /// Returns the number of rows of a query, its limit and offset applied.
    func count(_ query: RowQuery) throws -> Int

    /// Computes a function over a field of the rows of a query.
    ///
    /// Integers are added up exactly, and doubles as ``RealSum`` adds them.
    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        of query: RowQuery
    ) throws -> StorageValue

    /// Computes a function over a field of what the rows of a query lead to by a path.
    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue

    /// Visits the different values of a field over the rows of a query, ascending, nil first.
    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws

    /// Visits some fields of the rows of a query in its total order, in batches of any size.
    ///
    /// A row of a batch has a slot for each of `columns`, in their order. The default reads whole rows.
    /// `visit` returns false to stop early.
    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws

    /// Visits the groups of the rows of a query that fulfil the grouping's condition, ascending by
    /// their keys, nil first: a slot for each key, then one for each term.
    ///
    /// A sum or a function of no values is null. The default puts them together from `select`.
    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws

    /// Describes how a query would run, for a person.
    func explain(_ query: RowQuery) throws -> String

    /// Compares what the store has of an entity with a model; nil when it has nothing.
    ///
    /// By default nothing is compared: the call throws `.unsupported`.
    func difference(from entity: EntitySchema) throws -> ShapeDifference?
}

extension EngineReader {
    /// Throws `.unsupported`.
    public func difference(from entity: EntitySchema) throws -> ShapeDifference? {
        throw EntitySchema.noMigrations
    }

    /// Gets the rows by their keys.
    public func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        try get(entity, keys: keys) { try visit($1) }
    }

    /// Looks the field up for each row, once for each key.
    public func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        let ordering = RowOrdering(column: column, path: path)
        guard let field = RelatedField(ordering, in: self), let last = path.last else {
            return try aggregate(function, column: column, of: query)
        }
        var aggregate = FieldAggregate(function)
        try scan(query) { batch in
            for row in 0..<batch.count {
                aggregate.add(try field.slot(of: BatchRow(batch: batch, row: row)))
            }
            return true
        }
        return try withExtendedLifetime(field) { try aggregate.result(last.entity, column) }
    }
}

/// Writing inside a transaction.
///
/// What it changed is visible to it at once.
///
/// A call that concerns one row is atomic by itself. One over many rows may leave the first of them
/// written when it throws; the caller wraps it in a savepoint where that matters.
public protocol EngineWriter: EngineReader {
    /// Inserts the rows of a buffer.
    ///
    /// Where the primary key of a row is a null slot, the engine makes an integer that the store
    /// never used before and replaces the slot.
    ///
    /// - Throws: `.duplicateKey`, `.uniqueViolation`.
    func insert(_ rows: RowBuffer) throws

    /// Inserts the rows of a buffer, and again what a function fills it with, until that returns false.
    ///
    /// An engine that loads rows in one statement has it do its work while the next rows are made. The
    /// default inserts them buffer by buffer.
    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws

    /// How many rows of an entity a buffer should have where many are inserted; nil, by default, for enough
    /// to sort and to batch.
    func rowsOfInsert(into entity: EntitySchema) -> Int?

    /// Replaces rows by their primary keys.
    ///
    /// `missing` is called with the position of each row whose key does not exist.
    func update(_ rows: RowBatch, of entity: EntitySchema, missing: (Int) throws -> Void) throws

    /// Whether the engine has a better way to write some fields of many rows than one after another; no is the
    /// default.
    ///
    /// Only then are they gathered for it.
    var updatesTogether: Bool { get }

    /// Writes some fields of rows by their primary keys, of which no two are equal.
    ///
    /// The rows have every field, of which only `columns`, ascending and none of the key, are written.
    /// `missing` is called with the position of each row whose key does not exist. The default writes
    /// them one after another.
    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws

    /// Inserts or replaces rows by their primary keys, of which no two are equal.
    ///
    /// `outcome` is called for each row, in order, with whether it was inserted.
    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws

    /// Deletes the rows with these keys and returns how many there were.
    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int

    /// Writes some fields of the row with a key and returns whether it exists.
    func update(
        _ entity: EntitySchema,
        key: RowBatch,
        setting assignments: RowAssignments
    ) throws
        -> Bool

    /// Writes some fields of the rows of a query and returns how many there were.
    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int

    /// Deletes the rows of a query and returns how many there were.
    func delete(_ query: RowQuery) throws -> Int

    /// Whether the whole transaction is lost, whatever savepoint is rolled back: a full map, a
    /// broken connection.
    var hasFailed: Bool { get }

    /// Changes what the store has of an entity, so that the entity fits; other values stay as they are.
    ///
    /// By default it throws `.unsupported`.
    func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws

    /// Takes away everything that the store has under an entity's name, whatever its shape.
    ///
    /// By default it throws `.unsupported`.
    func drop(_ entity: EntitySchema) throws

    /// Opens a savepoint inside the innermost one.
    func beginSavepoint() throws
    /// Keeps what was written since the innermost savepoint and closes it.
    func releaseSavepoint() throws
    /// Undoes what was written since the innermost savepoint and closes it.
    func rollbackSavepoint() throws
}

extension EngineWriter {
    /// Throws `.unsupported`.
    public func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws {
        throw EntitySchema.noMigrations
    }

    /// Throws `.unsupported`.
    public func drop(_ entity: EntitySchema) throws {
        throw EntitySchema.noMigrations
    }

    /// Inserts them buffer by buffer.
    public func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        repeat { try insert(rows) } while try next()
    }

    /// Nil.
    public func rowsOfInsert(into entity: EntitySchema) -> Int? { nil }

    /// No.
    public var updatesTogether: Bool { false }

    /// Writes the rows one after another.
    public func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        let key = KeyColumns(entity.primaryKey)
        for row in 0..<rows.count {
            let values = rows.row(row)
            let keys = RowBatch(
                slots: key.key(of: values.slots),
                columnCount: entity.primaryKey.count,
                count: 1,
                entity: entity
            )
            let assignments = RowAssignments(columns: columns, values: values)
            if try !update(entity, key: keys, setting: assignments) { try missing(row) }
        }
    }
}

extension EntitySchema {
    fileprivate static var noMigrations: DBClientError {
        DBClientError(.unsupported, "The engine does not change the shape of what it stores.")
    }
}

/// Some fields of a row with their new values.
public struct RowAssignments {
    /// The positions of the fields, ascending, each once.
    public let columns: [Int]
    /// One row of all the entity's fields, of which only `columns` are meaningful.
    public let values: RowBatch

    /// Creates assignments over slots that outlive them.
    public init(columns: [Int], values: RowBatch) {
        self.columns = columns
        self.values = values
    }
}

/// Reused memory for what a transaction sends to its engine: the entity it last worked on has its
/// buffers at hand.
public final class RowBuffers {
    @exclusivity(unchecked) @usableFromInline var keyBuffer: RowBuffer?
    @exclusivity(unchecked) private var rowBuffer: RowBuffer?

    @exclusivity(unchecked) private var assignmentBuffer: AssignmentBuffer?

    /// Creates buffers for one reader, used by one thread at a time.
    public init() {}

    /// Returns an empty buffer for keys of an entity.
    @inlinable
    public func keys(of entity: EntitySchema) -> RowBuffer {
        if let keyBuffer, keyBuffer.entity === entity {
            keyBuffer.removeAll()
            return keyBuffer
        }
        return makeKeyBuffer(entity)
    }

    @usableFromInline
    @inline(never)
    func makeKeyBuffer(_ entity: EntitySchema) -> RowBuffer {
        let buffer = RowBuffer(entity, columns: entity.primaryKey)
        keyBuffer = buffer
        return buffer
    }

    /// Runs a body with an empty buffer for assignments to an entity.
    ///
    /// Who assigns may write meanwhile, which takes another buffer.
    @inline(__always)
    func withAssignments<Value>(
        to entity: EntitySchema,
        _ body: (AssignmentBuffer) throws -> Value
    ) throws -> Value {
        let buffer = try takeAssignmentBuffer(entity)
        defer { assignmentBuffer = buffer }
        return try body(buffer)
    }

    private func takeAssignmentBuffer(_ entity: EntitySchema) throws -> AssignmentBuffer {
        if let buffer = assignmentBuffer.take(), buffer.entity === entity {
            buffer.removeAll()
            return buffer
        }
        try entity.validate()
        return try AssignmentBuffer(entity)
    }

    /// Returns an empty buffer for whole rows of an entity.
    public func rows(of entity: EntitySchema) -> RowBuffer {
        if let rowBuffer, rowBuffer.entity === entity {
            rowBuffer.removeAll()
            return rowBuffer
        }
        let buffer = RowBuffer(entity)
        rowBuffer = buffer
        return buffer
    }
}
