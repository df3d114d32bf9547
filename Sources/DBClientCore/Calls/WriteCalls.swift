/// The calls that write: those of a write transaction, and of the blocking view of a client, each of whose calls
/// is an atomic unit by itself, durable when it returns.
public protocol WriteCalls: ReadCalls {
    /// Runs a body on a write transaction: on this one, or on one that is begun for it.
    ///
    /// - Parameters:
    ///   - isOneCall: Whether the body makes one call on the transaction, and throws what that throws. A
    ///     client may then do without the savepoint that would undo the call alone.
    ///   - body: The closure that writes.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @discardableResult
    func writing<Value>(
        asOneCall isOneCall: Bool,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value
}

extension WriteCalls {
    /// Inserts values and returns them as they are stored, generated keys filled in.
    ///
    /// - Throws: `.duplicateKey` when a primary key exists, `.uniqueViolation` when a unique field
    ///   or index holds the value; before either, `.invalidValue` when one of the values cannot be
    ///   stored. Nothing of the call is then written.
    @discardableResult
    public func insert<Model: StoredConvertible>(_ values: [Model]) throws -> [Model] {
        try write(values, .insert).inserted
    }

    /// Inserts a value and returns it as it is stored, a generated key filled in.
    ///
    /// - Throws: `.duplicateKey` when the primary key exists, `.uniqueViolation` when a unique field
    ///   or index holds the value.
    @discardableResult
    public func insert<Model: StoredConvertible>(_ value: Model) throws -> Model {
        try insert([value]).first ?? value
    }

    /// Replaces the stored values that have the same primary keys.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    public func update<Model: StoredConvertible>(_ values: [Model]) throws {
        _ = try write(values, .update)
    }

    /// Replaces the stored value that has the same primary key.
    ///
    /// - Throws: `.notFound` when it is not stored.
    public func update<Model: StoredConvertible>(_ value: Model) throws {
        try update([value])
    }

    /// Replaces the stored values that have the same primary keys, skips those that are not stored,
    /// and returns those that were.
    @discardableResult
    public func updateExisting<Model: StoredConvertible>(_ values: [Model]) throws -> [Model] {
        try write(values, .updateExisting).updated
    }

    /// Inserts the values that are not stored and replaces those that are, and returns which were which.
    ///
    /// Where two values of the call have one primary key, the last one counts.
    @discardableResult
    public func upsert<Model: StoredConvertible>(
        _ values: [Model]
    ) throws -> UpsertOutcome<Model> {
        try write(values, .upsert)
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

    private func write<Model: StoredConvertible>(
        _ values: [Model],
        _ verb: ModelWrite
    ) throws -> UpsertOutcome<Model> {
        try writing(asOneCall: true) { try Model.mapping(in: $0).write(values, verb, in: $0) }
    }
}

/// The result of an upsert: which values were new and which replaced a stored one.
public struct UpsertOutcome<Model: StoredConvertible>: Sendable {
    /// The values that were not stored before, as they are stored now, in the order given.
    public let inserted: [Model]
    /// The values that replaced a stored one, in the order given.
    public let updated: [Model]

    /// Creates an outcome from the values that were inserted and updated.
    public init(inserted: [Model], updated: [Model]) {
        self.inserted = inserted
        self.updated = updated
    }
}

/// The result of an upsert of one value.
public struct UpsertResult<Model: StoredConvertible>: Sendable {
    /// The value as it is stored.
    public let value: Model
    /// Whether it replaced a stored one.
    public let isUpdated: Bool

    /// Creates a result from the stored value and whether it replaced another.
    public init(value: Model, isUpdated: Bool) {
        self.value = value
        self.isUpdated = isUpdated
    }
}
