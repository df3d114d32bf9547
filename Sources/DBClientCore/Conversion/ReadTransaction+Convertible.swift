// The calls that read models which convert; for stored ones, the transaction's own are the same.
extension ReadTransaction {
    /// Returns the value with a primary key, or nil.
    public func find<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> Model? {
        try Model.conversion(in: self).find(key, in: self)
    }

    /// Returns the values with these primary keys that exist, in the order of `keys`.
    public func find<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) throws -> [Model] {
        try Model.conversion(in: self).find(keys, in: self)
    }

    /// Returns the values of a request.
    public func fetch<Request: FetchRequestConvertible>(
        _ request: Request
    ) throws -> [Request.Model] {
        try Request.Model.conversion(in: self).fetch(request.request, in: self)
    }

    /// Calls a function with each value of a request, in order, in constant memory.
    ///
    /// `body` returns false to stop early.
    public func forEach<Request: FetchRequestConvertible>(
        _ request: Request,
        _ body: (Request.Model) throws -> Bool
    ) throws {
        try Request.Model.conversion(in: self).forEach(request.request, in: self, body)
    }

    /// Returns the number of values of a request.
    public func count<Request: FetchRequestConvertible>(_ request: Request) throws -> Int {
        try Request.Model.conversion(in: self).count(request.request, in: self)
    }

    /// Computes a function over a field of the values of a request, absent fields left out.
    public func aggregate<Request: FetchRequestConvertible>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Request.Model.Storage>,
        of request: Request
    ) throws -> StorageValue {
        try Request.Model.conversion(in: self)
            .aggregate(function, field, of: request.request, in: self)
    }

    /// Returns the different values of a field over the values of a request, ascending, nil first.
    public func distinct<Request: FetchRequestConvertible, Value: StorableValue>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> [Value] {
        try Request.Model.conversion(in: self).distinct(field, of: request.request, in: self)
    }

    /// Describes how the engine would run a request, for a person.
    public func explain<Request: FetchRequestConvertible>(_ request: Request) throws -> String {
        try Request.Model.conversion(in: self).explain(request.request, in: self)
    }
}
