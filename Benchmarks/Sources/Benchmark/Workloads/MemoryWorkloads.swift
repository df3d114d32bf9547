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
    ]
}

extension Session {
    fileprivate func probe(_ probe: MemoryProbe) throws -> Sample {
        try loadStore()
        try close()
        return Sample(try probe.run(kind, folder: folder, rows: data.rows.count))
    }
}
