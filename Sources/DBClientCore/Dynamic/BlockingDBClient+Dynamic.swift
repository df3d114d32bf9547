// Rows by stored names, without a transaction of one's own.
extension BlockingDBClient {
    /// Returns the rows of a request.
    public func fetch(_ request: DynamicRequest) throws -> [DynamicRow] {
        try client.readOnceBlocking { try $0.fetch(request) }
    }

    /// Returns the row with a primary key, given in key order, or nil.
    public func find(_ entity: EntitySchema, key: [DynamicValue]) throws -> DynamicRow? {
        try client.readOnceBlocking { try $0.find(entity, key: key) }
    }

    /// Returns the number of rows of a request, its limit and offset applied.
    public func count(_ request: DynamicRequest) throws -> Int {
        try client.readOnceBlocking { try $0.count(request) }
    }

    /// Computes a function over the field with a stored name, absent values left out.
    ///
    /// - Throws: `.invalidRequest` when there is no such field, or for a sum or an average of one that
    ///   is not a number.
    public func aggregate(
        _ function: AggregateFunction,
        _ field: String,
        of request: DynamicRequest
    ) throws -> DynamicValue {
        try client.readOnceBlocking { try $0.aggregate(function, field, of: request) }
    }

    /// Returns the different values of the field with a stored name, ascending, nil first.
    public func distinct(
        _ field: String,
        of request: DynamicRequest
    ) throws -> [DynamicValue] {
        try client.readOnceBlocking { try $0.distinct(field, of: request) }
    }

    /// Inserts rows and returns them as they are stored, generated keys filled in.
    @discardableResult
    public func insert(_ rows: [DynamicRow]) throws -> [DynamicRow] {
        try client.writeOnceBlocking { try $0.insert(rows) }
    }

    /// Replaces the stored rows that have the same primary keys.
    public func update(_ rows: [DynamicRow]) throws {
        try client.writeOnceBlocking { try $0.update(rows) }
    }

    /// Inserts the rows that are not stored, replaces those that are, and returns how many of each.
    @discardableResult
    public func upsert(_ rows: [DynamicRow]) throws -> (inserted: Int, updated: Int) {
        try client.writeOnceBlocking { try $0.upsert(rows) }
    }

    /// Deletes the row with a primary key, given in key order, and returns whether there was one.
    @discardableResult
    public func delete(_ entity: EntitySchema, key: [DynamicValue]) throws -> Bool {
        try client.writeOnceBlocking { try $0.delete(entity, key: key) }
    }

    /// Deletes the rows of a request and returns how many there were.
    @discardableResult
    public func delete(_ request: DynamicRequest) throws -> Int {
        try client.writeOnceBlocking { try $0.delete(request) }
    }

    /// Writes some fields of the row with a primary key, given in key order.
    public func update(
        _ entity: EntitySchema,
        key: [DynamicValue],
        set values: [String: DynamicValue]
    ) throws {
        try client.writeOnceBlocking { try $0.update(entity, key: key, set: values) }
    }

    /// Writes some fields of the rows of a request and returns how many there were.
    @discardableResult
    public func update(
        _ request: DynamicRequest,
        set values: [String: DynamicValue]
    ) throws -> Int {
        try client.writeOnceBlocking { try $0.update(request, set: values) }
    }
}
