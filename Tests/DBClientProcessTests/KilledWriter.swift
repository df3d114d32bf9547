import DBClientCore
import DBClientTesting
import Foundation
import StoreEntry

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Kills a process that writes to a store, again and again, and compares what the store has with what the process had
/// acknowledged.
struct KilledWriter {
    struct Outcome {
        var acknowledged = 0
        var faults: [String] = []
    }

    let engine: ProcessTests.Engine
    /// Whether the process tells a row before it is stored, a fault.
    var acknowledgesEarly = false

    /// A store is read whole after each kill, so that it has to stay small.
    private static let killsPerStore = 50

    func run(kills: Int, seed: UInt64) throws -> Outcome {
        var outcome = Outcome()
        var random = SeededGenerator(seed: seed)
        var folder = try TemporaryFolder()
        var acknowledged = Set<Int>()
        for kill in 0..<kills {
            if kill > 0, kill.isMultiple(of: Self.killsPerStore) {
                outcome.acknowledged += acknowledged.count
                acknowledged = []
                folder = try TemporaryFolder()
            }
            // How far the writer has come when it is killed is left to chance.
            let pause = UInt32.random(in: 20_000...150_000, using: &random)
            try acknowledged.formUnion(
                self.kill(folder.store, kill, after: pause, opened: kill.isMultiple(of: 2))
            )
            let faults = try check(folder.store, acknowledged)
            outcome.faults += faults.map { "kill \(kill) after \(pause) µs, seed \(seed): \($0)" }
        }
        outcome.acknowledged += acknowledged.count
        return outcome
    }

    /// Kills a process while it writes, or while it may still be opening the store, and returns what it had acknowledged.
    private func kill(
        _ store: URL,
        _ number: Int,
        after pause: UInt32,
        opened: Bool
    ) throws -> Set<Int> {
        let words = [engine.rawValue, store.path, "\(number * 100_000)", "100000"]
        let child = try Child(acknowledgesEarly ? ["promise"] + words : words)
        var acknowledged = Set(opened ? child.waitForFirst() : [])
        usleep(pause)
        child.kill()
        acknowledged.formUnion(child.waitForAcknowledged())
        return acknowledged
    }

    private func check(_ store: URL, _ acknowledged: Set<Int>) throws -> [String] {
        var faults: [String] = []
        let client = try engine.open(store)
        let entries = try client.blocking.fetch(Entry.all)
        let lost = acknowledged.subtracting(entries.map(\.id))
        if !lost.isEmpty { faults.append("lost \(lost.sorted().prefix(5))") }
        let torn = entries.filter { $0 != Entry($0.id) }
        if !torn.isEmpty { faults.append("torn \(torn.map(\.id).prefix(5))") }
        var byBucket = 0
        for bucket in 0..<7 {
            byBucket += try client.blocking.fetch(Entry.where { $0.bucket == bucket }).count
        }
        if byBucket != entries.count {
            faults.append("\(byBucket) by the index of \(entries.count)")
        }
        try client.close()
        return faults
    }
}
