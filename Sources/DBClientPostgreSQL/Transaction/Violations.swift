/// The violations of one attempt, with the number of attempts in a row that each has met by then.
struct Violations {
    private var counts: [Violation: Int] = [:]
    /// Whether every violation is taken as final, without another attempt.
    var areProven = false

    mutating func add(_ violation: Violation, after earlier: Violations) {
        counts[violation] = (earlier.counts[violation] ?? 0) + 1
    }

    /// Whether a violation that is met again is what it seems.
    func confirm(_ violation: Violation) -> Bool {
        areProven || (counts[violation] ?? 0) >= violation.proof
    }
}
