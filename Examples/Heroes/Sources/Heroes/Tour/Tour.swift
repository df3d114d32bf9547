import DBClientCore
import Foundation

/// All steps on one engine, shown while they run.
struct Tour {
    let engine: EngineKind
    let file: HeroesFile

    /// What the tour found and how long it took.
    struct Report {
        let engine: EngineKind
        var results: [Result] = []
    }

    /// What one step found and how long it took.
    struct Result {
        let title: String
        let duration: Duration
        let evidence: Data
    }

    /// Runs every step on a new store.
    func run(on client: any DBClient) async throws -> Report {
        Terminal.print("━━ \(engine.rawValue) ━━")
        var report = Report(engine: engine)
        report.results.append(try await importFile(into: client))
        for step in Steps.all {
            let start = ContinuousClock.now
            let outcome = try await step.run(client)
            let duration = ContinuousClock.now - start
            report.results.append(
                Result(title: step.title, duration: duration, evidence: outcome.evidence)
            )
            show(step.title, duration, outcome.table.lines)
        }
        return report
    }

    private func importFile(into client: any DBClient) async throws -> Result {
        let bar = ProgressBar("Importing")
        let start = ContinuousClock.now
        try await Import(file: file).run(into: client) { bar.draw($0) }
        let duration = ContinuousClock.now - start
        bar.clear()
        show(
            "Import",
            duration,
            [
                "Imported \(file.publishers.count) publishers and "
                    + "\(file.characters.count) characters."
            ]
        )
        return Result(title: "Import", duration: duration, evidence: Data())
    }

    private func show(_ title: String, _ duration: Duration, _ lines: [String]) {
        Terminal.print("\n\(title)  (\(duration.inMilliseconds))")
        for line in lines { Terminal.print("  " + line) }
    }
}
