import DBClientCore
import Foundation

/// What a one-row write that keeps a stored view costs beyond the same write to an equal model without one.
struct StoredViewBenchmark {
    private let changes: Int
    private let rounds: Int

    /// Creates a benchmark whose figures are medians over some changes, in some rounds.
    init(changes: Int, rounds: Int) {
        self.changes = changes
        self.rounds = rounds
    }

    /// What is written and kept, each by its name.
    private enum Kept: String, CaseIterable {
        case groups = "sums of 1,000 groups"
        case fields = "two fields"
        case joinedLine = "sums of 1,000 regions, a line"
        case joinedGroup = "the same, what joins it"

        /// Writes lines in groups of ten, or a hundred of them, and what they are joined with.
        func fill(_ client: any DBClient, _ count: Int) async throws {
            func lines<Line: ViewedLine>(_ model: Line.Type) async throws {
                try await client.insert(
                    (0..<count).map { Line(id: $0, group: $0 / 10, amount: $0) }
                )
            }
            switch self {
            case .groups:
                try await client.insert(
                    (0..<count).map { GroupedLine(id: $0, group: $0 % 1_000, amount: $0) }
                )
                try await client.migrate(to: GroupedLine.self, GroupSum.self)
            case .fields:
                try await lines(CopiedLine.self)
                try await client.migrate(to: CopiedLine.self, LineAmount.self)
            case .joinedLine, .joinedGroup:
                try await client.insert(
                    (0..<count / 10).map { JoinedGroup(id: $0, group: $0 % 1_000, amount: 1) }
                )
                try await lines(JoinedLine.self)
                try await client.migrate(to: JoinedLine.self, JoinedGroup.self, RegionSum.self)
            }
            try await lines(PlainLine.self)
        }

        /// Changes one row under the view.
        func write(_ round: Int, to client: any DBClient, _ count: Int) async throws {
            let key = (round * 7_919) % count
            switch self {
            case .groups:
                try await client.update(GroupedLine.self, key: key) {
                    $0.set(\.amount, to: count + round)
                }
            case .fields:
                try await client.update(CopiedLine.self, key: key) {
                    $0.set(\.amount, to: count + round)
                }
            case .joinedLine:
                try await client.update(JoinedLine.self, key: key) {
                    $0.set(\.amount, to: count + round)
                }
            case .joinedGroup:
                // To another region, so that the sums of two change.
                try await client.update(JoinedGroup.self, key: key / 10) {
                    $0.set(\.group, to: (round * 31) % 1_000)
                }
            }
        }
    }

    /// Prints the table; `inFolder` gives each store a place of its own.
    func run(
        _ kinds: [ObservedKind],
        inFolder: ((URL) async throws -> Double) async throws -> Double,
        print row: (String, String, [Double]) -> Void
    ) async throws {
        for kept in Kept.allCases {
            for count in [10_000, 100_000] {
                for kind in kinds {
                    var costs: [Double] = []
                    for _ in 0..<rounds {
                        costs.append(try await inFolder { try await cost(kept, kind, count, $0) })
                    }
                    row("\(kind.rawValue): \(kept.rawValue)", "\(count)", costs)
                }
            }
        }
    }

    /// Returns the processor time of a write beyond that of one to the model without a view, in microseconds; both models are
    /// in one store.
    private func cost(
        _ kept: Kept,
        _ kind: ObservedKind,
        _ count: Int,
        _ place: URL
    ) async throws -> Double {
        let client = try kind.client(place)
        try await kept.fill(client, count)
        var plain: [Double] = []
        var viewed: [Double] = []
        for round in 0..<changes {
            plain.append(
                try await elapsed {
                    try await client.update(PlainLine.self, key: (round * 7_919) % count) {
                        $0.set(\.amount, to: count + round)
                    }
                }.cpu.seconds * 1e6
            )
            viewed.append(
                try await elapsed { try await kept.write(round, to: client, count) }.cpu.seconds
                    * 1e6
            )
        }
        try client.close()
        return viewed.median - plain.median
    }
}
