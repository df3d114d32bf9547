import DBClientCore
import DBClientLive
import DBClientObjectStore
import Foundation
import Testing

@testable import DBClientTesting

/// What a live object of 100,000 values costs the main actor, while another task commits every 10 milliseconds.
///
/// `DBCLIENT_LIVE_SECONDS` says for how long it runs; 10 are asked for, and the gate takes less.
@MainActor
@Suite(.serialized)
struct MainActorTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["DBCLIENT_LIVE_SECONDS"].flatMap { Double($0) } ?? 1

    /// The processor time of the calling thread, in microseconds.
    private func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    @Test func aCommitCostsItLittle() async throws {
        let client = try ObjectStoreDBClient(.inMemory)
        try await client.insert((0..<100_000).map { Hero($0, power: Double($0)) })
        let live = client.live(Hero.all.sorted { [$0.power.descending, $0.name] })
        await eventually { live.state.isReady }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Self.seconds)
        let writer = Task.detached {
            var commits = 0
            while clock.now < end {
                let key = commits &* 7_919 % 100_000
                let power = Double(commits &* 104_729 % 100_000)
                try await client.update(Hero.self, key: key) { $0.set(\.power, to: power) }
                commits += 1
                try await Task.sleep(for: .milliseconds(10))
            }
            return commits
        }
        // Each frame reads what a screen shows, and asks how long the thread has worked since the one before.
        let first = live.revision
        var frames = 0
        var missed = 0
        var longest = 0.0
        var beyond = 0.0
        var last = threadTime()
        var due = clock.now
        while clock.now < end {
            let worked = threadTime() - last
            longest = max(longest, worked)
            beyond += worked
            if worked >= 8_000 { missed += 1 }
            var shown = 0
            for position in 0..<min(50, live.count) { shown += live[position].id & 1 }
            frames += 1
            last = threadTime()
            due += .milliseconds(8)
            try await Task.sleep(until: due, clock: clock)
        }
        let commits = try await writer.value
        let perCommit = beyond / Double(max(1, commits))
        print(
            """
            main actor: \(commits) commits, \(live.revision - first) changes shown, \(frames) frames of 8 ms, \
            \(missed) missed, \(Int(perCommit)) us of the main thread a commit, \(Int(longest)) us at most between frames
            """
        )
        // Ten times of what is asked for, since others use the machine as well.
        #expect(perCommit < 1_000)
        #expect(missed == 0)
        #expect(commits > 0 && live.revision > first)
        let stored = try await client.fetch(live.request)
        await eventually { live.elementsEqual(stored) }
        try client.close()
    }
}
