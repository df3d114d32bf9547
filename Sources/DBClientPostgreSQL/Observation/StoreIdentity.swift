/// Which tables a session reads and writes, among those of all servers that this process uses.
struct StoreIdentity: Hashable {
    /// The cluster, of which a standby is a part.
    let cluster: Int64
    /// Whether the session's server only follows another one, and may be behind.
    let isStandby: Bool
    let database: String
    let schema: String
    /// The random identifier of the process.
    let process: String
}
