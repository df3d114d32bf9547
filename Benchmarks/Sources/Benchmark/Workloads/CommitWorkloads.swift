import Foundation

extension Workload {
    /// Durable transactions of one row.
    static let commits = [
        Workload("commit-1", "one task, a row per commit", .commitsPerSecond) { session, round in
            try await session.commit(tasks: 1, each: 200, round: round)
        },
        Workload(
            "commit-64",
            "64 tasks, a row per commit",
            .commitsPerSecond,
            targets: [
                Target(.objectStore, .speedUp(10, over: "commit-1")),
                Target(.sqliteClient, .speedUp(8, over: "commit-1")),
                Target(.sqliteClient, .faster(5, than: .grdbRecords)),
                Target(.sqliteClient, .faster(1, than: .grdbSQL)),
            ]
        ) { session, round in
            try await session.commit(tasks: 64, each: 20, round: round)
        },
        // What sharing a commit can come to at most: the rows are at hand, and one caller writes them.
        Workload(
            "commit-together",
            "one caller, 64 rows per commit",
            .rowsPerSecond,
            contestants: ContestantKind.embedded
        ) { session, round in try session.commitTogether(64, times: 20, round: round) },
    ]
}

extension Session {
    /// Commits rows one by one in several tasks at once, and deletes them again.
    fileprivate func commit(tasks: Int, each: Int, round: Int) async throws -> Sample {
        let store = try store()
        let rows = data.extra(tasks * each, round: round)
        sync()
        let duration = try await elapsed {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<tasks {
                    let own = rows[task * each..<(task + 1) * each]
                    group.addTask { for row in own { try await store.commit(row) } }
                }
                try await group.waitForAll()
            }
        }
        let count = try store.delete(rows.map(\.id))
        guard count == rows.count else { throw BenchmarkError("an acknowledged row is missing") }
        return Sample(duration, .commitsPerSecond, per: rows.count, answer: count)
    }

    /// Commits rows by so many at once, and deletes them again.
    fileprivate func commitTogether(_ count: Int, times: Int, round: Int) throws -> Sample {
        let store = try store()
        let rows = data.extra(count * times, round: round)
        sync()
        // Those that tasks commit together come from all of them, too.
        let groups = (0..<times).map { group in (0..<count).map { rows[group + $0 * times] } }
        let duration = try elapsed(times: 1) { for group in groups { try store.insert(group) } }
        let deleted = try store.delete(rows.map(\.id))
        guard deleted == rows.count else { throw BenchmarkError("an acknowledged row is missing") }
        return Sample(duration, .rowsPerSecond, per: rows.count, answer: deleted)
    }
}
