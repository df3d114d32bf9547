extension Workload {
    /// Changing rows that are there; each workload leaves as many as it found.
    static let changes = [
        Workload(
            "upsert",
            "upsert of existing rows",
            .microseconds,
            targets: .ratios(lmdb: 1.4, sqlite: 1.3, overRecords: 4, postgreSQL: 1.2)
        ) { session, round in
            let store = try session.store()
            let rows = session.data.revised(round: round)
            let duration = try session.measureWrite { try store.upsert(rows) }
            return Sample(
                duration,
                .microseconds,
                per: rows.count,
                answer: try store.countActive(over: 0)
            )
        },
        Workload(
            "partial-update",
            "partial update by key",
            .microseconds,
            targets: .ratios(lmdb: 1.4, sqlite: 1.3, overRecords: 4, postgreSQL: 1.2)
        ) { session, round in
            let store = try session.store()
            let rows = session.data.revised(round: round + 1_000)
            let names = session.data.updatedKeys.map { (key: $0, realName: rows[$0 - 1].realName) }
            let duration = try session.measureWrite { try store.rename(names) }
            let answer = try names.prefix(100).reduce(0) { sum, name in
                guard try store.get(name.key)?.realName == name.realName else {
                    throw BenchmarkError("a renamed row has its old name")
                }
                return sum &+ name.key
            }
            return Sample(duration, .microseconds, per: names.count, answer: answer)
        },
        Workload(
            "delete",
            "delete by key",
            .microseconds,
            targets: .ratios(lmdb: 1.3, sqlite: 1.3, overRecords: 2)
        ) { session, _ in
            try session.delete { store, keys in try store.delete(keys) }
        },
        Workload(
            "delete-together",
            "the same, the best way for many",
            .microseconds
        ) { session, _ in
            try session.delete { store, keys in try store.deleteTogether(keys) }
        },
    ]
}

extension Session {
    /// Measures a deletion, looks for what it left, and puts the rows back.
    fileprivate func delete(
        _ body: (any Contestant, [Int]) throws -> Int
    ) throws -> Sample {
        let store = try store()
        let keys = data.deletedKeys
        var count = 0
        let duration = try measureWrite { count = try body(store, keys) }
        guard try keys.prefix(100).allSatisfy({ try store.get($0) == nil }) else {
            throw BenchmarkError("a deleted row is still there")
        }
        try store.insert(keys.map { data.rows[$0 - 1] })
        return Sample(duration, .microseconds, per: keys.count, answer: count)
    }
}
