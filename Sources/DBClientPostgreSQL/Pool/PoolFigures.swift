/// What a pool of connections holds.
public struct PostgreSQLPoolFigures: Sendable, Equatable {
    /// Connections that run a unit of work, or are being opened for one.
    public let inUse: Int
    /// Connections that wait for work.
    public let idle: Int
    /// Callers that wait for a connection.
    public let waiting: Int
    /// How many connections there may be: all of `maximumConnections`, or as many as the server gave.
    ///
    /// After it has refused one, one more is tried from time to time.
    public let allowed: Int
}
