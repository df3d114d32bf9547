/// How an engine keeps a model: in which stored shape, and what becomes of the values on the way.
///
/// A ``Stored`` model is its own shape (``StoredMapping``), any other becomes values of its shape
/// (``ShapeMapping``). An engine's module that keeps a model in another way implements this.
public protocol ModelMapping<Model>: Sendable {
    /// The model that the program works with.
    associatedtype Model: StoredConvertible
    /// The stored shape that the engine keeps the model in.
    associatedtype Shape: Stored where Shape.PrimaryKey == Model.PrimaryKey

    /// Returns the request for the shape.
    ///
    /// The default finds the fields of the model's `Storage` in the shape by their stored names.
    func request(_ request: FetchRequest<Model>) throws -> FetchRequest<Shape>

    /// Returns the models of stored values, in their order.
    func models(_ shapes: [Shape], in transaction: ReadTransaction) throws -> [Model]

    /// Writes values; the meaning is that of the calls of a transaction.
    ///
    /// - Parameters:
    ///   - values: What is written.
    ///   - verb: What becomes of values that are stored already, and of those that are not.
    ///   - transaction: The transaction, in which a call that fails is undone.
    /// - Returns: The values as they are stored, the inserted and the updated ones. What
    ///   ``ModelWrite/update`` returns is not looked at.
    /// - Throws: What the calls of a transaction throw.
    func write(
        _ values: [Model],
        _ verb: ModelWrite,
        in transaction: WriteTransaction
    ) throws -> UpsertOutcome<Model>

    /// Returns the value with a primary key, or nil.
    ///
    /// The default finds the shape and makes the model of it.
    func find(_ key: Model.PrimaryKey, in transaction: ReadTransaction) throws -> Model?

    /// Writes some fields of the value with a primary key.
    ///
    /// The default assigns to the fields of the shape that have the same stored names.
    ///
    /// - Throws: `.notFound` when it is not stored.
    func update(
        _ key: Model.PrimaryKey,
        in transaction: WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws
}

/// The verb of a call that writes whole values.
public enum ModelWrite: Hashable, Sendable {
    /// Inserts each, and refuses those that are stored.
    case insert
    /// Replaces each, and refuses those that are not stored.
    case update
    /// Replaces those that are stored, and skips the others.
    case updateExisting
    /// Replaces those that are stored, and inserts the others.
    case upsert
    /// Replaces those that are stored with the same values in some fields, whose keys stay, and inserts the others.
    case upsertBy(UniqueFields)
    /// Inserts those that conflict with no stored value, and leaves out the others.
    case insertIfAbsent

    /// The verb that an interceptor receives.
    var kind: TransactionCall.Kind {
        switch self {
        case .insert: .insert
        case .update: .update
        case .updateExisting: .updateExisting
        case .upsert, .upsertBy: .upsert
        case .insertIfAbsent: .insertIfAbsent
        }
    }
}

extension ModelWrite {
    /// The stored names of the fields by which stored values are found, where they are not those of the key.
    var fieldNames: [String] {
        if case .upsertBy(let fields) = self { fields.names } else { [] }
    }
}

extension ModelMapping {
    /// Returns the request for the shape, its fields found by their stored names.
    public func request(_ request: FetchRequest<Model>) throws -> FetchRequest<Shape> {
        try fields.request(request)
    }

    /// Returns the value with a primary key, or nil.
    public func find(_ key: Model.PrimaryKey, in transaction: ReadTransaction) throws -> Model? {
        guard let shape = try StoredMapping<Shape>().find(key, in: transaction) else { return nil }
        return try models([shape], in: transaction).first
    }

    /// The entity of the stored shape.
    var entity: EntitySchema { Shape.schema.entity }

    /// The fields of the model's `Storage` in the shape.
    var fields: FieldMapping<Model, Shape> { FieldMapping() }

    /// Returns the request as the engine sees it.
    func rowQuery(_ request: FetchRequest<Model>) throws -> RowQuery {
        try self.request(request).rowQuery()
    }
}

/// Keeps a stored model as it is.
@frozen
public struct StoredMapping<Model: Stored>: ModelMapping {
    /// The model is its own shape.
    public typealias Shape = Model

    @inlinable
    init() {}

    /// Returns the request unchanged, since the model is its own shape.
    @inlinable
    public func request(_ request: FetchRequest<Model>) -> FetchRequest<Model> { request }

    /// Returns the values unchanged, since the model is its own shape.
    @inlinable
    public func models(_ shapes: [Model], in transaction: ReadTransaction) -> [Model] { shapes }

    /// Writes the values as they are.
    public func write(
        _ values: [Model],
        _ verb: ModelWrite,
        in transaction: WriteTransaction
    ) throws -> UpsertOutcome<Model> {
        try transaction.intercept(
            TransactionCall(
                verb.kind,
                entity: Model.schema.entity.name,
                fields: verb.fieldNames,
                givenCount: values.count
            ),
            storing: values
        ) {
            switch verb {
            case .insert:
                UpsertOutcome(inserted: try transaction.insertStored(values), updated: [])
            case .update:
                UpsertOutcome(inserted: [], updated: try transaction.updateStored(values))
            case .updateExisting:
                UpsertOutcome(inserted: [], updated: try transaction.updateExistingStored(values))
            case .upsert: try transaction.upsertStored(values)
            case .upsertBy(let fields): try transaction.upsertStored(values, by: fields)
            case .insertIfAbsent:
                UpsertOutcome(inserted: try transaction.insertAbsentStored(values), updated: [])
            }
        }
    }

    /// Returns the value with a primary key, or nil.
    @inlinable
    public func find(_ key: Model.PrimaryKey, in transaction: ReadTransaction) throws -> Model? {
        try transaction.findStored(Model.self, key: key)
    }

    /// Writes some fields of the value with a primary key.
    public func update(
        _ key: Model.PrimaryKey,
        in transaction: WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        // Without interceptors, which is the commonest, there are no closures round the caller's.
        if transaction.interceptors.isEmpty {
            return try transaction.updateStored(Model.self, key: key, assign)
        }
        try transaction.intercept(
            .on(Model.schema.entity, .assign, 1),
            assigning: Model.self,
            keys: { _ in [key] },
            body: { try $0.updateStored(Model.self, key: key, assign) }
        )
    }
}
