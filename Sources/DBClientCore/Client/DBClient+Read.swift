// Reading without an explicit transaction: each call is a read transaction of one statement.
extension DBClient {
    /// Returns the value with a primary key, or nil.
    @inlinable
    public func find<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) async throws -> Model? {
        try await readOnce { try $0.find(type, key: key) }
    }

    /// Returns the values with these primary keys that exist, in the order of `keys`.
    public func find<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) async throws -> [Model] {
        try await readOnce { try $0.find(type, keys: keys) }
    }

    /// Returns every value of a model in the order of the primary key.
    public func findAll<Model: StoredConvertible>(_ type: Model.Type) async throws -> [Model] {
        try await readOnce { try $0.findAll(type) }
    }

    /// Returns the values of a request.
    ///
    /// - Throws: `DBClientError` for whatever is wrong with the request, `.decoding` when a stored
    ///   value does not fit the model.
    public func fetch<Request: FetchRequestConvertible>(
        _ request: Request
    ) async throws -> [Request.Model] {
        try await readOnce { try $0.fetch(request) }
    }

    /// Returns the first value of a request, or nil.
    public func fetchOne<Request: FetchRequestConvertible>(
        _ request: Request
    ) async throws -> Request.Model? {
        try await readOnce { try $0.fetchOne(request) }
    }

    /// Returns the number of values of a request, its limit and offset applied.
    public func count<Request: FetchRequestConvertible>(_ request: Request) async throws -> Int {
        try await readOnce { try $0.count(request) }
    }

    /// Returns whether a request has any value.
    public func exists<Request: FetchRequestConvertible>(_ request: Request) async throws -> Bool {
        try await readOnce { try $0.exists(request) }
    }

    /// Returns whether there is a value with a primary key.
    public func exists<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) async throws -> Bool {
        try await readOnce { try $0.exists(type, key: key) }
    }

    /// Returns the different values of a field over the values of a request, ascending, nil first.
    public func distinct<Request: FetchRequestConvertible, Value: ColumnValue>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) async throws -> [Value] {
        try await readOnce { try $0.distinct(field, of: request) }
    }

    /// Describes how the engine would run a request, for a person.
    public func explain<Request: FetchRequestConvertible>(
        _ request: Request
    ) async throws -> String {
        try await readOnce { try $0.explain(request) }
    }

    /// Returns the value that a reference names, or nil when it is not stored.
    public func load<Model: Stored>(_ reference: Reference<Model>) async throws -> Model? {
        try await readOnce { try $0.load(reference) }
    }

    /// Returns the value that a reference names, or nil when there is no reference.
    public func load<Model: Stored>(_ reference: Reference<Model>?) async throws -> Model? {
        try await readOnce { try $0.load(reference) }
    }

    /// Returns the values that references name, in their order, without those that are not stored.
    public func load<Model: Stored>(_ references: References<Model>) async throws -> [Model] {
        try await readOnce { try $0.load(references) }
    }

    /// Returns the primary key of the one value that fulfils a condition, or nil.
    ///
    /// ```swift
    /// let key = try await client.findKey(of: Character.self) { $0.serverId == "c-1455" }
    /// ```
    ///
    /// - Throws: `.invalidRequest` when more than one value does.
    public func findKey<Model: StoredConvertible>(
        of type: Model.Type,
        where condition: @escaping @Sendable (Fields<Model>) -> Condition<Model>
    ) async throws -> Model.PrimaryKey? {
        try await readOnce { try $0.findKey(of: type, where: condition) }
    }

    /// Returns the rows of a selection.
    ///
    /// - Throws: `.invalidRequest` for a property that is not stored, `.decoding` when what is stored
    ///   is not what the property says, `.invalidValue` when a sum leaves its type.
    public func fetch<Row: Sendable>(_ request: SelectRequest<Row>) async throws -> [Row] {
        try await readOnce { try $0.fetch(request) }
    }
}
