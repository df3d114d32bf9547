/// What is asked of one of the library's clients in a workload.
struct Target: Sendable {
    /// Whose figure it is about.
    let subject: ContestantKind
    /// What is asked.
    let bound: Bound

    /// Creates a target.
    init(_ subject: ContestantKind, _ bound: Bound) {
        self.subject = subject
        self.bound = bound
    }

    /// A limit.
    enum Bound: Sendable {
        /// At most this many times the cost of the same work by hand.
        case cost(Double, of: ContestantKind)
        /// At least this many times as fast as a rival; 1 is "not slower".
        case faster(Double, than: ContestantKind)
        /// At least this many times its own speed in another workload.
        case speedUp(Double, over: String)
        /// A figure that is at most this.
        case atMost(Double)
    }
}

extension [Target] {
    /// The targets of a usual row: both clients against the engine by hand, the SQLite client against
    /// GRDB's hand-written records, and never slower than GRDB's SQL.
    static func ratios(
        lmdb: Double,
        sqlite: Double,
        overRecords: Double,
        postgreSQL: Double? = nil
    ) -> [Target] {
        let server = postgreSQL.map { [Target(.postgreSQLClient, .cost($0, of: .rawPostgreSQL))] }
        return (server ?? []) + [
            Target(.objectStore, .cost(lmdb, of: .rawLMDB)),
            Target(.sqliteClient, .cost(sqlite, of: .rawSQLite)),
            Target(.sqliteClient, .faster(overRecords, than: .grdbRecords)),
            Target(.sqliteClient, .faster(1, than: .grdbSQL)),
        ]
    }
}
