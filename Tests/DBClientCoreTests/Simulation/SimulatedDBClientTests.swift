import DBClientCore
import DBClientTestSupport
import Synchronization
import Testing

struct SimulatedDBClientTests {
    private static let seeds: ClosedRange<UInt64> = 1...60

    private static var quick: SimulationPlan {
        var plan = SimulationPlan.everything
        plan.longestDelay = .microseconds(50)
        return plan
    }

    @Test("What an error says of a write is true, whatever the seed", arguments: [false, true])
    func tellsTheTruth(isBlocking: Bool) async throws {
        var seen = Set<SimulatedFault>()
        for seed in Self.seeds {
            let store = InMemoryDBClient()
            let client = SimulatedDBClient(seed: seed, store, plan: Self.quick) {
                try $0.insert(Note(1_000 + $1))
            }
            for number in 0..<40 {
                let body: @Sendable (WriteTransaction) throws -> Void = { transaction in
                    try transaction.insert(Note(2 * number))
                    // A body that makes nothing of an error is undone all the same.
                    _ = try? transaction.insert(Note(2 * number + 1))
                    _ = try? transaction.count(Note.all)
                }
                var code: DBClientError.Code?
                do {
                    if isBlocking {
                        try client.blocking.write(body)
                    } else {
                        try await client.write(body)
                    }
                } catch let error as DBClientError {
                    code = error.code
                }
                let found = try await store.count(
                    Note.where { $0.id >= 2 * number && $0.id < 2 * number + 2 }
                )
                switch code {
                case nil: #expect(found == 2, "seed \(seed), write \(number)")
                case .commitOutcomeUnknown?: #expect(found == 0 || found == 2)
                default: #expect(found == 0, "seed \(seed), write \(number)")
                }
            }
            let commits = client.events.filter { $0.fault == .foreignCommit }.map(\.transaction)
            let others = try await store.fetch(Note.where { $0.id >= 1_000 })
            #expect(others.map(\.id) == commits.map { 1_000 + $0 }, "seed \(seed)")
            seen.formUnion(client.events.map(\.fault))
        }
        #expect(seen == Set(SimulatedFault.allCases))
    }

    @Test("A seed repeats what happened")
    func repeats() async throws {
        func events(_ seed: UInt64) async throws -> [SimulatedDBClient.Event] {
            let client = SimulatedDBClient(seed: seed, plan: Self.quick)
            for number in 0..<50 {
                _ = try? await client.insert(Note(number))
                _ = try? await client.find(Note.self, key: number)
            }
            return client.events
        }
        let first = try await events(7)
        #expect(!first.isEmpty)
        #expect(try await events(7) == first)
        #expect(try await events(8) != first)
    }

    @Test("A client that repeats transactions gets through, and its observers are told")
    func isRetried() async throws {
        for seed in Self.seeds {
            let store = InMemoryDBClient()
            var plan = Self.quick
            plan.percentages[.lostAnswer] = 0
            let policy = RetryingDBClient.Policy(
                attempts: 20,
                delay: .zero,
                writeCodes: [.transactionConflict, .busy, .connectionLost, .timeout]
            )
            let client = RetryingDBClient(
                SimulatedDBClient(seed: seed, store, plan: plan),
                policy: policy
            )
            var counts = store.observeCount(Note.all).makeAsyncIterator()
            #expect(try await counts.next() == 0)
            for number in 0..<20 { try await client.insert(Note(number)) }
            #expect(try await client.fetch(Note.all).map(\.id) == Array(0..<20))
            while try await counts.next() != 20 {}
        }
    }

    @Test("A transaction inside another is left alone, and an outage lasts for several")
    func leavesInnerAlone() async throws {
        let always = SimulationPlan(percentages: [.conflict: 100])
        let client = SimulatedDBClient(seed: 1, plan: always)
        #expect(throws: DBClientError.self) {
            try client.blocking.write { _ in
                try client.blocking.insert(Note(1))
                try client.blocking.insert(Note(2))
            }
        }
        #expect(client.events.map(\.description) == ["1: conflict"])
        #expect(try await client.count(Note.all) == 0)
        let away = SimulatedDBClient(
            seed: 3,
            plan: SimulationPlan(percentages: [.outage: 10], longestOutage: 6)
        )
        for number in 0..<100 { _ = try? await away.insert(Note(number)) }
        let refused = away.events.map(\.transaction)
        #expect(zip(refused, refused.dropFirst()).contains { $0 + 1 == $1 })
        #expect(try await away.count(Note.all) <= 100 - refused.count)
    }
}

@Stored private struct Note: Equatable {
    let id: Int
    var text: String

    init(_ id: Int) {
        self.id = id
        text = ""
    }
}
