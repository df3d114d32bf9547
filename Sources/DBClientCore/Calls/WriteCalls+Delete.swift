// Deleting what is not stored is no error; every call tells what there was.
extension WriteCalls {
    /// Deletes the stored value that has the same primary key and returns whether there was one.
    @discardableResult
    public func delete<Model: StoredConvertible>(_ value: Model) throws -> Bool {
        try delete(Model.self, keys: [value.primaryKey]) > 0
    }

    /// Deletes the stored values that have the same primary keys and returns how many there were.
    @discardableResult
    public func delete<Model: StoredConvertible>(_ values: [Model]) throws -> Int {
        try delete(Model.self, keys: values.map(\.primaryKey))
    }

    /// Deletes the value with a primary key and returns whether there was one.
    @discardableResult
    public func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> Bool {
        try delete(type, keys: [key]) > 0
    }

    /// Deletes the values with these primary keys and returns how many there were.
    @discardableResult
    public func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) throws -> Int {
        try writing(asOneCall: true) { try Model.mapping(in: $0).delete(keys, in: $0) }
    }

    /// Deletes the values of a request and returns how many there were.
    @discardableResult
    public func delete<Request: FetchRequestConvertible>(_ request: Request) throws -> Int {
        try writing(asOneCall: true) {
            try Request.Model.mapping(in: $0).delete(request.request, in: $0)
        }
    }

    /// Deletes every value of a model and returns how many there were.
    @discardableResult
    public func deleteAll<Model: StoredConvertible>(_ type: Model.Type) throws -> Int {
        try delete(Model.all)
    }
}
