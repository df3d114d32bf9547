/// An atomic, serialisable unit of reads and writes.
///
/// Received by the body of `client.write`. It commits when the body returns and is undone when the
/// body throws. A call that throws undoes what it wrote itself, so a body may catch its error and go
/// on. Using the transaction after the body has returned throws `.transactionEnded`.
public protocol WriteTransaction: ReadTransaction {
    /// Inserts values and returns them as they are stored, generated keys filled in.
    ///
    /// - Throws: `.duplicateKey` when a primary key exists, `.uniqueViolation` when a unique field
    ///   or index holds the value; before either, `.invalidValue` when one of the values cannot be
    ///   stored. Nothing of the call is then written.
    @discardableResult
    func insert<Model: Stored>(_ values: [Model]) throws -> [Model]

    /// Replaces the stored values that have the same primary keys.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    func update<Model: Stored>(_ values: [Model]) throws

    /// Replaces the stored values that have the same primary keys, skips those that are not stored,
    /// and returns those that were.
    @discardableResult
    func updateExisting<Model: Stored>(_ values: [Model]) throws -> [Model]

    /// Inserts the values that are not stored and replaces those that are, told apart.
    ///
    /// Where two values of the call have one primary key, the last one counts.
    @discardableResult
    func upsert<Model: Stored>(_ values: [Model]) throws -> UpsertOutcome<Model>

    /// Writes some fields of the value with a primary key; the others keep what is stored.
    ///
    /// - Throws: `.notFound` when it is not stored.
    func update<Model: Stored>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws

    /// Writes some fields of the values with these primary keys, of each its own; the others keep what is
    /// stored.
    ///
    /// Many are written together where the engine has a way to. A key that comes twice is written twice,
    /// in the order of the keys. Of several things that are wrong the first in that order is told.
    ///
    /// What the closure reads in the transaction may or may not have what the call has set for keys before.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    func update<Model: Stored>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey],
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws

    /// Writes some fields of the values of a request and returns how many there were.
    @discardableResult
    func update<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: (inout Assignments<Request.Model>) throws -> Void
    ) throws -> Int where Request.Model: Stored

    /// Deletes the values with these primary keys and returns how many there were.
    @discardableResult
    func delete<Model: Stored>(_ type: Model.Type, keys: [Model.PrimaryKey]) throws -> Int

    /// Deletes the values of a request and returns how many there were.
    @discardableResult
    func delete<Request: FetchRequestConvertible>(_ request: Request) throws -> Int
    where Request.Model: Stored

    /// Runs a body as a savepoint: when it throws, what it wrote is undone and this transaction can
    /// go on.
    @discardableResult
    func write<Value>(_ body: (any WriteTransaction) throws -> Value) throws -> Value
}

extension WriteTransaction {
    /// Inserts a value and returns it as it is stored.
    @discardableResult
    public func insert<Model: StoredConvertible>(_ value: Model) throws -> Model {
        try insert([value]).first ?? value
    }

    /// Replaces the stored value that has the same primary key.
    public func update<Model: StoredConvertible>(_ value: Model) throws {
        try update([value])
    }

    /// Inserts the value, or replaces the stored one that has the same primary key.
    @discardableResult
    public func upsert<Model: StoredConvertible>(_ value: Model) throws -> UpsertResult<Model> {
        let outcome = try upsert([value])
        return UpsertResult(
            value: outcome.inserted.first ?? outcome.updated.first ?? value,
            isUpdated: outcome.inserted.isEmpty
        )
    }

    /// Deletes the value with a primary key and returns whether there was one.
    @discardableResult
    public func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> Bool {
        try delete(type, keys: [key]) > 0
    }

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

    /// Deletes every value of a model and returns how many there were.
    @discardableResult
    public func deleteAll<Model: StoredConvertible>(_ type: Model.Type) throws -> Int {
        try delete(Model.all)
    }
}

/// What an upsert did.
public struct UpsertOutcome<Model: StoredConvertible>: Sendable {
    /// The values that were not stored before, as they are stored now, in the order given.
    public let inserted: [Model]
    /// The values that replaced a stored one, in the order given.
    public let updated: [Model]

    /// Creates an outcome.
    public init(inserted: [Model], updated: [Model]) {
        self.inserted = inserted
        self.updated = updated
    }
}

/// What an upsert of one value did.
public struct UpsertResult<Model: StoredConvertible>: Sendable {
    /// The value as it is stored.
    public let value: Model
    /// Whether it replaced a stored one.
    public let isUpdated: Bool

    /// Creates a result.
    public init(value: Model, isUpdated: Bool) {
        self.value = value
        self.isUpdated = isUpdated
    }
}
