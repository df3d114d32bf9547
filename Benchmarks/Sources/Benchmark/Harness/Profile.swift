import Foundation

/// Runs one workload of one contestant in a loop.
struct Profile {
    /// The command line.
    let options: Options

    /// Runs the loop and prints the figures.
    func run(_ workload: Workload, in folder: URL) async throws {
        let data = Dataset(count: options.rows)
        let shuffledRows = data.shuffled
        for kind in options.contestants.prefix(1) {
            let session = Session(kind, in: folder, data: data, shuffledRows: shuffledRows)
            for round in 1...options.iterations {
                let sample = try await workload.run(session, round)
                print("\(kind.title), \(workload.title): \(sample.value) \(workload.unit.rawValue)")
            }
            try session.end()
        }
    }
}
