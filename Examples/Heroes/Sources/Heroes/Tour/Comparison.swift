/// The reports of several engines side by side.
struct Comparison {
    let reports: [Tour.Report]

    /// Where an engine found something else than the first one.
    var differences: [String] {
        guard let first = reports.first else { return [] }
        return reports.dropFirst().flatMap { report in
            zip(first.results, report.results)
                .filter { $0.evidence != $1.evidence }
                .map { expected, _ in
                    "\(report.engine.rawValue) and \(first.engine.rawValue) differ: "
                        + expected.title
                }
        }
    }

    /// How long each step took on each engine.
    var times: Table {
        var table = Table(columns: ["step"] + reports.map { ">" + $0.engine.rawValue })
        for index in reports.first?.results.indices ?? 0..<0 {
            let results = reports.map { $0.results[index] }
            table.add(
                cells: [results.first?.title ?? ""] + results.map(\.duration.inMilliseconds)
            )
        }
        return table
    }

    #if DEBUG
    private static let timesTitle = "time, in a debug build"
    #else
    private static let timesTitle = "time"
    #endif

    /// Shows times and differences.
    ///
    /// - Returns: Whether all engines found the same.
    func show() -> Bool {
        Terminal.print("━━ \(Self.timesTitle) ━━\n")
        for line in times.lines { Terminal.print("  " + line) }
        Terminal.print()
        for difference in differences { Terminal.print(difference) }
        if reports.count > 1 && differences.isEmpty {
            Terminal.print("Same result on all engines, compared value by value.")
        }
        return differences.isEmpty
    }
}
