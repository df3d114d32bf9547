import DBClientTesting
import Dispatch
import Foundation
import Testing

@testable import DBClientCore

struct BackPressureTests {
    /// How often each of a thousand rows is changed; a thousand times with
    /// `DBCLIENT_BACK_PRESSURE_ROUNDS=1000`.
    private static let rounds =
        ProcessInfo.processInfo.environment["DBCLIENT_BACK_PRESSURE_ROUNDS"].flatMap { Int($0) }
        ?? 100

    @Test("Many changed rows under a sleeping observer stay bounded and come as one change set")
    func staysBounded() async throws {
        let client = InMemoryDBClient()
        let count = 1_000
        try await client.insert(probes(count))
        var sleeping = client.observe(Probe.all).makeAsyncIterator()
        _ = try await sleeping.next()
        var feed = client.changes(of: Probe.self).makeAsyncIterator()
        let before = residentBytes()
        for round in 1...Self.rounds {
            try await client.update(Probe.all) { $0.set(\.integer, to: round) }
        }
        // The values kept for the sleepers are those of two versions and of the feed's merged rows.
        #expect(residentBytes() - before < 96 << 20)
        var updates = 0
        while true {
            guard case .update(let changes)? = try await sleeping.next() else { break }
            updates += 1
            #expect(changes.modifications.count == count)
            if changes.objects.allSatisfy({ $0.integer == Self.rounds }) { break }
        }
        #expect(updates < 20)
        var last = 0
        while last < Self.rounds {
            guard let commit = try await feed.next() else { break }
            last = commit.updated.last?.after.integer ?? Self.rounds
        }
        #expect(last == Self.rounds)
    }

    @Test("What waits for a hub that is held up is bounded, and read again afterwards")
    func boundsTheInbox() async throws {
        let client = InMemoryDBClient()
        let count = 2_000
        try await client.insert(probes(count))
        var iterator = client.observe(Probe.all).makeAsyncIterator()
        _ = try await iterator.next()
        var feed = client.changes(of: Probe.self).makeAsyncIterator()
        let hub = try #require(client.observation.hub)
        let gate = DispatchSemaphore(value: 0)
        hub.perform { _ in gate.wait() }
        let rounds = CommitOrder.inboxLimit / count + 20
        for round in 1...rounds {
            try await client.update(Probe.all) { $0.set(\.integer, to: round) }
        }
        #expect(hub.backlog.rows <= CommitOrder.inboxLimit)
        #expect(hub.backlog.commits < 30)
        gate.signal()
        while case .update(let changes)? = try await iterator.next() {
            #expect(changes.modifications.count == count)
            if changes.objects.allSatisfy({ $0.integer == rounds }) { break }
        }
        let commit = try await feed.next()
        #expect(commit?.hasUntrackedChanges == true)
    }

    @Test("What waits for the end of an earlier commit is bounded, and read again afterwards")
    func boundsEarlyCommits() async throws {
        let client = InMemoryDBClient()
        let count = 2_000
        try await client.insert(probes(count))
        var iterator = client.observe(Probe.all).makeAsyncIterator()
        _ = try await iterator.next()
        let hub = try #require(client.observation.hub)
        let number = hub.beginCommit()
        let rounds = CommitOrder.inboxLimit / count + 20
        for round in 1...rounds {
            try await client.update(Probe.all) { $0.set(\.integer, to: round) }
        }
        #expect(hub.earlyBacklog.commits == rounds)
        #expect(hub.earlyBacklog.rows <= CommitOrder.inboxLimit)
        hub.endCommit(number, nil, since: hub.watchGeneration)
        while case .update(let changes)? = try await iterator.next() {
            #expect(changes.modifications.count == count)
            if changes.objects.allSatisfy({ $0.integer == rounds }) { break }
        }
        #expect(hub.earlyBacklog.commits == 0)
    }

    @Test("Who begins to observe finds there what was committed after a commit that has not ended")
    func waitsForEarlierCommits() async throws {
        let client = InMemoryDBClient()
        let hub = try #require(client.observation.hub)
        var first = client.observeCount(Link.all).makeAsyncIterator()
        #expect(try await first.next() == 0)
        let number = hub.beginCommit()
        try await client.insert(Link(id: 1, next: nil))
        // Begins while the number that is kept lacks the row that was just inserted.
        let second = Task {
            var iterator = client.observeCount(Link.all).makeAsyncIterator()
            return try await iterator.next()
        }
        await waitUntil { hub.waitingJobCount == 1 }
        hub.endCommit(number, nil, since: hub.watchGeneration)
        #expect(try await second.value == 1)
        #expect(try await first.next() == 1)
    }

    /// Random values whose integer no round sets, so that each round modifies all of them: an observer is told what
    /// differs from what it has, and it may have any round.
    private func probes(_ count: Int) throws -> [Probe] {
        var generator = SeededGenerator(seed: 1)
        return try (0..<count).map { key in
            var probe = try Sample.probe(Sample.row(key, using: &generator))
            probe.integer = 0
            return probe
        }
    }

    /// The memory that the process has in use, from the system; zero where that is not told.
    private func residentBytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
            return 0
        }
        return (Int(text.split(separator: " ")[1]) ?? 0) * 4_096
    }
}
