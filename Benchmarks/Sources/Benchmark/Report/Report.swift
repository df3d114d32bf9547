import Foundation

/// What a run gave, for a person and for a program.
struct Report {
    /// The command line.
    let options: Options
    /// The figures.
    let results: Results

    /// Creates a report.
    init(_ options: Options, _ results: Results) {
        self.options = options
        self.results = results
    }

    /// The workloads that ran.
    var workloads: [Workload] { options.workloads.filter(results.contains) }

    /// The header and the tables.
    var text: String {
        var parts = [Environment.current.text(options), figures]
        if let verdicts { parts.append(verdicts) }
        return parts.joined(separator: "\n\n")
    }

    /// Median, and least to most, of every contestant in every workload.
    private var figures: String {
        var table = Table(["median (least-most of \(options.rounds))", "unit"])
        table.headings += options.contestants.map(\.title)
        for workload in workloads {
            var cells = [workload.title, workload.unit.rawValue]
            for kind in options.contestants {
                cells.append(results[workload.name, kind].map(Self.cell) ?? "-")
            }
            table.add(cells)
        }
        return table.text + "\n~ the rounds differ by more than 35 %: the machine was busy"
    }

    private static func cell(_ measurement: Measurement) -> String {
        let range = "\(measurement.minimum.short)-\(measurement.maximum.short)"
        return "\(measurement.isNoisy ? "~" : "")\(measurement.median.short) (\(range))"
    }

    /// Ratios against targets, when the library's clients ran.
    private var verdicts: String? {
        var table = Table(["target", "client", "against", "asked", "reached", "by CPU", ""])
        var missed = 0
        for workload in workloads {
            for target in workload.targets {
                guard let verdict = Verdict(target, in: workload, results) else { continue }
                if !verdict.isHit { missed += 1 }
                table.add([
                    workload.title, target.subject.title, target.bound.rival,
                    target.bound.asked, target.bound.reached(verdict.value),
                    verdict.cpuValue.map(target.bound.reached) ?? "-",
                    verdict.isHit ? "hit" : "MISSED",
                ])
            }
        }
        if table.isEmpty { return nil }
        return table.text + "\n\(missed) MISSED"
    }
}

extension Target.Bound {
    /// Against what the target holds.
    var rival: String {
        switch self {
        case .cost(_, of: let kind), .faster(_, than: let kind): kind.title
        case .speedUp(_, over: let name): "itself, \(name)"
        case .atMost: "-"
        }
    }

    /// What the target says.
    var asked: String {
        switch self {
        case .cost(let limit, _), .atMost(let limit): "<= \(limit.short)"
        case .faster(let least, than: _) where least == 1: "not slower"
        case .faster(let least, than: _), .speedUp(let least, over: _):
            ">= \(least.short)x faster"
        }
    }

    /// A verdict's value in the target's words.
    fileprivate func reached(_ value: Double) -> String {
        switch self {
        case .cost, .atMost: value.short
        case .faster, .speedUp: "\(value.short)x"
        }
    }
}

extension Double {
    /// Three significant digits, without an exponent.
    var short: String {
        if self >= 99.95 || self == 0 { return String(format: "%.0f", self) }
        if self >= 9.995 { return String(format: "%.1f", self) }
        return String(format: "%.2f", self)
    }
}
