import Foundation

/// Runs workloads, contestants in turn within every round, and collects the figures.
struct Runner {
    private let options: Options
    private let sessions: [Session]

    /// Creates a runner with a new store for each contestant.
    init(_ options: Options, in folder: URL) {
        self.options = options
        let data = Dataset(count: options.rows)
        let shuffledRows = data.shuffled
        sessions = options.contestants.map {
            Session($0, in: folder, data: data, shuffledRows: shuffledRows)
        }
    }

    /// Runs the workloads and returns what they gave.
    func run() async throws -> Results {
        var results = Results()
        for workload in options.workloads {
            // Round 0 warms caches and is not counted.
            for round in (workload.warmsUp ? 0 : 1)...options.rounds {
                note("\(workload.name) \(round)/\(options.rounds)")
                try await run(workload, round, &results)
            }
        }
        for session in sessions { try session.end() }
        note("")
        return results
    }

    private func run(_ workload: Workload, _ round: Int, _ results: inout Results) async throws {
        var answers: [(kind: ContestantKind, answer: Int)] = []
        let sessions = sessions.filter { workload.contestants.contains($0.kind) }
        if sessions.isEmpty { return }
        // Another one begins each round, so that none always follows the same neighbour.
        for index in sessions.indices {
            let session = sessions[(index + round) % sessions.count]
            ProcessMemory.trim()
            let sample = try await workload.run(session, round)
            answers.append((session.kind, sample.answer))
            if round > 0 { results.add(sample, workload, session.kind) }
        }
        for (kind, answer) in answers where answer != answers[0].answer {
            throw BenchmarkError(
                "\(workload.name): \(kind.title) and \(answers[0].kind.title) disagree"
            )
        }
    }

    /// Shows progress on a terminal.
    private func note(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}
