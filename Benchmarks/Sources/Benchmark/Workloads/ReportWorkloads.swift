extension Workload {
    /// Reports over lines, products and customers, typed and by hand.
    static let reports = (SalesReport.all + SalesReport.windows).map { report in
        Workload(
            report.name,
            report.title,
            .milliseconds,
            targets: [
                Target(.sqliteClient, .cost(1.1, of: .rawSQLite)),
                Target(.postgreSQLClient, .cost(1.1, of: .rawPostgreSQL)),
                Target(.objectStore, .cost(1, of: .sqliteClient)),
                Target(.inMemory, .cost(1, of: .sqliteClient)),
            ],
            contestants: [
                .rawSQLite, .sqliteClient, .objectStore, .inMemory, .rawPostgreSQL,
                .postgreSQLClient,
            ]
        ) { session, _ in
            let store = try session.sales()
            var answer: () -> Int = { 0 }
            let duration = try session.measure { answer = try store.run(report) }
            return Sample(duration, .milliseconds, per: 1, answer: answer())
        }
    }
}
