import DBClientCore
import Synchronization

/// Transactions in a row, made up from a tape before any of them runs.
struct DifferentialProgram<Model: DifferentialModel>: Sendable {
    let units: [Unit]

    /// One transaction of the program, with its steps.
    struct Unit: Sendable {
        let mode: Mode
        let steps: [DifferentialStep<Model>]
        let throwsAtEnd: Bool
        /// Whether the store is opened again first.
        let reopens: Bool

        var text: String {
            let steps = steps.map { "\n    \($0.text)" }.joined()
            return "\(reopens ? "reopen, " : "")\(mode) {\(steps)\n  }"
                + (throwsAtEnd ? " throwing" : "")
        }
    }

    /// The call by which a transaction is run.
    enum Mode: Sendable {
        case write
        case blockingWrite
        case read
        case blockingRead
        /// Without a transaction: each step is a call of the client.
        case calls
    }

    /// Makes a program up.
    ///
    /// - Parameters:
    ///   - random: The tape.
    ///   - steps: The number of calls, on average about this many.
    init(_ random: RandomSource, steps: Int) {
        // Four steps in each of half as many units as fit, on average.
        units = (0...random.below(max(1, steps / 2))).map { _ in
            let mode = random.pick(
                Mode.write,
                Mode.write,
                Mode.blockingWrite,
                Mode.read,
                Mode.blockingRead,
                Mode.calls
            )
            var steps = (0...random.below(7)).map { _ in
                switch mode {
                case .write, .blockingWrite: DifferentialStep<Model>.make(random)
                case .read, .blockingRead: DifferentialStep<Model>.makeRead(random)
                case .calls: DifferentialStep<Model>.makeCall(random)
                }
            }
            switch mode {
            case .write, .blockingWrite, .calls:
                // Rarely, since it takes as long as hundreds of the others.
                if random.chance(1), let large = DifferentialStep<Model>.makeLarge(random) {
                    steps.append(large)
                }
            case .read, .blockingRead: break
            }
            return Unit(
                mode: mode,
                steps: steps,
                throwsAtEnd: random.chance(12) && mode != .calls,
                reopens: random.chance(4)
            )
        }
    }

    /// Runs the program on a store and in the oracle, and throws where they first differ.
    func run(in context: ConformanceContext, canReopen: Bool) async throws {
        var client = context.client
        var oracle = Oracle<Model>()
        for (position, unit) in units.enumerated() {
            if unit.reopens && canReopen { client = try await context.reopen() }
            let told = try await unit.run(on: client)
            let predicted = try unit.run(in: &oracle)
            for (index, step) in unit.steps.enumerated() {
                try Self.compare(
                    told.indices.contains(index) ? told[index] : "nothing",
                    predicted[index],
                    of: "unit \(position), \(step.text)"
                )
            }
            // Everything through the key order, and once more as a count.
            let stored = try await client.fetch(Model.all)
            try Self.compare(
                stored.shown,
                oracle.models.shown,
                of: "what is stored after unit \(position)"
            )
            let count = try await client.count(Model.all)
            try Self.compare(
                "\(count)",
                "\(oracle.models.count)",
                of: "the count after unit \(position)"
            )
        }
    }

    private static func compare(_ found: String, _ expected: String, of what: String) throws {
        // Text is compared by its bytes: both sides show scalars in ASCII.
        if found == expected { return }
        throw ConformanceFailure("\(what)\n  expected \(expected)\n  found    \(found)")
    }
}

extension DifferentialProgram.Unit {
    /// Returns what the library told of each step.
    @discardableResult
    func run(on client: any DBClient) async throws -> [String] {
        let transcript = Transcript()
        do {
            switch mode {
            case .write: try await client.write { try run(in: $0, telling: transcript) }
            case .blockingWrite: try client.writeBlocking { try run(in: $0, telling: transcript) }
            case .read: try await client.read { try run(in: $0, telling: transcript) }
            case .blockingRead: try client.readBlocking { try run(in: $0, telling: transcript) }
            case .calls:
                for step in steps { transcript.tell(try await step.run(on: client)) }
            }
        } catch SuiteError.deliberate {}
        return transcript.lines
    }

    /// Returns what the oracle tells of each step.
    fileprivate func run(in oracle: inout Oracle<Model>) throws -> [String] {
        var copy = oracle
        let told = try steps.map { try $0.run(in: &copy) }
        if !throwsAtEnd { oracle = copy }
        return told
    }

    private func run(
        in transaction: WriteTransaction,
        telling transcript: Transcript
    ) throws {
        transcript.begin()
        for step in steps { transcript.tell(try step.run(in: transaction)) }
        if throwsAtEnd { throw SuiteError.deliberate }
    }

    private func run(in transaction: ReadTransaction, telling transcript: Transcript) throws {
        transcript.begin()
        for step in steps { transcript.tell(try step.run(in: transaction)) }
        if throwsAtEnd { throw SuiteError.deliberate }
    }
}

/// What was told inside a transaction, readable when it was undone.
///
/// A body that runs again begins again.
private final class Transcript: Sendable {
    private let told = Mutex<[String]>([])

    var lines: [String] { told.withLock { $0 } }

    func begin() {
        told.withLock { $0 = [] }
    }

    func tell(_ line: String) {
        told.withLock { $0.append(line) }
    }
}
