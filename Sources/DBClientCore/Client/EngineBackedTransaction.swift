/// A transaction that runs on an engine, for what a backend's module adds to transactions.
public protocol EngineBackedTransaction {
    /// The engine's side of the transaction.
    ///
    /// - Throws: `.transactionEnded` when the transaction is over.
    var engineReader: any EngineReader { get throws }

    /// The type of the client, which knows the conversions of its engine.
    var clientType: any EngineBackedClient.Type { get }

    /// The same without what captures writes for those who observe the store, for verbs that only this
    /// engine has.
    ///
    /// Who writes through it asks ``writesRows`` first, calls it inside ``intercept(_:_:)``, and calls
    /// ``noteUnseenWrite()`` afterwards.
    ///
    /// - Throws: `.transactionEnded` when the transaction is over.
    var storeReader: any EngineReader { get throws }

    /// Whether rows may be written past the models: not in a read, nor where a decorator checks what is
    /// written.
    var writesRows: Bool { get }

    /// Runs a call on ``storeReader``, through the decorators that stand before the transaction.
    func intercept<Value>(_ call: TransactionCall, _ body: () throws -> Value) throws -> Value

    /// Tells those who observe the store that rows were written past the verbs of `EngineWriter`, once
    /// the transaction commits.
    ///
    /// What they observe is then read again and compared.
    func noteUnseenWrite()

    /// Keeps an observer from being told of the transaction, since it knows already.
    func silence(_ observer: ObservationToken)
}

extension ReadTransaction {
    /// Whether what is read here may never be committed: in a write, and in a read that has joined one.
    package var isPartOfWrite: Bool { engineTransaction is EngineWriteTransaction }

    /// The transaction behind all decorators, and the outermost there; nil where it does not run on an
    /// engine.
    var engineTransaction: EngineReadTransaction? {
        (self as? EngineReadTransaction)?.outermost
            ?? (self as? InterceptedReadTransaction)?.decorated.engineTransaction
    }
}

extension EngineReadTransaction: EngineBackedTransaction {
    var engineReader: any EngineReader {
        get throws { try reader() }
    }

    var storeReader: any EngineReader {
        get throws {
            let reader = try reader()
            return (reader as? CapturingWriter)?.base ?? reader
        }
    }

    var writesRows: Bool { self is EngineWriteTransaction }

    func intercept<Value>(_ call: TransactionCall, _ body: () throws -> Value) throws -> Value {
        try body()
    }

    func noteUnseenWrite() {
        (try? reader() as? CapturingWriter)?.recorder.noteUnseenWrite()
        openContext?.noteWrite()
    }

    func silence(_ observer: ObservationToken) {
        (try? reader() as? CapturingWriter)?.recorder.silence(observer.identity)
    }
}
