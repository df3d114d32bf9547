import CFaults
import DBClientCore
import Foundation
import StoreEntry
import Synchronization

/// Has several callers write to a store, each its number of times, and records what is done to the files of the
/// store's folder; notes every write when it is acknowledged, by its caller's number and its own.
///
/// The callers write at the same time, so that they share commits; now and then all of them wait, and the
/// store is closed and opened again.
func recordWrites(_ plan: PowerCutPlan) throws {
    guard record_begin(plan.folder.path, plan.record.path) else { return print("impossible") }
    var callers = (0..<plan.callers).map { CallerWrites(seed: plan.seed, caller: $0) }
    var done = 0
    while done < plan.writes {
        let round = min(plan.writesPerOpening, plan.writes - done)
        let client = try plan.open()
        let failure = Mutex<(any Error)?>(nil)
        let numbers = done + 1...done + round
        let writes = callers.indices.map { caller in
            numbers.map { ($0, callers[caller].next()) }
        }
        DispatchQueue.concurrentPerform(iterations: plan.callers) { caller in
            do {
                for (number, write) in writes[caller] {
                    try write.run(through: client)
                    record_note(UInt64(caller), Int64(number))
                }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        try client.close()
        done += round
    }
    print("recorded", plan.callers * plan.writes)
}

/// Observes the entries of a store until the input ends, so that writers keep a journal for it, and records
/// what it does itself in the same record.
func recordObserving(_ plan: PowerCutPlan) throws {
    guard record_begin(plan.folder.path, plan.record.path) else { return print("impossible") }
    let client = try plan.open()
    let ready = DispatchSemaphore(value: 0)
    let task = Task {
        for try await _ in client.observe(Entry.all) { ready.signal() }
    }
    ready.wait()
    // With this commit, or before it, the store knows that entries are observed here.
    try client.blocking.delete(Entry.self, key: -1)
    try client.blocking.upsert(Entry(-1))
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    while readLine() != nil {}
    task.cancel()
    try client.close()
}
