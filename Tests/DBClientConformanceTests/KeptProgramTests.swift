import DBClientCore
import Testing
import TrustRow

@testable import DBClientTesting

/// Random programs under observed sums, groups, joins, windows and semijoins, each state of which is compared with a fresh
/// reading in the commit that made it.
@Suite(.serialized) struct KeptProgramTests {
    @Test(arguments: Backends.chosen.filter { $0.exclusions[.observation] == nil })
    func everyCommitIsFollowed(_ backend: ConformanceBackend) async throws {
        let row = TrustRow("R24")
        let start = ContinuousClock.now
        let wanted = row.size("DBCLIENT_KEPT_COMMITS", short: 60)
        var seed = row.seed
        var commits = 0
        while commits < wanted {
            try await run(seed, on: backend)
            commits += Self.length
            seed += 1
        }
        row.report(commits, of: backend.name, since: start)
    }

    /// Otherwise the programs would prove nothing.
    @Test func aStateThatTheStoreNeverHadIsFound() async throws {
        var found = 0
        for seed in 1...5 as ClosedRange<UInt64> {
            do {
                try await run(seed, on: Backends.inMemory, overlooking: 7)
            } catch is ConformanceFailure {
                found += 1
            }
        }
        #expect(found == 5)
    }

    private static let length = 60

    private func run(
        _ seed: UInt64,
        on backend: ConformanceBackend,
        overlooking overlooked: Int? = nil
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await KeptProgram.run(
            RandomSource(seed: seed),
            on: [client],
            commits: Self.length,
            overlooking: overlooked
        )
    }
}
