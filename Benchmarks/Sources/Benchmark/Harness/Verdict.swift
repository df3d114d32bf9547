/// How a target came out.
struct Verdict: Sendable {
    /// What was compared.
    let target: Target
    /// The ratio or the figure itself.
    let value: Double
    /// The ratio of processor times, where the figures are times.
    ///
    /// It is for information: a miss by the clock that is a hit by the processor was the machine's
    /// doing, or the disk's.
    let cpuValue: Double?
    /// Whether the target is reached.
    let isHit: Bool

    /// Judges a target, when everything that it compares was measured.
    init?(_ target: Target, in workload: Workload, _ results: Results) {
        guard let own = results[workload.name, target.subject] else { return nil }
        self.target = target
        let comparison = Comparison(isRate: workload.unit.isRate)
        switch target.bound {
        case .cost(let limit, let kind):
            guard let other = results[workload.name, kind] else { return nil }
            (value, cpuValue) = comparison.ratio(of: own, to: other)
            isHit = value <= limit
        case .faster(let least, than: let kind):
            guard let other = results[workload.name, kind] else { return nil }
            (value, cpuValue) = comparison.ratio(of: other, to: own)
            isHit = value >= least
        case .speedUp(let least, over: let name):
            guard let other = results[name, target.subject] else { return nil }
            (value, cpuValue) = comparison.ratio(of: other, to: own)
            isHit = value >= least
        case .atMost(let limit):
            (value, cpuValue) = (own.median, nil)
            isHit = value <= limit
        }
    }
}

/// Compares costs; the cost of a rate is its inverse.
private struct Comparison {
    let isRate: Bool

    /// Returns the median over the rounds of one cost over another.
    ///
    /// Not the ratio of the medians: within a round contestants run next to each other, and the
    /// machine's speed drifts more than they differ.
    func ratio(of one: Measurement, to other: Measurement) -> (Double, cpu: Double?) {
        let cpu = ratios(one.cpuValues, other.cpuValues)
        return (
            ratios(one.values, other.values).map { isRate ? 1 / $0 : $0 }.median,
            cpu: cpu.isEmpty ? nil : cpu.median
        )
    }

    private func ratios(_ one: [Double], _ other: [Double]) -> [Double] {
        zip(one, other).map { $0 / $1 }
    }
}
