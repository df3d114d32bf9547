extension Workload {
    /// Opening a store that is there, up to the first row.
    static let openings = [
        Workload(
            "open",
            "open an existing store, get one row",
            .milliseconds
        ) { session, _ in
            try session.loadStore()
            try session.close()
            let times = 20
            var total = Elapsed()
            var answer = 0
            for _ in 0..<times {
                var opened: (any Contestant)?
                total += try session.measure {
                    let store = try session.kind.open(folder: session.folder)
                    answer = try store.get(1)?.weight ?? 0
                    opened = store
                }
                try opened?.close()
            }
            return Sample(total, .milliseconds, per: times, answer: answer)
        }
    ]
}
