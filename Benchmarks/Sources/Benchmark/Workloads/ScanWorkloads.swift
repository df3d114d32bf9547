extension Workload {
    /// Reading every row for few answers.
    static let scans = [
        Workload(
            "filter-sort-limit",
            "filter + sort + limit 50, unindexed",
            .milliseconds,
            targets: .ratios(lmdb: 1.3, sqlite: 1.15, overRecords: 1)
        ) { session, _ in
            let store = try session.store()
            var fetched: (any FetchedRows)?
            let duration = try session.measure(times: 5) {
                fetched = try store.strongest(over: 5_000, limit: 50)
            }
            let rows = fetched?.characters ?? []
            return Sample(duration, .milliseconds, per: 5, answer: rows.fingerprint)
        },
        Workload(
            "count",
            "count, unindexed filter",
            .milliseconds,
            targets: .ratios(lmdb: 1.2, sqlite: 1.1, overRecords: 1)
        ) { session, _ in
            let store = try session.store()
            var count = 0
            let duration = try session.measure(times: 5) {
                count = try store.countActive(over: 5_000)
            }
            return Sample(duration, .milliseconds, per: 5, answer: count)
        },
    ]
}
