/// A transaction that runs on an engine, for what a backend's module adds to transactions.
public protocol EngineBackedTransaction {
    /// The engine's side of the transaction.
    ///
    /// - Throws: `.transactionEnded` when the transaction is over.
    var engineReader: any EngineReader { get throws }

    /// The type of the client, which knows the conversions of its engine.
    var clientType: any EngineBackedClient.Type { get }
}

extension EngineReadTransaction: EngineBackedTransaction {
    var engineReader: any EngineReader {
        get throws { try reader() }
    }
}
