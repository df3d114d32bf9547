public import DBClientSQL

/// What a PostgreSQL server was found to be.
public struct PostgreSQLServer: Hashable, Sendable {
    /// The name of the product, as `PostgreSQL`, `CockroachDB`, `YugabyteDB`, `Citus`, `Amazon Aurora`, `AlloyDB` or
    /// `Neon`.
    public let product: String
    /// The version, as the server writes it.
    public let version: String
    /// The features that the server was found to lack, or to keep from the role.
    ///
    /// Those that take a statement of their own, as binary copies or locks of tables, are among them once a call has
    /// been refused one.
    public let missing: Set<PostgreSQLFeature>
}

extension SQLDBClient {
    /// Returns what the server is and what it lacks; nil when the client's engine is not PostgreSQL.
    ///
    /// ```swift
    /// for feature in try await client.postgreSQLServer()?.missing ?? [] {
    ///     print(feature, feature.substitute ?? "calls that need it throw")
    /// }
    /// ```
    ///
    /// The server is asked for each feature that can be asked for and that it has not refused before, some twenty
    /// statements that read no table. Opening a client asks for none of them.
    ///
    /// - Throws: What asking the server throws.
    public func postgreSQLServer() async throws -> PostgreSQLServer? {
        guard let engine = engine as? PostgreSQLEngine else { return nil }
        return try await engine.server()
    }
}
