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
    /// Who writes through it calls ``noteUnseenWrite()``.
    ///
    /// - Throws: `.transactionEnded` when the transaction is over.
    var storeReader: any EngineReader { get throws }

    /// Tells those who observe the store that rows were written past the verbs of `EngineWriter`, once
    /// the transaction commits.
    ///
    /// What they observe is then read again and compared.
    func noteUnseenWrite()

    /// Keeps an observer from being told of the transaction, since it knows already.
    func silence(_ observer: ObservationToken)
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

    func noteUnseenWrite() {
        (try? reader() as? CapturingWriter)?.recorder.noteUnseenWrite()
    }

    func silence(_ observer: ObservationToken) {
        (try? reader() as? CapturingWriter)?.recorder.silence(observer.identity)
    }
}
