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
            try session.rename(round: round) { store, names in try store.rename(names) }
        },
        Workload(
            "partial-update-together",
            "the same, the best way for many",
            .microseconds,
            targets: [Target(.postgreSQLClient, .cost(1.2, of: .rawPostgreSQL))]
        ) { session, round in
            try session.rename(round: round) { store, names in try store.renameTogether(names) }
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
    /// Measures the renaming of a tenth of the rows, and looks for what it wrote.
    fileprivate func rename(
        round: Int,
        _ body: (any Contestant, [(key: Int, realName: String)]) throws -> Void
    ) throws -> Sample {
        let store = try store()
        let rows = data.revised(round: round + 1_000)
        let names = data.updatedKeys.map { (key: $0, realName: rows[$0 - 1].realName) }
        let duration = try measureWrite { try body(store, names) }
        let answer = try names.prefix(100).reduce(0) { sum, name in
            guard try store.get(name.key)?.realName == name.realName else {
                throw BenchmarkError("a renamed row has its old name")
            }
            return sum &+ name.key
        }
        return Sample(duration, .microseconds, per: names.count, answer: answer)
    }

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
