// Deleting what is not stored is no error; every call tells what there was.
extension DBClient {
    /// Deletes the stored value that has the same primary key and returns whether there was one.
    @discardableResult
    public func delete<Model: StoredConvertible>(_ value: Model) async throws -> Bool {
        try await writeOnce { try $0.delete(value) }
    }

    /// Deletes the stored values that have the same primary keys and returns how many there were.
    @discardableResult
    public func delete<Model: StoredConvertible>(_ values: [Model]) async throws -> Int {
        try await writeOnce { try $0.delete(values) }
    }

    /// Deletes the value with a primary key and returns whether there was one.
    @discardableResult
    public func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) async throws -> Bool {
        try await writeOnce { try $0.delete(type, key: key) }
    }

    /// Deletes the values with these primary keys and returns how many there were.
    @discardableResult
    public func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) async throws -> Int {
        try await writeOnce { try $0.delete(type, keys: keys) }
    }

    /// Deletes the values of a request and returns how many there were.
    @discardableResult
    public func delete<Request: FetchRequestConvertible>(_ request: Request) async throws -> Int {
        try await writeOnce { try $0.delete(request) }
    }

    /// Deletes every value of a model and returns how many there were.
    @discardableResult
    public func deleteAll<Model: StoredConvertible>(_ type: Model.Type) async throws -> Int {
        try await writeOnce { try $0.deleteAll(type) }
    }
}
