/// A transaction that runs on an engine, for what a backend's module adds to transactions.
public protocol EngineBackedTransaction {
    /// The engine's side of the transaction.
    ///
    /// - Throws: `.transactionEnded` when the transaction is over.
    var engineReader: any EngineReader { get throws }
}

extension EngineReadTransaction: EngineBackedTransaction {
    var engineReader: any EngineReader {
        get throws { try reader() }
    }
}
