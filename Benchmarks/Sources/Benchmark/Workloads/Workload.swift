/// One row of the report: something that every contestant does, and how it is measured.
struct Workload: Sendable {
    /// The name on the command line and in the JSON.
    let name: String
    /// The name in the table.
    let title: String
    /// What the figures are.
    let unit: Unit
    /// What the issue asks for.
    let targets: [Target]
    /// Whether a first round is run and not counted.
    let warmsUp: Bool
    /// The contestants that the workload is run on.
    let contestants: Set<ContestantKind>
    /// Does the work once and returns the figure.
    let run: @Sendable (Session, _ round: Int) async throws -> Sample

    /// Creates a workload.
    init(
        _ name: String,
        _ title: String,
        _ unit: Unit,
        targets: [Target] = [],
        warmsUp: Bool = true,
        contestants: Set<ContestantKind> = ContestantKind.durable,
        run: @escaping @Sendable (Session, _ round: Int) async throws -> Sample
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.targets = targets
        self.warmsUp = warmsUp
        self.contestants = contestants
        self.run = run
    }
}

extension Set<ContestantKind> {
    /// All contestants, including those that keep nothing when they are closed.
    static var all: Self { Set(ContestantKind.allCases) }
}

/// What a figure counts.
enum Unit: String, Codable, Sendable {
    case microseconds = "us"
    case milliseconds = "ms"
    case commitsPerSecond = "commits/s"
    case rowsPerSecond = "rows/s"
    case megabytes = "MB"
    case timesArray = "x array"

    /// Whether a larger figure is the better one.
    var isRate: Bool { self == .commitsPerSecond || self == .rowsPerSecond }
}

/// The figure of one round.
struct Sample: Sendable {
    /// The figure, in the workload's unit.
    let value: Double
    /// The processor time in the same unit, where the figure is a time.
    let cpu: Double?
    /// What the contestant answered: the same for all, or one of them did not do the work.
    let answer: Int

    /// Creates a sample of a figure.
    init(_ value: Double, cpu: Double? = nil, answer: Int = 0) {
        self.value = value
        self.cpu = cpu
        self.answer = answer
    }

    /// Creates a sample of a time spread over a number of items.
    init(_ elapsed: Elapsed, _ unit: Unit, per items: Int, answer: Int) {
        let seconds = elapsed.wall.seconds / Double(items)
        let cpuSeconds = elapsed.cpu.seconds / Double(items)
        switch unit {
        case .microseconds: self.init(seconds * 1e6, cpu: cpuSeconds * 1e6, answer: answer)
        case .milliseconds: self.init(seconds * 1e3, cpu: cpuSeconds * 1e3, answer: answer)
        case .commitsPerSecond, .rowsPerSecond: self.init(1 / seconds, answer: answer)
        case .megabytes, .timesArray: self.init(seconds, answer: answer)
        }
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Workload {
    /// Every workload, in the order in which they run: what leaves the store as it is comes first.
    static let all: [Workload] =
        bulkInserts + copies + keyReads + fetches + adopted + scans + reports + texts + operations
        + graphs + openings + memory + changes + commits
}
