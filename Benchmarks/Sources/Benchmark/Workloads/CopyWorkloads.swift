extension Workload {
    /// Copying all of a store into a new one of its kind.
    static let copies = [
        Workload(
            "copy",
            "copy into a new store, per row",
            .microseconds,
            targets: [
                Target(.objectStore, .cost(1.5, of: .rawLMDB)),
                Target(.sqliteClient, .cost(1.5, of: .rawSQLite)),
                Target(.postgreSQLClient, .cost(1.5, of: .rawPostgreSQL)),
            ],
            warmsUp: false,
            contestants: [
                .rawLMDB, .objectStore, .rawSQLite, .sqliteClient, .rawPostgreSQL,
                .postgreSQLClient,
            ]
        ) { session, _ in
            let store = try session.store()
            let empty = try session.beginEmptyStore()
            let duration = try session.measureWrite { try store.copy(into: empty) }
            let answer = try empty.countActive(over: 5_000)
            try session.endEmptyStore(empty, keeping: false)
            return Sample(duration, .microseconds, per: session.data.rows.count, answer: answer)
        }
    ]
}
