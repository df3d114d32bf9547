// Rows by stored names, without an explicit transaction.
extension DBClient {
    /// Returns the rows of a request.
    public func fetch(_ request: DynamicRequest) async throws -> [DynamicRow] {
        try await readOnce { try $0.fetch(request) }
    }

    /// Returns the row with a primary key, given in key order, or nil.
    public func find(_ entity: EntitySchema, key: [DynamicValue]) async throws -> DynamicRow? {
        try await readOnce { try $0.find(entity, key: key) }
    }

    /// Returns the number of rows of a request, its limit and offset applied.
    public func count(_ request: DynamicRequest) async throws -> Int {
        try await readOnce { try $0.count(request) }
    }

    /// Returns the groups of a request.
    public func fetch(_ request: DynamicGroupRequest) async throws -> [DynamicGroup] {
        try await readOnce { try $0.fetch(request) }
    }

    /// Describes how the engine would run a request, for a person.
    public func explain(_ request: DynamicRequest) async throws -> String {
        try await readOnce { try $0.explain(request) }
    }

    /// Computes a function over the field with a stored name, absent values left out.
    ///
    /// - Throws: `.invalidRequest` when there is no such field, or for a sum or an average of one that
    ///   is not a number.
    public func aggregate(
        _ function: AggregateFunction,
        _ field: String,
        of request: DynamicRequest
    ) async throws -> DynamicValue {
        try await readOnce { try $0.aggregate(function, field, of: request) }
    }

    /// Returns the different values of the field with a stored name, ascending, nil first.
    public func distinct(
        _ field: String,
        of request: DynamicRequest
    ) async throws -> [DynamicValue] {
        try await readOnce { try $0.distinct(field, of: request) }
    }

    /// Inserts rows and returns them as they are stored, generated keys filled in.
    @discardableResult
    public func insert(_ rows: [DynamicRow]) async throws -> [DynamicRow] {
        try await writeOnce { try $0.insert(rows) }
    }

    /// Replaces the stored rows that have the same primary keys.
    public func update(_ rows: [DynamicRow]) async throws {
        try await writeOnce { try $0.update(rows) }
    }

    /// Inserts the rows that are not stored, replaces those that are, and returns how many of each.
    @discardableResult
    public func upsert(_ rows: [DynamicRow]) async throws -> (inserted: Int, updated: Int) {
        try await writeOnce { try $0.upsert(rows) }
    }

    /// Deletes the row with a primary key, given in key order, and returns whether there was one.
    @discardableResult
    public func delete(_ entity: EntitySchema, key: [DynamicValue]) async throws -> Bool {
        try await writeOnce { try $0.delete(entity, key: key) }
    }

    /// Deletes the rows of a request and returns how many there were.
    @discardableResult
    public func delete(_ request: DynamicRequest) async throws -> Int {
        try await writeOnce { try $0.delete(request) }
    }

    /// Writes some fields of the row with a primary key, given in key order.
    public func update(
        _ entity: EntitySchema,
        key: [DynamicValue],
        set values: [String: DynamicValue]
    ) async throws {
        try await writeOnce { try $0.update(entity, key: key, set: values) }
    }

    /// Writes some fields of the rows of a request and returns how many there were.
    @discardableResult
    public func update(
        _ request: DynamicRequest,
        set values: [String: DynamicValue]
    ) async throws -> Int {
        try await writeOnce { try $0.update(request, set: values) }
    }
}
