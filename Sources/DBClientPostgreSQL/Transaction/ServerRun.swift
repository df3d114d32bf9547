/// The time of a server between two recoveries, in which it gives no number twice.
///
/// A server that was killed, or a standby that was promoted, goes on counting from the last number that
/// it finds written. Its statistics do not survive that, so the moment of their reset tells one run from
/// the next; when a person resets them, a run looks like two, which is safe.
struct ServerRun: Equatable, Sendable {
    let beginning: Int64

    /// The SQL expression that selects it, null where the server does not report it.
    static let expression = """
        (SELECT (pg_catalog.date_part('epoch', stats_reset) * 1000000)::bigint
        FROM pg_catalog.pg_stat_bgwriter)
        """
}
