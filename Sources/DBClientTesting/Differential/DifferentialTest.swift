import DBClientCore
import Foundation

/// Runs made-up transactions on models of which some are made up as well, and compares every result, order
/// and error of a backend with those of an oracle that works on plain Swift values.
///
/// ```swift
/// try await DifferentialTest(sequences: 300, steps: 20).run(on: backend)
/// ```
///
/// A failure names the seed of its sequence and shows the smallest sequence found that still fails.
public struct DifferentialTest: Sendable {
    /// How many sequences of transactions to run, each on a new store.
    public var sequences: Int
    /// The number of calls in a sequence.
    public var steps: Int
    /// The seed of the first sequence; the next ones count up.
    public var seed: UInt64
    /// How many smaller sequences to try when one fails.
    public var shrinkAttempts: Int

    /// Creates a test of a size, whose programs begin with a seed.
    public init(
        sequences: Int = 300,
        steps: Int = 20,
        seed: UInt64 = 1,
        shrinkAttempts: Int = 1_000
    ) {
        self.sequences = sequences
        self.steps = steps
        self.seed = seed
        self.shrinkAttempts = shrinkAttempts
    }

    /// Creates a test whose size and seed come from the environment where it says so, in
    /// `DBCLIENT_DIFFERENTIAL_SEQUENCES` and `DBCLIENT_SEED`.
    ///
    /// - Parameter sequences: How many sequences to run where the environment says nothing.
    /// - Returns: The test.
    public static func fromEnvironment(sequences: Int = 300) -> DifferentialTest {
        let environment = ProcessInfo.processInfo.environment
        var test = DifferentialTest(sequences: sequences)
        if let count = environment["DBCLIENT_DIFFERENTIAL_SEQUENCES"].flatMap({ Int($0) }) {
            test.sequences = count
        }
        if let seed = environment["DBCLIENT_SEED"].flatMap({ UInt64($0) }) { test.seed = seed }
        return test
    }

    /// Runs the sequences.
    ///
    /// - Parameter backend: The backend.
    /// - Throws: `ConformanceFailure` for the first sequence that differs.
    public func run(on backend: ConformanceBackend) async throws {
        for index in 0..<sequences {
            try await run(seed: seed &+ UInt64(index), on: backend)
        }
        print("\(backend): \(sequences) sequences from seed \(seed) as the oracle has them")
    }

    private func run(seed: UInt64, on backend: ConformanceBackend) async throws {
        let random = RandomSource(seed: seed)
        guard await failure(random, on: backend) != nil else { return }
        let tape = await RandomSource.shrink(random.recorded, attempts: shrinkAttempts) {
            await failure(RandomSource(replaying: $0), on: backend) != nil
        }
        let smallest = RandomSource(replaying: tape)
        let message = await failure(smallest, on: backend) ?? "It did not fail again."
        throw ConformanceFailure(
            """
            \(backend) differs from the oracle; DBCLIENT_SEED=\(seed) \
            DBCLIENT_DIFFERENTIAL_SEQUENCES=1 runs it again.
            \(message)
            Smallest sequence:
            \(text(of: RandomSource(replaying: tape)))
            """
        )
    }

    /// Runs the sequence of a tape and returns how it failed, if it did.
    private func failure(_ random: RandomSource, on backend: ConformanceBackend) async -> String? {
        let canReopen = backend.exclusions[.persistence] == nil
        do {
            let context = try await ConformanceContext(backend.makeStore())
            do {
                try await run(Self.model(random), random, in: context, canReopen)
            } catch {
                try? context.end()
                throw error
            }
            try context.end()
            return nil
        } catch let error as DBClientError {
            return error.debugDescription
        } catch {
            return "\(error)"
        }
    }

    private func run<Model: DifferentialModel>(
        _ type: Model.Type,
        _ random: RandomSource,
        in context: ConformanceContext,
        _ canReopen: Bool
    ) async throws {
        let program = DifferentialProgram<Model>(random, steps: steps)
        try await program.run(in: context, canReopen: canReopen)
    }

    /// Takes a model of the fixtures or makes one up.
    private static func model(_ random: RandomSource) -> any DifferentialModel.Type {
        switch random.below(6) {
        case 0: Hero.self
        case 1: EveryType.self
        case 2: Account.self
        case 3: Issue.self
        default: Shapes.draw(random)
        }
    }

    private func text(of random: RandomSource) -> String {
        text(of: Self.model(random), random)
    }

    private func text<Model: DifferentialModel>(
        of type: Model.Type,
        _ random: RandomSource
    ) -> String {
        let program = DifferentialProgram<Model>(random, steps: steps)
        return "  \(type)\n"
            + program.units.filter { !$0.steps.isEmpty }.enumerated()
            .map { "  \($0): \($1.text)" }.joined(separator: "\n")
    }
}
