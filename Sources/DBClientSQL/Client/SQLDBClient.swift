public import DBClientCore

/// A client over a relational database. A driver's module adds how to open one:
///
/// ```swift
/// let client = try SQLDBClient.sqlite(at: url)
/// ```
///
/// Entities are ordinary tables, made by the first write to them, which any tool can read. A table
/// that exists is adopted when it has the columns that the model needs.
public final class SQLDBClient: EngineBackedClient {
    /// The engine that runs the client's transactions.
    public let engine: any Engine

    /// Creates a client over an engine whose transactions are `SQLTransaction`.
    public init(_ engine: any Engine) {
        self.engine = engine
    }
}
