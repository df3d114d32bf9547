/// Makes models of rows together with what they hold of other models: one batch for each entity and
/// level, however many rows there are, and each related value made once.
final class RelationshipLoader {
    private let reader: any EngineReader
    /// Whether the rows of which each value is made are recorded.
    private let tellsContents: Bool

    /// The greatest number of levels below the outermost value with which values are saved.
    static let maximumDepth = 64
    /// The greatest number of levels below a value with which it is read: room for several chains of
    /// different models, one below the other, each as deep as it may be, while what is made still fits a
    /// small stack.
    static let maximumReadDepth = 512

    init(_ reader: any EngineReader, tellsContents: Bool = false) {
        self.reader = reader
        self.tellsContents = tellsContents
    }

    /// Returns the models of a query.
    func fetch<Model: Stored>(_ type: Model.Type, _ query: RowQuery) throws -> [Model] {
        let rows = RowBuffer(query.entity)
        try reader.scan(query) { batch in
            rows.append(copying: batch)
            return true
        }
        let isEvery =
            query.condition == .constant(true) && query.limit == nil && query.offset == 0
        return try models(type, of: rows, areAll: isEvery)
    }

    /// Calls a function with each model of a query, loaded some hundreds at a time.
    func forEach<Model: Stored>(
        _ type: Model.Type,
        _ query: RowQuery,
        _ body: (Model) throws -> Bool
    ) throws {
        let rows = RowBuffer(query.entity)
        func deliver() throws -> Bool {
            let models = try models(type, of: rows)
            rows.removeAll()
            for model in models {
                guard try body(model) else { return false }
            }
            return true
        }
        var isStopped = false
        try reader.scan(query) { batch in
            for row in 0..<batch.count {
                rows.append(copying: batch.slots + row * batch.columnCount)
                guard rows.count >= Self.pageSize else { continue }
                guard try deliver() else {
                    isStopped = true
                    return false
                }
            }
            return true
        }
        if !isStopped { _ = try deliver() }
    }

    /// Enough owners to share the cost of a batch, few enough to be held at once.
    private static let pageSize = 512

    /// Returns the models of owned rows.
    ///
    /// `areAll` says that the rows are all of their entity, so that their links need no condition.
    func models<Model: Stored>(
        _ type: Model.Type,
        of rows: RowBuffer,
        areAll: Bool = false
    ) throws -> [Model] {
        try values(type, of: rows, areAll: areAll).models
    }

    /// Returns the models of owned rows, and what each is made of if the loader tells that.
    func values<Model: Stored>(
        _ type: Model.Type,
        of rows: RowBuffer,
        areAll: Bool = false
    ) throws -> (models: [Model], contents: [ValueContent]) {
        guard rows.count > 0 else { return ([], []) }
        let graph = LoadedGraph(reader, tellsContents: tellsContents)
        let owners = OwnerRows(rows)
        try graph.follow(owners, areAll: areAll)
        try graph.decode()
        return try owners.decode(type, tellsContents: tellsContents)
    }

    /// Throws when rows, or what they hold, are part of a chain of values that is too long: those that
    /// hold themselves are, and those that others hold too deep.
    func checkDepth(of rows: RowBuffer) throws {
        let graph = LoadedGraph(reader, followsFlat: false)
        let owners = OwnerRows(rows)
        try graph.follow(owners, areAll: false)
        let levels = try graph.findLevels()
        var chain = NestingDepthCheck(rows.entity)
        owners.addLevels(to: &chain)
        graph.addLevels(to: &chain)
        if levels == 0, chain.isFlat { return }
        try chain.check(reader)
    }
}

extension EngineReader {
    /// Returns the models of rows together with what they hold of other models.
    ///
    /// The rows have every field of the model's entity. A flat model needs no more than its rows; any
    /// other is made here, in one batch for each relationship.
    public func models<Model: Stored>(
        _ type: Model.Type,
        of rows: RowBuffer
    ) throws -> [Model] {
        guard Model.schema.entity.isFlat else {
            return try RelationshipLoader(self).models(type, of: rows)
        }
        var models: [Model] = []
        try rows.withBatch { try Model.decode($0, appendingTo: &models) }
        return models
    }
}

extension Stored {
    /// Returns the value with a primary key and what it holds, or nil.
    @usableFromInline
    static func related(key: PrimaryKey, in reader: any EngineReader) throws -> Self? {
        let entity = schema.entity
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        try encode(key: key, to: keys)
        let rows = RowBuffer(entity)
        try keys.withBatch { keys in
            try reader.get(entity, keys: keys) { rows.append(copying: $1) }
        }
        return try RelationshipLoader(reader).models(Self.self, of: rows).first
    }
}
