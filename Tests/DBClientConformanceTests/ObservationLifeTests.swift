import DBClientTesting
import Foundation
import Synchronization
import Testing

@testable import DBClientCore

/// What observations need is let go however soon they end.
@Suite(.serialized) struct ObservationLifeTests {
    @Test(
        "After ten thousand observations that were cancelled at random nothing is alive",
        arguments: Backends.all
    )
    func randomStartsAndCancels(backend: ConformanceBackend) async throws {
        let isServer = backend.name.hasPrefix("PostgreSQL")
        let isLong = ProcessInfo.processInfo.environment["DBCLIENT_LONG"] != nil
        let rounds = isServer && !isLong ? 500 : 10_000
        let store = try backend.makeStore()
        let client = try await store.open()
        let hub = try #require(client.observation.hub)
        try await client.insert((0..<10).map { Guest(id: $0, name: "guest \($0)") })
        try await run(rounds / 2, seed: 1, client)
        try await settle(hub)
        let before = residentBytes
        try await run(rounds / 2, seed: 2, client)
        try await settle(hub)
        let after = residentBytes
        print("\(backend.name): \((after - before) / 1_024) KB more after \(rounds / 2) rounds")
        #expect(after - before < 10 << 20)
        #expect(hub.makeRecorder(hub.watchGeneration) == nil)
        #expect(Alive.count == 0)
        try client.close()
        store.remove()
    }

    /// Observes in several ways, changes something, and cancels, at once or a moment later.
    private func run(_ rounds: Int, seed: UInt64, _ client: any DBClient) async throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<rounds {
            let kind = Int.random(in: 0..<4, using: &random)
            let alive = Alive()
            let task = Task { [alive] in
                try await Self.observe(kind, client)
                withExtendedLifetime(alive) {}
            }
            try await client.update(Guest.self, key: round % 10) {
                $0.set(\.name, to: "guest \(round)")
            }
            if Int.random(in: 0..<8, using: &random) == 0 {
                try await Task.sleep(for: .microseconds(200))
            }
            task.cancel()
        }
    }

    private static func observe(_ kind: Int, _ client: any DBClient) async throws {
        let named = Guest.where { $0.name != "" }
        switch kind {
        case 0: for try await _ in client.observe(Guest.all) {}
        case 1: for try await _ in client.observeCount(named) {}
        case 2: for try await _ in client.observe(named, { try $0.count(named) }) {}
        default: for try await _ in client.changes(of: Guest.self) {}
        }
    }

    /// Waits until nothing is observed and no task is left.
    private func settle(_ hub: ChangeHub) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < end {
            let isEmpty = await withCheckedContinuation { continuation in
                hub.perform { continuation.resume(returning: $0.isEmpty) }
            }
            if isEmpty, Alive.count == 0 { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        Issue.record("\(Alive.count) tasks, or what they observed, are still there.")
    }

    private var residentBytes: Int {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }
}

@Stored private struct Guest: Equatable {
    @PrimaryKey let id: Int
    var name: String
}

/// Counts how many of its kind there are.
private final class Alive: Sendable {
    private static let alive = Atomic(0)

    static var count: Int { alive.load(ordering: .sequentiallyConsistent) }

    init() {
        Self.alive.add(1, ordering: .sequentiallyConsistent)
    }

    deinit {
        Self.alive.subtract(1, ordering: .sequentiallyConsistent)
    }
}
