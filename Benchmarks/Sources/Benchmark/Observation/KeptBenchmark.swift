import DBClientCore
import Foundation

/// What one changed row costs under observed sums, groups, joins and ranks, beyond the same write unobserved.
struct KeptBenchmark {
    private let changes: Int
    private let rounds: Int

    /// Creates a benchmark whose figures are medians over some changes, in some rounds.
    init(changes: Int, rounds: Int) {
        self.changes = changes
        self.rounds = rounds
    }

    /// The observations, each by its name.
    private enum Kept: String, CaseIterable {
        case sum = "sum"
        case groups = "1,000 groups with sums"
        case best = "top 50 of as many groups as rows"
        case fields = "two fields"
        case join = "join with 5,000 rows"
        case joinedGroups = "1,000 groups with sums of a join with 5,000 rows"
        case matches = "two fields to which one of 5,000 rows belongs"
        case ranks = "ranks in partitions of 100 rows"

        /// How many depots there are beside so many shipments.
        func depots(_ count: Int) -> Int {
            switch self {
            case .sum, .groups, .best, .fields: 1_000
            case .join, .joinedGroups, .matches: 5_000
            case .ranks: count / 100
            }
        }

        /// Begins to observe and returns what waits for the next delivery.
        func begin(_ client: any DBClient) async throws -> () async throws -> Void {
            switch self {
            case .sum:
                var sums = client.observeSum(\.amount, of: Shipment.all).makeAsyncIterator()
                _ = try await sums.next()
                return { _ = try await sums.next() }
            case .groups:
                let request = Shipment.all.grouped(by: \.depot).select(.count, .sum(\.amount))
                return try await rows(client.observe(request))
            case .best:
                let request = Shipment.all.grouped(by: \.id)
                    .sorted { $0.sum(\.amount).descending }.limit(50).select(.sum(\.amount))
                return try await rows(client.observe(request))
            case .fields:
                return try await rows(client.observe(Shipment.all.select(\.id, \.amount)))
            case .join:
                let join = Shipment.join(Depot.self) { $0.depot == $1.id }
                let request = join.select { shipment, depot in (shipment.amount, depot.region) }
                return try await rows(client.observe(request))
            case .joinedGroups:
                let join = Shipment.join(Depot.self) { $0.depot == $1.id }
                let groups = join.grouped { shipment, depot in depot.region }
                let request = groups.select(.count, .sum { shipment, _ in shipment.amount })
                return try await rows(client.observe(request))
            case .matches:
                let served = Shipment.where { shipment in
                    Depot.all.exists { $0.id == shipment.depot }
                }
                return try await rows(client.observe(served.select(\.id, \.amount)))
            case .ranks:
                let request = Shipment.all.select { shipment in
                    let depot = Window(of: shipment, by: shipment.depot)
                        .sorted(by: shipment.amount.descending)
                    return (shipment.id, depot.rank)
                }
                return try await rows(client.observe(request))
            }
        }

        private func rows<Row: Sendable>(
            _ stream: SelectStream<Row>
        ) async throws -> () async throws -> Void {
            var iterator = stream.makeAsyncIterator()
            _ = try await iterator.next()
            return {
                guard try await iterator.next() != nil else {
                    throw BenchmarkError("nothing was delivered")
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

    /// Returns the processor time of a change beyond that of the write, in microseconds.
    private func cost(
        _ kept: Kept,
        _ kind: ObservedKind,
        _ count: Int,
        _ place: URL
    ) async throws -> Double {
        let clients = try (kind.client(place, "plain"), kind.client(place, "observed"))
        for client in [clients.0, clients.1] {
            let depots = kept.depots(count)
            try await client.insert((0..<count).map { Shipment($0, $0 % depots, $0) })
            try await client.insert((0..<depots).map { Depot($0, $0 % 1_000) })
        }
        let delivery = try await kept.begin(clients.1)
        func write(_ round: Int, to client: any DBClient) async throws {
            // Among the first fifty each time, so that there is something to deliver; of the ranks the last of its partition
            // where it was one of the first.
            let key = (round * 7_919) % count
            let amount = kept == .ranks && key >= count / 2 ? -round : count * 2 + round
            try await client.update(Shipment.self, key: key) {
                $0.set(\.amount, to: amount)
            }
        }
        var plain: [Double] = []
        var observed: [Double] = []
        for round in 0..<changes {
            plain.append(
                try await elapsed { try await write(round, to: clients.0) }.cpu.seconds * 1e6
            )
            observed.append(
                try await elapsed {
                    try await write(round, to: clients.1)
                    try await delivery()
                }.cpu.seconds * 1e6
            )
        }
        try clients.0.close()
        try clients.1.close()
        return observed.median - plain.median
    }
}

/// What is summed and grouped.
private struct Shipment: Stored {
    let id: Int
    var depot: Int
    var amount: Int

    init(_ id: Int, _ depot: Int, _ amount: Int) {
        self.id = id
        self.depot = depot
        self.amount = amount
    }

    static let schema = Schema<Shipment>(
        name: "Shipment",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.depot, "depot"),
            .field(\.amount, "amount"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        depot = try row.read()
        amount = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(depot)
        try row.write(amount)
    }
}

/// What is joined to it.
private struct Depot: Stored {
    let id: Int
    var region: Int

    init(_ id: Int, _ region: Int) {
        self.id = id
        self.region = region
    }

    static let schema = Schema<Depot>(
        name: "Depot",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.region, "region")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        region = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(region)
    }
}
