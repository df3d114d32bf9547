/// What stands between the calls of a transaction and the store: it may watch, time, refuse or check
/// each.
public protocol TransactionInterceptor {
    /// Runs a call, which is the body.
    func intercept<Value>(_ call: TransactionCall, _ body: () throws -> Value) throws -> Value

    /// Whether values are checked before they are stored.
    ///
    /// Partial updates are then read back and checked, in a savepoint, and rows cannot be written
    /// without a model, since `check` could not see them.
    var checksValues: Bool { get }

    /// Checks values that are about to be stored; what it throws refuses them.
    func check<Model: Stored>(_ values: [Model]) throws
}

extension TransactionInterceptor {
    /// Runs the call.
    public func intercept<Value>(
        _ call: TransactionCall,
        _ body: () throws -> Value
    ) throws -> Value {
        try body()
    }

    /// False.
    public var checksValues: Bool { false }

    /// Refuses nothing.
    public func check<Model: Stored>(_ values: [Model]) throws {}
}
