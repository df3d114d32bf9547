public import DBClientSQL

/// What a commit survives that a PostgreSQL server has acknowledged, from little to much.
///
/// A client whose durability is `.full` raises `synchronous_commit` where the server, the database or the
/// role has it off. The rest is up to the server: the client can only report it.
public enum PostgreSQLDurability: Hashable, Comparable, Sendable {
    /// The end of the server's process. The server runs with `fsync` off, so a power cut may take the whole
    /// database.
    case cached
    /// A crash of the server, but for the commits of the last tenths of a second: `synchronous_commit` is
    /// off.
    case delayed
    /// A power cut of the server. Standbys follow later: when one is promoted because the server is lost,
    /// the last commits may be gone.
    case local
    /// The loss of the server: a synchronous standby has every acknowledged commit.
    case replicated

    /// Tells it by a server's settings.
    init(commitLevel: String, isSynchronizing: Bool, hasSynchronousStandbys: Bool) {
        self =
            switch commitLevel {
            case _ where !isSynchronizing: .cached
            case "off": .delayed
            case "local": .local
            default: hasSynchronousStandbys ? .replicated : .local
            }
    }
}

extension SQLDBClient {
    /// What a commit survives, by the settings that the last connection to the primary server found or made;
    /// nil when the client's engine is not PostgreSQL.
    ///
    /// ```swift
    /// guard let durability = client.postgreSQLDurability, durability >= .local else { … }
    /// ```
    public var postgreSQLDurability: PostgreSQLDurability? {
        (engine as? PostgreSQLEngine)?.pool.durability
    }
}
