/// The live rows of a transaction: one object for each row, written back when they change.
///
/// ```swift
/// try await client.write { transaction in
///     let context = try transaction.entities
///     let hero = try context.find(Hero.self, key: 1455)
///     try hero?.set(\Hero.name, to: "Iron Man")
/// }
/// ```
///
/// What was changed is written before the next call of the transaction that reads or writes, and
/// before the commit: changed entities with their changed columns alone, new ones in batches. A
/// transaction has one context, which its savepoints share; a savepoint that is undone takes back what
/// was done to entities in it.
///
/// An entity in use whose row a call of the transaction may have changed is read again when it is next
/// used, so that what is set is compared with what is stored. It throws `.notFound` when its row is gone.
///
/// A call of the context or of an entity that throws changes none: what was set before it still waits, and
/// nothing of its own does. One that puts a value in the place of an entity whose deletion waits writes
/// what waits first, the deletion with its rules; when that is refused, so is the call.
///
/// It works on every engine. A context and its entities are of use inside the body of their
/// transaction only; later calls throw `.transactionEnded`. An entity of another context is refused.
public final class EntityContext {
    private(set) var reader: (any EngineReader)?
    let writer: (any EngineWriter)?
    /// The relationships that the store knows of.
    let registry: RelationshipRegistry
    /// Every entity that is in use, by its row.
    var known: [EntityKey: WeakEntity] = [:]
    /// The entities that a flush has to write, in the order in which they changed.
    var pending: [ManagedEntity] = []

    init(
        _ reader: any EngineReader,
        writer: (any EngineWriter)? = nil,
        _ registry: RelationshipRegistry = RelationshipRegistry()
    ) {
        self.reader = reader
        self.writer = writer
        self.registry = registry
    }

    /// How many entities wait to be deleted.
    var deletionsWaiting = 0
    /// The changes of the running call, while they can be undone.
    var changes: ContextChanges?
    /// The changes to entities while a savepoint is open; nil where none is.
    var journal: SavepointJournal?
    /// How deep a value is inside those that are being made entities.
    var depth = 0

    /// Whether anything waits to be written.
    public var hasChanges: Bool { pending.contains(where: \.hasChanges) }

    /// Returns the entity with a primary key, or nil.
    public func find<Model: Stored>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> ManagedEntity? {
        try lookUp(type, keys: [key])[0]
    }

    /// Returns the entities with these primary keys that exist, in the order of `keys`, those not yet
    /// in use read at once.
    public func find<Model: Stored>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) throws -> [ManagedEntity] {
        try lookUp(type, keys: keys).compactMap { $0 }
    }

    /// Returns the entities of a request, in its order.
    ///
    /// What waits to be written is written first, so the request sees it.
    public func fetch<Request: FetchRequestConvertible>(
        _ request: Request
    ) throws -> [ManagedEntity] where Request.Model: Stored {
        let reader = try openReader()
        try flush()
        let query = try request.request.rowQuery()
        var found: [ManagedEntity] = []
        try reader.scan(query) { batch in
            for row in 0..<batch.count { found.append(entity(query.entity, of: batch, row)) }
            return true
        }
        return found
    }

    /// Makes a new entity of a stored value, and of what it holds: of values that are new, or
    /// are not stored alike.
    ///
    /// - Throws: `.duplicateKey` when an entity in use has the key; one that is stored shows when the
    ///   new one is written. `.invalidValue` for a value that no engine can keep.
    @discardableResult
    public func insert<Model: Stored>(_ value: Model) throws -> ManagedEntity {
        let schema = try writable(Model.schema.entity)
        let encoded = try EncodedModels([value])
        return try changing(like: [value]) {
            let entity = try insert(schema, encoded.values(of: 0))
            try assign(encoded, to: [entity])
            return entity
        }
    }

    /// Makes a new entity with a primary key and no other value.
    ///
    /// Its required fields and relationships must be set before it is written; its other fields are
    /// nil, and its lists empty.
    ///
    /// - Throws: `.duplicateKey` as for a value.
    @discardableResult
    public func insert<Model: Stored>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> ManagedEntity {
        let entity = try writable(Model.schema.entity)
        var values = [StorageValue](repeating: .null, count: entity.fields.count)
        let rows = RowBuffer(entity, columns: entity.primaryKey)
        try Model.encode(key: key, to: rows)
        rows.fillGeneratedKeys()
        for (column, value) in zip(entity.primaryKey, rows.withBatch { $0.values(at: 0) }) {
            values[column] = value
        }
        return try insert(entity, values)
    }

    /// Deletes an entity; it is of no use any more.
    ///
    /// What holds it follows its delete rule when the deletion is written; a new entity that another
    /// holds is written first.
    public func delete(_ entity: ManagedEntity) throws {
        try check(entity)
        _ = try writable(entity.schema)
        // What holds a new one follows its rule as for one that is stored.
        if entity.state == .inserted, entity.isHeld { try flush() }
        let isNew = entity.state == .inserted
        entity.state = .deleted
        guard isNew else {
            deletionsWaiting += 1
            return note(entity)
        }
        drop(entity)
        if let key = entity.key { known[key] = nil }
        entity.held.removeAll()
    }

    /// Reads an entity again, and drops what was set and not yet written, to what it holds as well.
    ///
    /// - Throws: `.notFound` when its row is gone or was never written.
    public func refresh(_ entity: ManagedEntity) throws {
        try check(entity)
        guard entity.state == .stored else { return try reload(entity) }
        let wasStale = entity.isStale
        entity.isStale = true
        defer { if !entity.isStale { drop(entity) } }
        do {
            try reload(entity)
        } catch {
            // What could not be read is as it was; a row that is gone is gone.
            if entity.state == .stored { entity.isStale = wasStale }
            throw error
        }
    }

    /// Ends the context with its transaction.
    func end() {
        reader = nil
        // Entities that hold each other in circles would keep each other otherwise.
        for entity in pending + known.values.compactMap(\.entity) { entity.held.removeAll() }
        pending = []
        deletionsWaiting = 0
        known = [:]
    }
}
