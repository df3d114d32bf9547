import DBClientCore
import Foundation

/// What observing costs: the processor time of the process for one change, from the commit to the
/// delivered change set, beyond that of the same write unobserved; and what it costs a writer.
struct ObservationBenchmark {
    private let folder: URL
    private let changes: Int
    private let rounds: Int

    /// Creates a benchmark with stores in a folder.
    ///
    /// - Parameters:
    ///   - folder: Where the stores are made.
    ///   - changes: How many changes the medians are over.
    ///   - rounds: How often the cost of a change is measured, the stores by turns.
    init(in folder: URL, changes: Int = 300, rounds: Int = 5) {
        self.folder = folder
        self.changes = changes
        self.rounds = rounds
    }

    /// Runs everything and prints the tables.
    func run() async throws {
        try await changesOfOneRow()
        print(
            "\none-row change under sums and groups, CPU in us beyond the write, \(rounds) rounds"
        )
        print(row("store", "rows", "beyond", "least", "most"))
        try await KeptBenchmark(changes: changes, rounds: rounds)
            .run(ObservedKind.allCases.filter { $0 != .grdb }, inFolder: inFolder) {
                print(row($0, $1, range($2)))
                // Also into a file at once: it takes minutes.
                fflush(nil)
            }
        print(
            "\none-row change that keeps a stored view, CPU in us beyond the write, \(rounds) rounds"
        )
        print(row("store", "rows", "beyond", "least", "most"))
        try await StoredViewBenchmark(changes: changes, rounds: rounds)
            .run(ObservedKind.allCases.filter { $0 != .grdb }, inFolder: inFolder) {
                print(row($0, $1, range($2)))
                // Also into a file at once: it takes minutes.
                fflush(nil)
            }
        print("\nbulk insert of 100,000 rows in one transaction, under 10 observers of 1,000 rows")
        print(row("store", "", "plain ms", "observed", "ratio", "CPU ratio", ""))
        for kind in ObservedKind.allCases where kind != .grdb { try await bulk(kind) }
        print("\none-row write that 1,000 idle observers cannot see, us, median over \(changes)")
        print(row("store", "", "plain", "observed", "ratio", "CPU ratio", ""))
        for kind in ObservedKind.allCases where kind != .grdb {
            try await idle(kind, sameEntity: false)
            try await idle(kind, sameEntity: true)
        }
    }

