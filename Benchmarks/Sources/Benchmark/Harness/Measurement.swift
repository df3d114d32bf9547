/// The figures of one contestant in one workload, a value for each round.
struct Measurement: Sendable {
    /// The figures in the order of the rounds.
    private(set) var values: [Double] = []
    /// The processor times, where the figures are times.
    private(set) var cpuValues: [Double] = []

    /// Adds a round's figure.
    mutating func add(_ sample: Sample) {
        values.append(sample.value)
        if let cpu = sample.cpu { cpuValues.append(cpu) }
    }

    /// The middle figure.
    var median: Double { values.median }
    /// The smallest figure.
    var minimum: Double { values.min() ?? .nan }
    /// The largest figure.
    var maximum: Double { values.max() ?? .nan }

    /// Whether the rounds differ so much that the machine was busy with something else.
    var isNoisy: Bool { values.count > 2 && maximum - minimum > 0.35 * median }
}

extension [Double] {
    /// The middle value, or the mean of the two in the middle.
    var median: Double {
        guard !isEmpty else { return .nan }
        let ordered = sorted()
        let middle = ordered.count / 2
        return ordered.count % 2 == 1
            ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
    }
}

/// All figures of a run.
struct Results: Sendable {
    private var measurements: [String: [ContestantKind: Measurement]] = [:]

    /// Adds a round's figure.
    mutating func add(_ sample: Sample, _ workload: Workload, _ kind: ContestantKind) {
        measurements[workload.name, default: [:]][kind, default: Measurement()].add(sample)
    }

    /// The figures of a contestant in a workload.
    subscript(_ workload: String, _ kind: ContestantKind) -> Measurement? {
        measurements[workload]?[kind]
    }

    /// Whether a workload ran.
    func contains(_ workload: Workload) -> Bool {
        measurements[workload.name] != nil
    }
}
