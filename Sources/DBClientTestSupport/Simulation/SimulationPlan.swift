/// How often a simulated store does what.
public struct SimulationPlan: Sendable {
    /// Of how many transactions in a hundred each fault happens; what is not named never does.
    public var percentages: [SimulatedFault: Int]
    /// The longest delay of a transaction.
    public var longestDelay: Duration
    /// How many transactions an outage refuses at most.
    public var longestOutage: Int

    /// Creates a plan, by default of delays up to 5 milliseconds and outages of up to 4 transactions.
    public init(
        percentages: [SimulatedFault: Int],
        longestDelay: Duration = .milliseconds(5),
        longestOutage: Int = 4
    ) {
        self.percentages = percentages
        self.longestDelay = longestDelay
        self.longestOutage = longestOutage
    }

    /// Every fault, in about one transaction of three.
    public static let everything = SimulationPlan(percentages: [
        .delay: 10, .foreignCommit: 10, .refusal: 4, .outage: 1, .interruption: 4, .repetition: 5,
        .conflict: 4, .lostAnswer: 2,
    ])

    /// What an embedded store does: it keeps callers waiting, other programs commit, and it is busy now and then.
    public static let embedded = SimulationPlan(percentages: [
        .delay: 10, .foreignCommit: 10, .refusal: 2,
    ])
}
