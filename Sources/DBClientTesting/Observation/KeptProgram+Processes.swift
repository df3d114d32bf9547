package import DBClientCore
import DBClientTestSupport

// Programs whose commits another process makes.
extension KeptProgram {
    /// Makes the commits that a seed stands for.
    package static func write(_ seed: UInt64, commits: Int, to client: any DBClient) throws {
        let random = RandomSource(seed: seed)
        for _ in 0..<commits {
            let unit = Unit(random)
            do {
                try client.writeBlocking { try unit.run($0) }
            } catch is CancellationError {}
        }
    }

    /// Runs a program in which another process makes the commits, and a client of a store of its own makes them too, to say
    /// what states there were.
    ///
    /// - Parameters:
    ///   - seed: Draws what is observed, and the commits.
    ///   - client: The client that observes, of an empty store.
    ///   - other: The client of the other store, which is empty as well.
    ///   - rounds: How often more is observed and another process writes.
    ///   - commits: How many commits it makes each time.
    ///   - write: Has another process make the commits that a seed stands for, and returns once it has ended.
    /// - Throws: What the clients throw, and a failure where something else was told.
    package static func follow(
        _ seed: UInt64,
        on client: any DBClient,
        like other: any DBClient,
        rounds: Int,
        commits: Int,
        _ write: (_ seed: UInt64, _ commits: Int) async throws -> Void
    ) async throws {
        var program = KeptProgram(RandomSource(seed: seed), [client])
        for round in 0..<rounds {
            try await program.begin()
            let part = seed << 16 + UInt64(round)
            try await write(part, commits)
            let random = RandomSource(seed: part)
            for _ in 0..<commits { try await program.commit(Unit(random), to: other) }
            try await program.settle()
        }
    }
}
