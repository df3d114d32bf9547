extension Workload {
    /// Loading an empty store, and what it weighs then.
    static let bulkInserts = [
        Workload(
            "bulk-insert",
            "bulk insert, one transaction",
            .microseconds,
            targets: .ratios(lmdb: 1.25, sqlite: 1.2, overRecords: 3, postgreSQL: 1.15),
            warmsUp: false
        ) { session, _ in
            try session.bulkInsert(session.data.rows, keepingStore: true)
        },
        Workload(
            "bulk-insert-shuffled",
            "the same, keys in random order",
            .microseconds,
            warmsUp: false
        ) { session, _ in
            try session.bulkInsert(session.shuffledRows, keepingStore: false)
        },
        Workload(
            "file-size",
            "file after the bulk insert",
            .megabytes,
            warmsUp: false,
            contestants: ContestantKind.embedded
        ) { session, _ in
            try session.loadStore()
            try session.close()
            return Sample(try session.storeBytes() / 1_000_000)
        },
    ]
}

extension Session {
    /// Inserts rows into a new store; afterwards it is the session's store, or gone.
    fileprivate func bulkInsert(_ rows: [Character], keepingStore: Bool) throws -> Sample {
        let empty = try beginEmptyStore()
        let duration = try measureWrite { try empty.insert(rows) }
        let answer = try empty.countActive(over: 5_000)
        try endEmptyStore(empty, keeping: keepingStore)
        return Sample(duration, .microseconds, per: rows.count, answer: answer)
    }
}
