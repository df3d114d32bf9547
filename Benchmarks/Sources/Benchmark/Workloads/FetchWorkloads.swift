extension Workload {
    /// Fetching many rows.
    static let fetches = [
        Workload(
            "fetch-all",
            "fetch all as structs",
            .microseconds,
            targets: .ratios(lmdb: 1.15, sqlite: 1.15, overRecords: 1, postgreSQL: 1.3) + [
                Target(.sqliteClient, .faster(4, than: .grdbCodable))
            ],
            contestants: .all
        ) { session, _ in
            let store = try session.store()
            return try session.measureFetch(.microseconds) { try store.fetchAll() }
        },
        Workload(
            "indexed-query",
            "indexed query of ~2,000 rows, per row",
            .microseconds,
            targets: .ratios(lmdb: 1.25, sqlite: 1.25, overRecords: 1.2, postgreSQL: 1.2)
        ) { session, _ in
            let store = try session.store()
            var value = 0.0
            var cpu = 0.0
            var answer = 0
            // Each publisher once: the first queries find the processor's cache full of another contestant's rows.
            for publisher in 1...50 {
                let sample = try session.measureFetch(.microseconds) {
                    try store.fetch(publisher: publisher)
                }
                value += sample.value / 50
                cpu += (sample.cpu ?? .nan) / 50
                answer &+= sample.answer
            }
            return Sample(value, cpu: cpu, answer: answer)
        },
    ]
}

extension Session {
    /// Measures a fetch per row, and checks what it gives once the clock has stopped.
    fileprivate func measureFetch(
        _ unit: Unit,
        _ fetch: () throws -> any FetchedRows
    ) throws -> Sample {
        var fetched: (any FetchedRows)?
        let duration = try measure { fetched = try fetch() }
        let rows = fetched?.characters ?? []
        return Sample(duration, unit, per: max(rows.count, 1), answer: rows.fingerprint)
    }
}
