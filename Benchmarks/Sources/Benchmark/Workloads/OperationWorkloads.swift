extension Workload {
    /// Fields, groups, positions, and work put together from values.
    static let operations = [
        Workload(
            "select-two",
            "two of eight fields of every row",
            .microseconds,
            targets: [
                Target(.objectStore, .speedUp(1.5, over: "fetch-all")),
                Target(.sqliteClient, .speedUp(1.5, over: "fetch-all")),
                Target(.inMemory, .speedUp(1.5, over: "fetch-all")),
            ],
            contestants: .all
        ) { session, _ in
            let store = try session.store()
            var names: [(Int, String)] = []
            let duration = try session.measure { names = try store.names() }
            let answer = names.reduce(0) { $0 &* 31 &+ $1.0 &+ $1.1.utf8.count }
            return Sample(duration, .microseconds, per: Swift.max(names.count, 1), answer: answer)
        },
        Workload(
            "group",
            "count and sum by publisher",
            .milliseconds,
            targets: [
                Target(.objectStore, .cost(1.3, of: .rawLMDB)),
                Target(.sqliteClient, .cost(1.3, of: .rawSQLite)),
            ],
            contestants: .all
        ) { session, _ in
            let store = try session.store()
            var totals: [PublisherTotal] = []
            let duration = try session.measure(times: 5) { totals = try store.publishers() }
            return Sample(duration, .milliseconds, per: 5, answer: totals.hashValue)
        },
        Workload(
            "positions",
            "rows by random positions of results",
            .microseconds,
            targets: [
                Target(.objectStore, .speedUp(1 / 1.5, over: "get")),
                Target(.sqliteClient, .speedUp(1 / 1.5, over: "get")),
                Target(.inMemory, .speedUp(1 / 1.5, over: "get")),
            ],
            contestants: .all
        ) { session, _ in
            let store = try session.store()
            let positions = session.data.keys.map { $0 - 1 }
            var sum = 0
            let duration = try session.measure { sum = try store.get(positions: positions) }
            return Sample(duration, .microseconds, per: positions.count, answer: sum)
        },
        tenSteps("ten-steps", "ten updates in one write") { try $0.rename($1) },
        tenSteps(
            "ten-operations",
            "ten updates as one operation",
            targets: [
                Target(.objectStore, .speedUp(1 / 1.1, over: "ten-steps")),
                Target(.sqliteClient, .speedUp(1 / 1.1, over: "ten-steps")),
            ]
        ) { try $0.renameInSteps($1) },
    ]

    private static func tenSteps(
        _ name: String,
        _ title: String,
        targets: [Target] = [],
        rename: @escaping @Sendable (any Contestant, [(key: Int, realName: String)]) throws -> Void
    ) -> Workload {
        Workload(name, title, .microseconds, targets: targets) { session, round in
            let store = try session.store()
            // By turns, since an engine may leave a page alone that stays as it is.
            let turns = ["one", "other"].map { turn in
                session.data.updatedKeys.prefix(10).map {
                    (key: $0, realName: "\(name) \(round), \(turn)")
                }
            }
            var turn = 0
            let duration = try session.measure(times: 200) {
                try rename(store, turns[turn % 2])
                turn += 1
            }
            let answer = try turns[(turn - 1) % 2].reduce(0) { sum, name in
                guard try store.get(name.key)?.realName == name.realName else {
                    throw BenchmarkError("a renamed row has its old name")
                }
                return sum &+ name.key
            }
            return Sample(duration, .microseconds, per: 200, answer: answer)
        }
    }
}