    private func inFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let place = folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        return try await body(place)
    }

    /// What one change takes, each the median over the changes of one round, in microseconds.
    private struct ChangeCost {
        /// The processor time of a write without an observer.
        let write: Double
        /// What an observed write takes beyond that.
        let beyond: Double
        /// The time that passes from the write to the delivered change.
        let delivery: Double
    }

    private func changesOfOneRow() async throws {
        print("one-row change, CPU in us, medians over \(changes), \(rounds) rounds by turns")
        print(row("store", "rows", "write", "beyond", "least", "most", "to delivery"))
        for count in [2_000, 100_000] {
            var costs: [ObservedKind: [ChangeCost]] = [:]
            for _ in 0..<rounds {
                for kind in ObservedKind.allCases {
                    costs[kind, default: []].append(try await change(kind, count))
                }
            }
            for kind in ObservedKind.allCases {
                guard let costs = costs[kind] else { continue }
                print(
                    row(
                        kind.rawValue,
                        "\(count)",
                        text(costs.map(\.write).median),
                        range(costs.map(\.beyond)),
                        text(costs.map(\.delivery).median)
                    )
                )
            }
            guard let ours = costs[.sqlite], let theirs = costs[.grdb] else { continue }
            let ratios = zip(ours, theirs).map { $1.beyond / $0.beyond }
            print(row("GRDB / SQLite client", "\(count)", "", range(ratios), ""))
        }
    }

    /// The median, the least and the most, a column each.
    private func range(_ values: [Double]) -> String {
        [values.median, values.min() ?? .nan, values.max() ?? .nan].map { column(text($0)) }
            .joined()
    }

    /// Writes to two equal stores in turn, of which one is observed, so that both meet the machine as it
    /// is at the time.
    private func change(_ kind: ObservedKind, _ count: Int) async throws -> ChangeCost {
        // GRDB reads everything for each change, which takes too long for as many.
        let changes = kind == .grdb && count > 10_000 ? 20 : changes
        return try await inFolder { place in
            let data = Dataset(count: count)
            let (first, second) = try (kind.open(place, "plain"), kind.open(place, "observed"))
            try await first.insert(data.rows)
            try await second.insert(data.rows)
            try await second.observe()
            func write(_ round: Int, to store: any ObservedStore) async throws {
                let power = Double((round * 7_919) % 10_000) + 0.5
                try await store.setPower(power, of: data.keys[round % count])
            }
            var plain: [Elapsed] = []
            var observed: [Elapsed] = []
            func writeUnobserved(_ round: Int) async throws {
                plain.append(try await elapsed { try await write(round, to: first) })
            }
            func writeObserved(_ round: Int) async throws {
                var rows = 0
                observed.append(
                    try await elapsed {
                        try await write(round, to: second)
                        rows = try await second.delivery()
                    }
                )
                guard rows == count else { throw BenchmarkError("the observer has \(rows) rows") }
            }
            for round in 0..<changes {
                // Neither always comes after the other.
                if round % 2 == 0 { try await writeUnobserved(round) }
                try await writeObserved(round)
                if round % 2 == 1 { try await writeUnobserved(round) }
            }
            try first.close()
            try second.close()
            let write = plain.map(\.cpu.microseconds).median
            return ChangeCost(
                write: write,
                beyond: observed.map(\.cpu.microseconds).median - write,
                delivery: observed.map(\.wall.microseconds).median
            )
        }
    }

    private func bulk(_ kind: ObservedKind) async throws {
        let rows = Dataset(count: 100_000).rows
        var plain: [Elapsed] = []
        var observed: [Elapsed] = []
        for round in 0..<6 {
            try await inFolder { place in
                let client = try kind.client(place)
                var iterators: [ChangeStream<Character>.AsyncIterator] = []
                if round % 2 == 1 {
                    for part in 0..<10 {
                        let first = part * 10_000
                        let request = Character.where { $0.id > first && $0.id <= first + 1_000 }
                        iterators.append(
                            client.observe(request.sorted { $0.power }).makeAsyncIterator()
                        )
                        _ = try await iterators[part].next()
                    }
                }
                let time = try await elapsed {
                    try await client.insert(rows)
                    for index in iterators.indices {
                        guard try await iterators[index].next()?.objects.count == 1_000 else {
                            throw BenchmarkError("an observer misses rows")
                        }
                    }
                }
                if round % 2 == 1 { observed.append(time) } else { plain.append(time) }
                iterators = []
                try client.close()
            }
        }
        printRatio(kind.rawValue, plain, observed, unit: 1e3)
    }

    /// Writes to two equal stores in turn, of which one has observers.
    private func idle(_ kind: ObservedKind, sameEntity: Bool) async throws {
        try await inFolder { place in
            let clients = try (kind.client(place, "plain"), kind.client(place, "observed"))
            for client in [clients.0, clients.1] {
                try await client.insert(Dataset(count: 2_000).rows)
                try await client.insert(Counter(id: 1, value: 0))
            }
            func write(_ round: Int, to client: any DBClient) async throws {
                if sameEntity {
                    try await client.update(Character.self, key: 2_000) {
                        $0.set(\.power, to: Double(round))
                    }
                } else {
                    try await client.update(Counter.self, key: 1) { $0.set(\.value, to: round) }
                }
            }
            var iterators: [ChangeStream<Character>.AsyncIterator] = []
            for part in 0..<1_000 {
                let request = Character.where { $0.id == part + 1 }
                iterators.append(clients.1.observe(request).makeAsyncIterator())
                _ = try await iterators[part].next()
            }
            var plain: [Elapsed] = []
            var observed: [Elapsed] = []
            for round in 0..<changes {
                plain.append(try await elapsed { try await write(round, to: clients.0) })
                observed.append(try await elapsed { try await write(round, to: clients.1) })
            }
            iterators = []
            try clients.0.close()
            try clients.1.close()
            let title = kind.rawValue + (sameEntity ? ", their entity" : ", another entity")
            printRatio(title, plain, observed, unit: 1)
        }
    }

    private func printRatio(
        _ title: String,
        _ plain: [Elapsed],
        _ observed: [Elapsed],
        unit: Double
    ) {
        let before = plain.map(\.wall.microseconds).median
        let after = observed.map(\.wall.microseconds).median
        let cpu = observed.map(\.cpu.microseconds).median / plain.map(\.cpu.microseconds).median
        print(
            row(
                title,
                "",
                text(before / unit),
                text(after / unit),
                text(after / before),
                text(cpu),
                ""
            )
        )
    }

    private func text(_ value: Double) -> String { String(format: "%.2f", value) }

    private func row(_ title: String, _ columns: String...) -> String {
        title.padding(toLength: 64, withPad: " ", startingAt: 0)
            + columns.map(column).joined()
    }

    private func column(_ text: String) -> String {
        String(repeating: " ", count: max(0, 12 - text.count)) + text
    }
}

extension Duration {
    fileprivate var microseconds: Double { seconds * 1e6 }
}

/// What is written beside the characters.
private struct Counter: Stored {
    let id: Int
    var value: Int

    init(id: Int, value: Int) {
        self.id = id
        self.value = value
    }

    static let schema = Schema<Counter>(
        name: "Counter",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.value, "value")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        value = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(value)
    }
}
