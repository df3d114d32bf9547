/// How a target came out.
struct Verdict: Sendable {
    /// What was compared.
    let target: Target
    /// The ratio or the figure itself.
    let value: Double
    /// Whether the target is reached.
    let isHit: Bool

    /// Judges a target, when everything that it compares was measured.
    ///
    /// The ratio is the median of the ratios within each round, where contestants ran next to each
    /// other, since the machine's speed drifts more than they differ.
    init?(_ target: Target, in workload: Workload, _ results: Results) {
        guard let own = results[workload.name, target.subject] else { return nil }
        self.target = target
        switch target.bound {
        case .cost(let limit, let kind):
            guard let other = results[workload.name, kind] else { return nil }
            value = own.ratio(to: other, isRate: workload.unit.isRate)
            isHit = value <= limit
        case .faster(let least, than: let kind):
            guard let other = results[workload.name, kind] else { return nil }
            value = other.ratio(to: own, isRate: workload.unit.isRate)
            isHit = value >= least
        case .speedUp(let least, over: let name):
            guard let other = results[name, target.subject] else { return nil }
            value = other.ratio(to: own, isRate: workload.unit.isRate)
            isHit = value >= least
        case .atMost(let limit):
            value = own.median
            isHit = value <= limit
        }
    }
}

extension Measurement {
    /// The median over the rounds of this cost over another cost; the cost of a rate is its inverse.
    fileprivate func ratio(to other: Measurement, isRate: Bool) -> Double {
        zip(values, other.values).map { isRate ? $1 / $0 : $0 / $1 }.median
    }
}
