import DBClientCore
import Foundation
import StoreEntry
import Synchronization

/// Converts jobs from one version to the other, whichever is stored, and returns whether that was the command.
func runConvertCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 3, arguments[0] == "convert-jobs" else { return false }
    let client = try openStore(engine: arguments[1], at: URL(fileURLWithPath: arguments[2]))
    if try client.blocking.migrate([OffsetJob.conversion]).isEmpty {
        try client.blocking.migrate([OffsetJob.wayBack])
    }
    try client.close()
    print("converted")
    return true
}

/// Adapts what is stored to jobs with an index, and returns whether that was the command.
func runAdaptCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 3, arguments[0] == "adapt-jobs" else { return false }
    let client = try openStore(engine: arguments[1], at: URL(fileURLWithPath: arguments[2]))
    try client.blocking.migrate([.adapt(IndexedJob.self)])
    try client.close()
    print("adapted")
    return true
}

/// Is the former version of a program at work, which writes, reads and observes jobs until a file is there, and
/// returns whether that was the command.
///
/// It prints the longest write, in microseconds, and what it failed with, if it did.
func runWorkCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 4, arguments[0] == "work-on" else { return false }
    let end = arguments[3]
    let client = try openStore(engine: arguments[1], at: URL(fileURLWithPath: arguments[2]))
    let failure = Mutex<(any Error)?>(nil)
    let seen = Mutex(0)
    let observing = Task {
        do {
            let jobs = Job.where { $0.id < 0 }
            for try await count in client.observe(jobs, { try $0.count(jobs) }) {
                seen.withLock { $0 = count }
            }
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }
    var id = -1
    var longest = Duration.zero
    do {
        while !FileManager.default.fileExists(atPath: end) {
            if let failure = failure.withLock({ $0 }) { throw failure }
            let writing = try ContinuousClock().measure {
                try client.blocking.insert(Job(id))
                try client.blocking.update(Job.self, key: id) { $0.set(\.name, to: "done") }
            }
            longest = max(longest, writing / 2)
            guard try client.blocking.find(Job.self, key: id)?.name == "done",
                try client.blocking.count(Job.where { $0.name == "done" }) >= -id
            else { throw DBClientError(.decoding, "The job reads otherwise than it was written.") }
            id -= 1
        }
        // What was written last is observed as well.
        let limit = ContinuousClock.now + .seconds(300)
        while seen.withLock({ $0 }) != -1 - id {
            if let failure = failure.withLock({ $0 }) { throw failure }
            if ContinuousClock.now > limit {
                throw DBClientError(.timeout, "The last jobs were not observed.")
            }
            usleep(1_000)
        }
    } catch {
        observing.cancel()
        print("failed", (error as? DBClientError)?.code.description ?? "\(error)")
        return true
    }
    observing.cancel()
    try client.close()
    print(
        "worked",
        -1 - id,
        longest.components.seconds * 1_000_000
            + longest.components.attoseconds / 1_000_000_000_000
    )
    return true
}
