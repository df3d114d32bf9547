import Foundation

extension Workload {
    /// Memory that grows with the result, measured in a process of its own.
    static let memory = [
        Workload(
            "memory-fetch-all",
            "memory: peak of fetch all over its array",
            .timesArray,
            targets: [
                Target(.objectStore, .atMost(1.2)), Target(.sqliteClient, .atMost(1.2)),
            ],
            warmsUp: false
        ) { session, _ in
            try session.probe(.fetchAll)
        },
        // Constant is what does not grow from a tenth of the rows to all of them.
        Workload(
            "memory-stream",
            "memory: growth of a stream over all rows",
            .megabytes,
            targets: [Target(.objectStore, .atMost(1)), Target(.sqliteClient, .atMost(1))],
            warmsUp: false
        ) { session, _ in
            try session.probe(.stream)
        },
        // The caches of SQLite's two files fill up to 16 MB each. An object store has in memory what its one transaction
        // writes.
        Workload(
            "memory-copy",
            "memory: growth of a copy from a tenth of the rows to all",
            .megabytes,
            targets: [
                Target(.sqliteClient, .atMost(34)), Target(.postgreSQLClient, .atMost(2)),
            ],
            warmsUp: false,
            contestants: [.objectStore, .sqliteClient, .postgreSQLClient]
        ) { session, _ in
            try session.growthOfCopy()
        },
    ]
}

extension Session {
    /// Copies a tenth of the rows in one process, all of them in another, and returns how much more the second took.
    fileprivate func growthOfCopy() throws -> Sample {
        let rows = data.rows.count
        let small = try withSmallStore(of: rows / 10) { folder in
            try MemoryProbe.copy.run(kind, folder: folder, rows: rows / 10)
        }
        let large = try probe(.copy).value
        FileHandle.standardError.write(
            Data(
                """
                a copy with the \(kind.title) takes \(small) MB for \(rows / 10) rows, \(large) MB for \(rows)

                """.utf8
            )
        )
        return Sample(max(large - small, 0))
    }

    fileprivate func probe(_ probe: MemoryProbe) throws -> Sample {
        try loadStore()
        try close()
        return Sample(try probe.run(kind, folder: folder, rows: data.rows.count))
    }
}
