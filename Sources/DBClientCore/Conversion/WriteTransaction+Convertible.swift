// The calls that write models which convert; for stored ones, the transaction's own are the same.
extension WriteTransaction {
    /// Inserts values and returns them as they are stored, generated keys filled in.
    ///
    /// - Throws: `.duplicateKey` when a primary key exists, `.uniqueViolation` when a unique field
    ///   or index holds the value; nothing of the call is then written.
    @discardableResult
    public func insert<Model: StoredConvertible>(_ values: [Model]) throws -> [Model] {
        try Model.conversion(in: self).insert(values, in: self)
    }

    /// Replaces the stored values that have the same primary keys.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    public func update<Model: StoredConvertible>(_ values: [Model]) throws {
        try Model.conversion(in: self).update(values, in: self)
    }

    /// Replaces the stored values that have the same primary keys, skips those that are not stored,
    /// and returns those that were.
    @discardableResult
    public func updateExisting<Model: StoredConvertible>(_ values: [Model]) throws -> [Model] {
        try Model.conversion(in: self).updateExisting(values, in: self)
    }

    /// Inserts the values that are not stored and replaces those that are, told apart.
    ///
    /// Where two values of the call have one primary key, the last one counts.
    @discardableResult
    public func upsert<Model: StoredConvertible>(
        _ values: [Model]
    ) throws -> UpsertOutcome<Model> {
        try Model.conversion(in: self).upsert(values, in: self)
    }

    /// Writes some fields of the value with a primary key; the others keep what is stored.
    ///
    /// - Throws: `.notFound` when it is not stored.
    public func update<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        try Model.conversion(in: self).update(key, in: self, assign)
    }

    /// Writes some fields of the values with these primary keys, of each its own; the others keep what is
    /// stored.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    public func update<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey],
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws {
        try Model.conversion(in: self).update(keys, in: self, assign)
    }

    /// Writes some fields of the values of a request and returns how many there were.
    @discardableResult
    public func update<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: (inout Assignments<Request.Model>) throws -> Void
    ) throws -> Int {
        try Request.Model.conversion(in: self).update(request.request, in: self, assign)
    }

    /// Deletes the values with these primary keys and returns how many there were.
    @discardableResult
    public func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) throws -> Int {
        try Model.conversion(in: self).delete(keys, in: self)
    }

    /// Deletes the values of a request and returns how many there were.
    @discardableResult
    public func delete<Request: FetchRequestConvertible>(_ request: Request) throws -> Int {
        try Request.Model.conversion(in: self).delete(request.request, in: self)
    }
}
