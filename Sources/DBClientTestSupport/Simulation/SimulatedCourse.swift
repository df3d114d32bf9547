import DBClientCore
import Synchronization

/// What is to happen to one transaction of a simulated store.
struct SimulatedCourse: Sendable {
    let number: Int
    private(set) var faults: [SimulatedFault] = []
    /// How long the transaction waits first.
    private(set) var delay: Duration?
    /// The error with which it is refused before it begins.
    private(set) var refusal: DBClientError?
    /// The error that is thrown after its body has run.
    private(set) var error: DBClientError?
    /// Whether what the body does at first is undone.
    private(set) var undoes = false
    /// How many of the transactions after this one an outage refuses.
    private(set) var followingOutage = 0
    /// What refuses the calls of the transaction from some on; nil where nothing does.
    private(set) var interruption: Interruption?

    init(
        of number: Int,
        seed: UInt64,
        plan: SimulationPlan,
        isWrite: Bool,
        hasOtherProgram: Bool
    ) {
        self.number = number
        // Each transaction by itself, so that another number of draws changes nothing of the next.
        let source = RandomSource(seed: seed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        func happens(_ fault: SimulatedFault) -> Bool {
            source.chance(plan.percentages[fault] ?? 0)
        }
        if happens(.delay) {
            faults.append(.delay)
            delay = plan.longestDelay * Double(source.below(1_000)) / 1_000
        }
        if happens(.foreignCommit), hasOtherProgram { faults.append(.foreignCommit) }
        // The others exclude each other: the first that happens is it.
        if happens(.outage) {
            followingOutage = source.below(max(plan.longestOutage, 1))
            refuseByOutage()
        } else if happens(.refusal) {
            faults.append(.refusal)
            refusal = source.pick(Self.busy, Self.connectionLost, Self.timeout)
        } else if happens(.interruption) {
            faults.append(.interruption)
            interruption = Interruption(after: source.below(4), with: Self.connectionLost)
        } else if happens(.repetition) {
            faults.append(.repetition)
            undoes = true
        } else if happens(.conflict), isWrite {
            faults.append(.conflict)
            undoes = true
            error = DBClientError(
                .transactionConflict,
                "The transaction was undone, since it could not be serialised with another one."
            )
        } else if happens(.lostAnswer), isWrite {
            faults.append(.lostAnswer)
            undoes = source.chance(50)
            error = DBClientError(
                .commitOutcomeUnknown,
                "The connection was lost while the commit was under way.",
                hint: "Look whether it happened, and repeat it if not."
            )
        }
    }

    /// Whether a commit of another program comes before the transaction.
    var hasForeignCommit: Bool { faults.contains(.foreignCommit) }

    /// Whether a body that reads runs twice.
    var repeats: Bool { undoes && error == nil }

    /// Has the transaction refused since the server is away, whatever else was to happen.
    mutating func refuseByOutage() {
        faults.removeAll { $0 != .delay && $0 != .foreignCommit }
        faults.append(.outage)
        refusal = Self.connectionLost
    }

    /// Runs a body with a transaction, and throws where a call of it was refused, whatever the body made of that.
    func run<Transaction, Value>(
        _ transaction: Transaction,
        _ body: (Transaction) throws -> Value
    ) throws -> Value {
        let value = try body(transaction)
        try interruption?.check()
        return value
    }

    private static let busy = DBClientError(
        .busy,
        "The store is in use for longer than the time-out."
    )
    private static let timeout = DBClientError(.timeout, "The server did not answer in time.")
    private static let connectionLost = DBClientError(
        .connectionLost,
        "The server could not be reached."
    )
}

/// Lets some calls of a transaction through and refuses every later one.
final class Interruption: TransactionInterceptor, Sendable {
    private let remaining: Mutex<Int>
    private let error: DBClientError

    init(after number: Int, with error: DBClientError) {
        remaining = Mutex(number)
        self.error = error
    }

    /// Throws where a call was refused.
    func check() throws {
        if remaining.withLock({ $0 }) < 0 { throw error }
    }

    func intercept<Value>(_ call: TransactionCall, _ body: () throws -> Value) throws -> Value {
        let passes = remaining.withLock { remaining in
            remaining -= 1
            return remaining >= 0
        }
        guard passes else { throw error }
        return try body()
    }
}
