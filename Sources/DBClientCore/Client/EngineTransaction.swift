/// The transactions of every client that has an engine: models above, rows below.
///
/// The handle may outlive its body in the hands of the caller, so every call first checks that the
/// transaction is still open. Not for use by two threads at once.
class EngineReadTransaction: ReadTransaction {
    @exclusivity(unchecked) fileprivate var openReader: (any EngineReader)?

    final let clientType: any EngineBackedClient.Type
    /// The transaction that this one is a savepoint of, whose live rows it shares.
    final let outer: EngineReadTransaction?
    /// The live rows, once somebody asked for them.
    @exclusivity(unchecked) private var context: EntityContext?
    /// How many savepoints are open; of use in the outermost transaction.
    @exclusivity(unchecked) private var savepoints = 0

    init(
        _ reader: any EngineReader,
        _ clientType: any EngineBackedClient.Type,
        in outer: EngineReadTransaction? = nil
    ) {
        openReader = reader
        self.clientType = clientType
        self.outer = outer
    }

    final func end() {
        openReader = nil
        context?.end()
    }

    final func reader() throws -> any EngineReader {
        guard let openReader else {
            throw DBClientError(
                .transactionEnded,
                "The transaction has ended.",
                hint: "Use it only inside the body that received it."
            )
        }
        // Every call sees what entities hold.
        if let context = openContext { try context.flush() }
        return openReader
    }

    /// The transaction that this one is a savepoint of, at any depth; by itself, the transaction.
    final var outermost: EngineReadTransaction { outer?.outermost ?? self }

    /// The live rows of the outermost transaction, if somebody asked for them.
    final var openContext: EntityContext? { context ?? outer?.openContext }

    /// How many savepoints of the outermost transaction are open.
    final var openSavepoints: Int {
        get { outermost.savepoints }
        set {
            let outermost = outermost
            outermost.savepoints = newValue
            guard let context = outermost.context else { return }
            if newValue == 0 {
                context.journal = nil
            } else if context.journal == nil {
                context.journal = SavepointJournal()
            }
        }
    }

    /// Makes the context of the transaction's live rows.
    func makeEntities(_ reader: any EngineReader) -> EntityContext {
        EntityContext(reader)
    }

    /// Returns the live rows of the outermost transaction.
    final func openEntities() throws -> EntityContext {
        let reader = try reader()
        if let outer { return try outer.openEntities() }
        if let context { return context }
        let made = makeEntities(reader)
        if savepoints > 0 { made.journal = SavepointJournal() }
        context = made
        return made
    }

    func find<Model: Stored>(_ type: Model.Type, key: Model.PrimaryKey) throws -> Model? {
        try Model.find(key: key, in: reader())
    }

    func find<Model: Stored>(_ type: Model.Type, keys: [Model.PrimaryKey]) throws -> [Model] {
        let reader = try reader()
        let entity = Model.schema.entity
        let keys = try reader.keys(keys, of: entity)
        guard entity.isFlat else {
            let rows = RowBuffer(entity)
            try reader.get(entity, keys: keys.batch) { rows.append(copying: $1) }
            return try RelationshipLoader(reader).models(type, of: rows)
        }
        var found: [Model] = []
        found.reserveCapacity(keys.count)
        try reader.get(entity, keys: keys.batch) { _, row in
            try Model.decode(row, appendingTo: &found)
        }
        return found
    }

    func fetch<Request: FetchRequestConvertible>(_ request: Request) throws -> [Request.Model]
    where Request.Model: Stored {
        let query = try request.request.rowQuery()
        guard query.entity.isFlat else {
            return try RelationshipLoader(reader()).fetch(Request.Model.self, query)
        }
        var models: [Request.Model] = []
        try reader().scan(query) { batch in
            try Request.Model.decode(batch, appendingTo: &models)
            return true
        }
        models.releaseRoom()
        return models
    }

    func forEach<Request: FetchRequestConvertible>(
        _ request: Request,
        _ body: (Request.Model) throws -> Bool
    ) throws where Request.Model: Stored {
        if isPartOfWrite {
            // What the body writes is not to be seen here, nor to keep this going.
            for value in try fetch(request) where try !body(value) { return }
            return
        }
        let query = try request.request.rowQuery()
        guard query.entity.isFlat else {
            return try RelationshipLoader(reader()).forEach(Request.Model.self, query, body)
        }
        try reader().scan(query) { batch in
            for index in 0..<batch.count {
                var row = batch.reader(at: index)
                guard try body(Request.Model(row: &row)) else { return false }
            }
            return true
        }
    }

    func count<Request: FetchRequestConvertible>(_ request: Request) throws -> Int
    where Request.Model: Stored {
        try reader().count(request.request.rowQuery())
    }

    func aggregate<Request: FetchRequestConvertible>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Request.Model>,
        of request: Request
    ) throws -> StorageValue where Request.Model: Stored {
        let column = try Request.Model.column(of: field)
        try Request.Model.schema.entity.check(function, on: column)
        return try reader().aggregate(function, column: column, of: request.request.rowQuery())
    }

    func distinct<Request: FetchRequestConvertible, Value: StorableValue>(
        _ field: KeyPath<Request.Model, Value>,
        of request: Request
    ) throws -> [Value] where Request.Model: Stored {
        let column = try Request.Model.column(of: field)
        var values: [Value] = []
        try reader().distinct(column: column, of: request.request.rowQuery()) { slot in
            values.append(try StorageValue(slot).decode())
        }
        return values
    }

    func explain<Request: FetchRequestConvertible>(_ request: Request) throws -> String
    where Request.Model: Stored {
        try reader().explain(request.request.rowQuery())
    }
}

extension Stored {
    /// Returns the position of a stored property's column.
    ///
    /// - Throws: `.invalidRequest` for a property that is not stored, or is a struct of several fields.
    static func column(of keyPath: AnyKeyPath) throws -> Int {
        let columns = try columns(of: keyPath)
        guard columns.count == 1 else {
            throw DBClientError(
                .invalidRequest,
                "The \(keyPath.named) has several fields.",
                entity: schema.entity.name,
                hint: "Name one of its fields."
            )
        }
        return columns.lowerBound
    }

    /// Returns the positions of a stored property's columns, several for an embedded struct.
    static func columns(of keyPath: AnyKeyPath) throws -> Range<Int> {
        guard let columns = schema.columns(of: keyPath), !columns.isEmpty else {
            throw DBClientError(
                .invalidRequest,
                "The \(keyPath.named) is not stored.",
                entity: schema.entity.name,
                hint:
                    "Key paths lead to stored properties, and not through an optional; `grouped { $0.team.name }` does."
            )
        }
        return columns
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
