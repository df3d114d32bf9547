extension Workload {
    /// Getting single rows.
    static let keyReads = [
        Workload(
            "get",
            "get by key, in one transaction",
            .microseconds,
            targets: .ratios(lmdb: 1.3, sqlite: 1.5, overRecords: 10),
            contestants: .all
        ) { session, _ in
            let store = try session.store()
            let keys = session.data.keys
            var sum = 0
            let duration = try session.measure { sum = try store.get(keys) }
            return Sample(duration, .microseconds, per: keys.count, answer: sum)
        },
        Workload(
            "get-each",
            "get by key, a call each",
            .microseconds,
            targets: .ratios(lmdb: 2, sqlite: 2.5, overRecords: 8, postgreSQL: 1.15)
        ) { session, _ in
            let store = try session.store()
            let keys = session.data.singleKeys
            var sum = 0
            let duration = try session.measure {
                for key in keys { sum &+= try store.get(key)?.weight ?? 0 }
            }
            return Sample(duration, .microseconds, per: keys.count, answer: sum)
        },
        Workload(
            "get-async",
            "the same without blocking a thread",
            .microseconds,
            targets: [Target(.postgreSQLClient, .cost(1.4, of: .rawPostgreSQL))],
            contestants: [.rawPostgreSQL, .postgreSQLClient]
        ) { session, _ in
            let store = try session.store()
            let keys = session.data.singleKeys
            var sum = 0
            let duration = try await elapsed {
                for key in keys { sum &+= try await store.getAsync(key)?.weight ?? 0 }
            }
            return Sample(duration, .microseconds, per: keys.count, answer: sum)
        },
        Workload(
            "get-at-once",
            "get by key, a call each, 8 callers at once",
            .microseconds,
            targets: [Target(.postgreSQLClient, .cost(1.2, of: .rawPostgreSQL))],
            // One connection by hand is one caller's.
            contestants: Set(ContestantKind.allCases).subtracting([.rawLMDB, .rawSQLite])
        ) { session, _ in
            try await session.getAtOnce { store, lists in try await store.getAtOnce(lists) }
        },
        Workload(
            "get-at-once-async",
            "the same without blocking a thread, 8 at once",
            .microseconds,
            targets: [Target(.postgreSQLClient, .cost(1.2, of: .rawPostgreSQL))],
            contestants: [.rawPostgreSQL, .postgreSQLClient]
        ) { session, _ in
            try await session.getAtOnce { store, lists in try await store.getAtOnceAsync(lists) }
        },
    ]
}

extension Session {
    /// Measures gets of eight callers.
    fileprivate func getAtOnce(
        _ body: (any Contestant, [[Int]]) async throws -> Int
    ) async throws -> Sample {
        let store = try store()
        let keys = data.singleKeys
        let lists = (0..<8).map { caller in
            stride(from: caller, to: keys.count, by: 8).map { keys[$0] }
        }
        var sum = 0
        let duration = try await elapsed { sum = try await body(store, lists) }
        return Sample(duration, .microseconds, per: keys.count, answer: sum)
    }
}
