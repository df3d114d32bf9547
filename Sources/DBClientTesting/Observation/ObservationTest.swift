import DBClientCore
import Foundation

/// Runs made-up transactions from several tasks under made-up observations, and compares what the
/// observers have made of their change sets with what the requests find.
///
/// ```swift
/// try await ObservationTest(sequences: 100).run(on: backend)
/// ```
///
/// Each change set is checked against every law when it comes; after each round the copies of the
/// observers that listen are what a fetch finds, and at the end those of all. Where one task writes, each
/// copy is compared with what every single commit has left: a state that the store never had, or had
/// earlier, is found. A failure names the seed of its sequence.
public struct ObservationTest: Sendable {
    /// How many sequences to run, each on a new store.
    public var sequences: Int
    /// How many rounds of concurrent transactions a sequence has at most.
    public var rounds: Int
    /// The seed of the first sequence; the next ones count up.
    public var seed: UInt64
    /// Which of its updates each observer loses that listens, a fault that the test must find.
    package var lostUpdate: Int?

    /// Creates a test of a size, whose sequences begin with a seed.
    public init(sequences: Int = 100, rounds: Int = 6, seed: UInt64 = 1) {
        self.sequences = sequences
        self.rounds = rounds
        self.seed = seed
    }

    /// Creates a test whose size and seed come from the environment where it says so, in
    /// `DBCLIENT_OBSERVATION_SEQUENCES` and `DBCLIENT_SEED`.
    ///
    /// A seed of `random` is drawn for each run, and printed.
    ///
    /// - Parameter sequences: How many sequences to run where the environment says nothing.
    /// - Returns: The test.
    public static func fromEnvironment(sequences: Int = 100) -> ObservationTest {
        let environment = ProcessInfo.processInfo.environment
        var test = ObservationTest(sequences: sequences)
        if let count = environment["DBCLIENT_OBSERVATION_SEQUENCES"].flatMap({ Int($0) }) {
            test.sequences = count
        }
        switch environment["DBCLIENT_SEED"] {
        case "random":
            // Small enough that no sequence counts beyond the last number.
            test.seed = UInt64.random(in: 1...UInt64(UInt32.max))
            print("observing from DBCLIENT_SEED=\(test.seed)")
        case let seed?: test.seed = UInt64(seed) ?? test.seed
        case nil: break
        }
        return test
    }

    /// Runs the sequences.
    ///
    /// - Parameter backend: The backend.
    /// - Returns: How many change sets were delivered and checked.
    /// - Throws: `ConformanceFailure` for the first sequence in which a law is broken.
    @discardableResult
    public func run(on backend: ConformanceBackend) async throws -> Int {
        var updates = 0
        for index in 0..<sequences {
            let seed = seed &+ UInt64(index)
            do {
                updates += try await run(RandomSource(seed: seed), on: backend)
            } catch {
                throw ConformanceFailure(
                    """
                    An observer of \(backend) went wrong; DBCLIENT_SEED=\(seed) \
                    DBCLIENT_OBSERVATION_SEQUENCES=1 tries it again.
                    \((error as? DBClientError)?.debugDescription ?? "\(error)")
                    """
                )
            }
        }
        return updates
    }

    private func run(_ random: RandomSource, on backend: ConformanceBackend) async throws -> Int {
        let context = try await ConformanceContext(backend.makeStore())
        let count: Int
        do {
            count =
                switch random.below(9) {
                case 0: try await run(Hero.self, random, on: context.client)
                case 1: try await run(EveryType.self, random, on: context.client)
                case 2: try await run(Account.self, random, on: context.client)
                case 3: try await run(Issue.self, random, on: context.client)
                case 4: try await runGraph(GraphProgram.exhibits, random, on: context.client)
                case 5: try await runGraph(GraphProgram.branches, random, on: context.client)
                case 6: try await runGraph(GraphProgram.members, random, on: context.client)
                default: try await runGraph(GraphProgram.artists, random, on: context.client)
                }
        } catch {
            try? context.end()
            throw error
        }
        try context.end()
        return count
    }

    private func run<Model: DifferentialModel>(
        _ type: Model.Type,
        _ random: RandomSource,
        on client: any DBClient
    ) async throws -> Int {
        try await run(random, on: client) { (random: RandomSource) -> FetchRequest<Model> in
            PairedRequest<Model>(random).request
        } writing: { random in
            let program = DifferentialProgram<Model>(random, steps: 8)
            return { client in for unit in program.units { _ = try await unit.run(on: client) } }
        }
    }

    private func runGraph<Model: Stored>(
        _ request: (RandomSource) -> FetchRequest<Model>,
        _ random: RandomSource,
        on client: any DBClient
    ) async throws -> Int {
        try await run(random, on: client, asking: request) { random in
            let seed = random.next()
            return { try await GraphProgram.run(RandomSource(seed: seed), units: 6, on: $0) }
        }
    }

    private func run<Model: Stored>(
        _ random: RandomSource,
        on client: any DBClient,
        asking request: (RandomSource) -> FetchRequest<Model>,
        writing program: (RandomSource) -> @Sendable (any DBClient) async throws -> Void
    ) async throws -> Int {
        // Of what several tasks write at once, no observer sees every state.
        let writerCount = 1 + random.below(2)
        let recorder = writerCount == 1 ? RecordingDBClient<Model>(client) : nil
        let writing: any DBClient = recorder ?? client
        var followers: [(Follower<Model>, FetchRequest<Model>, place: Int?)] = []
        var counts: [(CountFollower, FetchRequest<Model>)] = []
        var sleepers: [(Observer<Model>, FetchRequest<Model>)] = []
        for _ in 0...random.below(rounds) {
            let programs = (0..<writerCount).map { _ in program(random) }
            var begun: (request: FetchRequest<Model>, place: Int?)?
            if random.chance(60) || followers.isEmpty {
                let request = request(random)
                begun = (request, try await recorder?.record(request))
            }
            let writers = programs.map { program in Task { try await program(writing) } }
            // Some begin to observe while the writers are at work.
            if let (request, place) = begun {
                followers.append(
                    (Follower(client.observe(request), losing: lostUpdate), request, place)
                )
                counts.append((CountFollower(client.observeCount(request)), request))
            }
            if random.chance(40) || sleepers.isEmpty {
                let request = request(random)
                sleepers.append((try await Observer(client.observe(request)), request))
            }
            for writer in writers { try await writer.value }
            for (follower, request, place) in followers {
                try await follower.settle { try await client.fetch(request) }
                if let place, let recorder {
                    try follower.check(against: recorder.history(place))
                }
            }
            for (follower, request) in counts {
                try await follower.settle { try await client.count(request) }
            }
            for index in sleepers.indices where random.chance(40) {
                let request = sleepers[index].1
                try await sleepers[index].0.settle { try await client.fetch(request) }
            }
        }
        for index in sleepers.indices {
            let request = sleepers[index].1
            try await sleepers[index].0.settle { try await client.fetch(request) }
        }
        return followers.reduce(0) { $0 + $1.0.updates }
            + sleepers.reduce(0) { $0 + $1.0.copy.updates }
    }
}
