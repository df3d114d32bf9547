import Foundation

extension Report {
    /// Returns the figures of every round, and the verdicts.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(document)
    }

    private var document: Document {
        Document(
            environment: .current,
            rows: options.rows,
            rounds: options.rounds,
            workloads: workloads.map { workload in
                Document.Row(
                    name: workload.name,
                    unit: workload.unit,
                    contestants: options.contestants.reduce(into: [:]) { figures, kind in
                        guard let measured = results[workload.name, kind] else { return }
                        figures[kind.rawValue] = Document.Figures(
                            minimum: measured.minimum,
                            median: measured.median,
                            maximum: measured.maximum,
                            isNoisy: measured.isNoisy,
                            values: measured.values,
                            cpuValues: measured.cpuValues
                        )
                    },
                    targets: workload.targets.compactMap { target in
                        Verdict(target, in: workload, results).map { verdict in
                            Document.Outcome(
                                subject: target.subject,
                                rival: target.bound.rival,
                                asked: target.bound.asked,
                                reached: verdict.value,
                                reachedByCPU: verdict.cpuValue,
                                isHit: verdict.isHit
                            )
                        }
                    }
                )
            }
        )
    }
}

/// The shape of the JSON.
private struct Document: Encodable {
    struct Row: Encodable {
        let name: String
        let unit: Unit
        let contestants: [String: Figures]
        let targets: [Outcome]
    }

    struct Figures: Encodable {
        let minimum: Double
        let median: Double
        let maximum: Double
        let isNoisy: Bool
        let values: [Double]
        let cpuValues: [Double]
    }

    struct Outcome: Encodable {
        let subject: ContestantKind
        let rival: String
        let asked: String
        let reached: Double
        let reachedByCPU: Double?
        let isHit: Bool
    }

    let environment: Environment
    let rows: Int
    let rounds: Int
    let workloads: [Row]
}
