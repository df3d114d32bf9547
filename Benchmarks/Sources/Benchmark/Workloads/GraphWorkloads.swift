extension Workload {
    /// Values that hold values: an owner for each five rows of the run, with a maker and five parts.
    static let graphs = [
        Workload(
            "graph-save",
            "save owners with a maker and 5 parts each, one commit",
            .milliseconds,
            targets: [Target(.sqliteClient, .faster(3, than: .grdbRecords))],
            contestants: graphContestants
        ) { session, _ in
            let owners = Owner.sample(max(session.data.rows.count / 5, 1))
            let store = try session.beginGraph("new-graph")
            let duration = try session.measureWrite { try store.save(owners) }
            let answer = try store.fetchAll().owners.fingerprint
            try store.close()
            return Sample(duration, .milliseconds, per: 1, answer: answer)
        },
        Workload(
            "graph-fetch",
            "fetch owners with what they hold",
            .milliseconds,
            targets: [
                Target(.sqliteClient, .faster(1.5, than: .grdbRecords)),
                Target(.objectStore, .faster(4, than: .grdbRecords)),
            ],
            contestants: graphContestants
        ) { session, _ in
            let store = try session.graph()
            var fetched: (any FetchedOwners)?
            let duration = try session.measure { fetched = try store.fetchAll() }
            return Sample(
                duration,
                .milliseconds,
                per: 1,
                answer: fetched?.owners.fingerprint ?? 0
            )
        },
        Workload(
            "related-condition",
            "count by an indexed field of what is held",
            .microseconds,
            targets: [Target(.sqliteClient, .cost(1.3, of: .rawSQLite))],
            contestants: graphContestants
        ) { session, _ in
            let store = try session.graph()
            var count = 0
            let duration = try session.measure(times: 50) {
                for number in 0..<10 { count &+= try store.count(makerName: "maker \(number)") }
            }
            return Sample(duration, .microseconds, per: 500, answer: count)
        },
    ]

    private static let graphContestants: Set<ContestantKind> = [
        .objectStore, .sqliteClient, .rawSQLite, .grdbRecords, .postgreSQLClient,
    ]
}
