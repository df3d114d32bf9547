#if Observability
/// The names of the attributes in logs, metrics and spans.
///
/// These are the stable names of OpenTelemetry's semantic conventions for database clients
/// (<https://opentelemetry.io/docs/specs/semconv/db/database-spans/> and
/// <https://opentelemetry.io/docs/specs/semconv/db/database-metrics/>).
public enum DatabaseAttribute {
    /// The database system: `sqlite`, `postgresql`, or what an engine says of itself.
    public static let system = "db.system.name"
    /// The name of the database; left out by an engine that has none.
    public static let namespace = "db.namespace"
    /// The operation: `read` or `write` for a transaction, the name of the call inside one.
    public static let operation = "db.operation.name"
    /// The stored name of the entity.
    public static let collection = "db.collection.name"
    /// How many values or keys a call is given, when they are at least two.
    public static let batchSize = "db.operation.batch.size"
    /// The request in one line or the statement, `?` for each value.
    public static let query = "db.query.text"
    /// Why it failed: the code of a `DBClientError`, the type of another error.
    public static let error = "error.type"
    /// How long work took: a metric in seconds.
    public static let duration = "db.client.operation.duration"
}
#endif
