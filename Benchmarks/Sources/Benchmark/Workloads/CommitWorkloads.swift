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
}
