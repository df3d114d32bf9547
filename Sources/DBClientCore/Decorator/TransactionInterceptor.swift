/// A layer between the calls of a transaction and the store, which may watch, time, refuse or check each.
public protocol TransactionInterceptor {
    /// Runs a call, which is the body.
    func intercept<Value>(_ call: TransactionCall, _ body: () throws -> Value) throws -> Value

    /// Whether values are checked before they are stored.
    ///
    /// Partial updates are then read back and checked, in a savepoint, and rows cannot be written
    /// without a model, since `check` could not see them.
    var checksValues: Bool { get }

    /// Whether a call that reads may be run more than once.
    ///
    /// An engine that has one statement for a call may run it once to send the statement and once to take
    /// the answer. Where this is false, the default, the call is given a transaction instead, in which it
    /// runs once.
    var allowsRepetition: Bool { get }

    /// Checks values that are about to be stored in a transaction; what it throws refuses them.
    ///
    /// It is called for what a call is given, then for the values that are saved with that, model by
    /// model. A model that converts comes as its stored shape.
    func check<Model: Stored>(_ values: [Model], in transaction: ReadTransaction) throws
}

extension TransactionInterceptor {
    /// Runs the call unchanged, which is the default.
    public func intercept<Value>(
        _ call: TransactionCall,
        _ body: () throws -> Value
    ) throws -> Value {
        try body()
    }

    /// False: by default values are stored without a check.
    public var checksValues: Bool { false }

    /// False: by default the body of a call runs no more than once.
    public var allowsRepetition: Bool { false }

    /// Accepts every value, which is the default.
    public func check<Model: Stored>(
        _ values: [Model],
        in transaction: ReadTransaction
    ) throws {}

    /// Checks values and what they hold, where values are checked.
    func checkGraph<Model: Stored>(
        of values: [Model],
        in transaction: ReadTransaction,
        depth: Int = 0
    ) throws {
        guard checksValues else { return }
        try check(values, in: transaction)
        // What goes deeper is refused when it is saved.
        if Model.schema.entity.isFlat || depth > RelationshipLoader.maximumDepth { return }
        try Model.schema.entity.validate()
        let encoded = try EncodedModels(values, keepingKeys: true)
        for collection in encoded.graph?.collections ?? [] {
            try collection.check(with: self, in: transaction, depth: depth + 1)
        }
    }
}
