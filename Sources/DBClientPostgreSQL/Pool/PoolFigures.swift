/// The numbers of a pool's connections and waiting callers.
public struct PostgreSQLPoolFigures: Sendable, Equatable {
    /// Connections that run a unit of work, or are being opened for one.
    public let inUse: Int
    /// Open connections that no caller has.
    public let idle: Int
    /// Callers that wait for a connection.
    public let waiting: Int
    /// How many connections there may be: `maximumConnections`, or as many as the server allowed.
    ///
    /// After the server has refused one, one more is tried from time to time.
    public let allowed: Int
}
