/// The calls that read: those of a transaction, and of the blocking view of a client, each of whose calls is a
/// transaction by itself.
public protocol ReadCalls: RenamedCalls {
    /// Runs a body on a transaction: on this one, or on one that is begun for it.
    ///
    /// - Parameters:
    ///   - isOneCall: Whether the body makes one call on the transaction, and may run again. An engine may
    ///     then do without the transaction.
    ///   - body: The closure that reads.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    func reading<Value>(
        asOneCall isOneCall: Bool,
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value
}

extension ReadCalls {
    /// Returns the value with a primary key, or nil.
    @inlinable
    public func find<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> Model? {
        try reading(asOneCall: true) { try Model.mapping(in: $0).find(key, in: $0) }
    }

    /// Returns the values with these primary keys that exist, in the order of `keys`.
    public func find<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) throws -> [Model] {
        try reading(asOneCall: true) { try Model.mapping(in: $0).find(keys, in: $0) }
    }

    /// Returns every value of a model in the order of the primary key.
    public func findAll<Model: StoredConvertible>(_ type: Model.Type) throws -> [Model] {
        try fetch(Model.all)
    }

    /// Returns the values of a request.
    ///
    /// - Throws: `DBClientError` for an invalid request, `.decoding` when a stored value does not fit the
    ///   model.
    public func fetch<Request: FetchRequestConvertible>(
        _ request: Request
    ) throws -> [Request.Model] {
        try reading(asOneCall: true) {
            try Request.Model.mapping(in: $0).fetch(request.request, in: $0)
        }
    }

    /// Returns the first value of a request, or nil.
    public func fetchOne<Request: FetchRequestConvertible>(
        _ request: Request
    ) throws -> Request.Model? {
        try reading(asOneCall: true) {
            var first: Request.Model?
            try $0.forEach(request.request.limitedToOne) {
                first = $0
                return false
            }
            return first
        }
    }

    /// Calls a function with each value of a request, in order, on one snapshot, in constant memory.
    ///
    /// `body` returns false to stop early. In a write all values are read first, so that what the body writes
    /// changes nothing of what it is given. The time that it takes is not counted as a statement's.
    public func forEach<Request: FetchRequestConvertible>(
        _ request: Request,
        _ body: (Request.Model) throws -> Bool
    ) throws {
        try reading(asOneCall: false) {
            try Request.Model.mapping(in: $0).forEach(request.request, in: $0, body)
        }
    }

    /// Returns the number of values of a request, its limit and offset applied.
    public func count<Request: FetchRequestConvertible>(_ request: Request) throws -> Int {
        try reading(asOneCall: true) { transaction in
            let query = try transaction.resolving(.count, Request.Model.self) {
                try Request.Model.mapping(in: transaction).rowQuery(request.request)
            }
            return try transaction.count(query)
        }
    }

    /// Returns whether a request has any value.
    public func exists<Request: FetchRequestConvertible>(_ request: Request) throws -> Bool {
        try count(request.request.limitedToOne) > 0
    }

    /// Returns whether there is a value with a primary key.
    public func exists<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> Bool {
        try find(type, key: key) != nil
    }

    /// Returns the different values of a field over the values of a request, ascending, nil first.
    public func distinct<Request: FetchRequestConvertible, Value: ColumnValue>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> [Value] {
        try reading(asOneCall: true) { transaction in
            let (query, place) = try transaction.resolving(.distinct, Request.Model.self) {
                try Request.Model.mapping(in: transaction).field(field, of: request.request)
            }
            var values: [Value] = []
            try transaction.distinct(place, of: query) {
                values.append(try StorageValue($0).decode())
            }
            return values
        }
    }

    /// Describes how the engine would run a request, for a person.
    public func explain<Request: FetchRequestConvertible>(_ request: Request) throws -> String {
        try reading(asOneCall: true) { transaction in
            let query = try transaction.resolving(.explain, Request.Model.self) {
                try Request.Model.mapping(in: transaction).rowQuery(request.request)
            }
            return try transaction.explain(query)
        }
    }

    /// Returns the rows of a selection.
    ///
    /// - Throws: `.invalidRequest` for a property that is not stored, `.decoding` when what is stored
    ///   is not what the property says, `.invalidValue` when a sum leaves its type.
    public func fetch<Row: Sendable>(_ request: SelectRequest<Row>) throws -> [Row] {
        try reading(asOneCall: true) {
            var rows: [Row] = []
            try request.run($0, nil, &rows)
            return rows
        }
    }

    /// Returns the primary key of the one value that fulfils a condition, or nil.
    ///
    /// For instance, the local key of a value that a server names by a key of its own.
    ///
    /// - Throws: `.invalidRequest` when more than one value does.
    public func findKey<Model: StoredConvertible>(
        of type: Model.Type,
        where condition: (Fields<Model>) -> Condition<Model>
    ) throws -> Model.PrimaryKey? {
        let found = try fetch(Model.where(condition).limit(2))
        guard found.count < 2 else {
            throw DBClientError(
                .invalidRequest,
                "The condition must be true of at most one value to name its key; it is true of more.",
                entity: Model.Storage.schema.entity.name
            )
        }
        return found.first?.primaryKey
    }

    /// Returns the value that a reference names, or nil when it is not stored.
    public func load<Model: Stored>(_ reference: Reference<Model>) throws -> Model? {
        try find(Model.self, key: reference.key)
    }

    /// Returns the value that a reference names, or nil when there is no reference.
    public func load<Model: Stored>(_ reference: Reference<Model>?) throws -> Model? {
        try reference.flatMap { try load($0) }
    }

    /// Returns the values that references name, in their order, without those that are not stored.
    public func load<Model: Stored>(_ references: References<Model>) throws -> [Model] {
        try find(Model.self, keys: references.keys)
    }
}

extension FetchRequest {
    /// The request for its first value alone.
    var limitedToOne: Self {
        limit(min(query.limit ?? 1, 1))
    }
}
