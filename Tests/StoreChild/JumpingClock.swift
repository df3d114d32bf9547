import CFaults
import DBClientCore
import Dispatch
import Foundation
import StoreEntry
import Synchronization

/// Writes, observes and waits while the clock of the day jumps by years at any moment, and prints what came of it.
func workUnderJumpingClock(_ engine: String, _ url: URL, seed: UInt64, writes: Int) throws {
    let client = try openStore(engine: engine, at: url, busyTimeout: busyTimeout)
    try client.blocking.insert(Entry(0))
    let seen = Mutex<[Int]>([])
    let isReady = DispatchSemaphore(value: 0)
    let observer = Task {
        for try await count in client.observeCount(Entry.all) {
            seen.withLock { $0.append(count) }
            isReady.signal()
        }
    }
    isReady.wait()
    let isOver = Atomic(false)
    let jumper = DispatchGroup()
    let jumps = Atomic(0)
    guard faults_set_clock(0) else { return print("impossible") }
    DispatchQueue.global().async(group: jumper) {
        var numbers = RandomWrites.Numbers(seed: seed)
        while !isOver.load(ordering: .relaxed) {
            let years = numbers.next(41) - 20
            _ = faults_set_clock(Int64(years) * 365 * 86_400)
            jumps.add(1, ordering: .relaxed)
            usleep(2_000)
        }
        _ = faults_set_clock(0)
    }
    let start = ContinuousClock.now
    let ids = 2..<writes + 2
    for id in ids {
        try client.blocking.insert(Entry(id))
        guard try client.blocking.find(Entry.self, key: id) == Entry(id) else {
            return print("not found", id)
        }
    }
    let working = ContinuousClock.now - start
    let waiting = try timeOfBusyCaller(engine, url)
    isOver.store(true, ordering: .relaxed)
    jumper.wait()
    let end = ContinuousClock.now + .seconds(20)
    while seen.withLock({ $0.last }) != writes + 2, ContinuousClock.now < end { usleep(1_000) }
    observer.cancel()
    try client.close()
    let counts = seen.withLock { $0 }
    print("jumped", jumps.load(ordering: .relaxed) > 10)
    print("worked", working < .seconds(60))
    print("waited", waiting > .milliseconds(250) && waiting < .seconds(5))
    print("observed", counts.last == writes + 2 && zip(counts, counts.dropFirst()).allSatisfy(<))
    try verifyStore(engine: engine, at: url)
    let reopened = try openStore(engine: engine, at: url)
    print("kept", try reopened.blocking.fetch(Entry.all) == (0..<writes + 2).map { Entry($0) })
    try reopened.close()
}

/// How long a caller waits for another process, of all clients of the store.
private let busyTimeout = Duration.milliseconds(300)

/// Returns how long a caller waits for another process before it is told that the store is busy.
///
/// It should be the limit, by the clock that only goes forward. The other process stores the entry with the number 1.
private func timeOfBusyCaller(_ engine: String, _ url: URL) throws -> Duration {
    let client = try openStore(engine: engine, at: url, busyTimeout: busyTimeout)
    defer { try? client.close() }
    var time = Duration.zero
    try whileAnotherProcessWrites(engine, url) {
        let start = ContinuousClock.now
        let code = code { try client.blocking.insert(Entry(-1)) }
        guard code == "busy" else { throw DBClientError(.io, "The caller was told \(code).") }
        time = ContinuousClock.now - start
    }
    return time
}
