import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Dispatch
import Foundation
import StoreEntry
import Synchronization

/// Runs a command about a store that is used for long, and returns whether it was one.
func runSoakCommand(_ arguments: [String]) throws -> Bool {
    switch arguments.first {
    case "soak" where arguments.count == 6:
        guard let seconds = Int(arguments[3]), let pause = UInt32(arguments[5]) else {
            return false
        }
        let url = URL(fileURLWithPath: arguments[2])
        try Soak(arguments[1], url, seconds, arguments[4], pause: pause).run()
    case "begin-and-cancel" where arguments.count == 4:
        guard let rounds = Int(arguments[3]) else { return false }
        try beginAndCancel(arguments[1], URL(fileURLWithPath: arguments[2]), rounds)
    default: return false
    }
    return true
}

/// Steady updates and short reads of a store, and a snapshot that is held for fifteen seconds every half minute; prints
/// how large the files are meanwhile and what they come to.
private struct Soak {
    private let engine: String
    private let url: URL
    private let seconds: Int
    private let holder: String
    private let pause: UInt32
    private let client: any DBClient
    private static let count = 20_000
    private static let text = String(repeating: "soak ", count: 50)

    init(_ engine: String, _ url: URL, _ seconds: Int, _ holder: String, pause: UInt32) throws {
        (self.engine, self.url, self.seconds, self.holder) = (engine, url, seconds, holder)
        self.pause = pause
        let client = try openStore(engine: engine, at: url)
        try client.blocking.insert(
            (0..<Self.count).map { Entry($0, text: "\($0) \(Self.text)", bucket: 0) }
        )
        try client.close()
        self.client = try openStore(engine: engine, at: url)
    }

    func run() throws {
        let live = size("")
        print("live", live >> 10, "KB")
        let isDone = Atomic(false)
        let isHeld = Atomic(false)
        let threads = DispatchGroup()
        start(threads) { try write(until: isDone) }
        start(threads) { while !isDone.load(ordering: .relaxed) { try readShortly() } }
        if holder != "none" {
            start(threads) {
                while !isDone.load(ordering: .relaxed) {
                    isHeld.store(true, ordering: .relaxed)
                    try hold(isDone)
                    isHeld.store(false, ordering: .relaxed)
                    wait(15, isDone) {}
                }
            }
        }
        var peaks = ["held": [0, 0, 0], "free": [0, 0, 0]]
        for second in 0..<seconds * 4 {
            usleep(250_000)
            let key = isHeld.load(ordering: .relaxed) ? "held" : "free"
            let sizes = [size(""), room, size("-wal")]
            peaks[key] = zip(peaks[key] ?? [], sizes).map { max($0, $1) }
            if second % 20 == 0 { print(second / 4, key, sizes.map { $0 >> 10 }) }
        }
        isDone.store(true, ordering: .relaxed)
        threads.wait()
        print("peaks of size, room and log in KB", peaks.mapValues { $0.map { $0 >> 10 } })
        if let store = client as? ObjectStoreDBClient {
            print("compact gave", try store.compact() >> 10, "KB; then", size("") >> 10, room >> 10)
        }
        try client.close()
        print("closed", size("") >> 10, size("-wal") >> 10)
    }

    private func start(_ threads: DispatchGroup, _ body: @escaping () throws -> Void) {
        nonisolated(unsafe) let body = body
        DispatchQueue.global().async(group: threads) {
            do { try body() } catch { print("failed", error) }
        }
    }

    /// Ten rows of their own pages in each commit.
    private func write(until isDone: borrowing Atomic<Bool>) throws {
        var numbers = RandomWrites.Numbers(seed: 7)
        var round = 0
        while !isDone.load(ordering: .relaxed) {
            round += 1
            let entries = (0..<10).map { _ in
                let id = numbers.next(Self.count)
                return Entry(id, text: "\(id) \(Self.text)", bucket: round % 100)
            }
            _ = try client.blocking.upsert(entries)
            usleep(pause)
        }
    }

    private func readShortly() throws {
        _ = try client.blocking.read { try $0.fetch(Entry.where { $0.id < 2_000 }) }
        usleep(1_000)
    }

    private func hold(_ isDone: borrowing Atomic<Bool>) throws {
        if holder == "results" {
            let results = try client.blocking.results(of: Entry.all)
            try wait(15, isDone) { _ = try results[0] }
        } else {
            try client.blocking.read { transaction in
                _ = try transaction.count(Entry.all)
                wait(15, isDone) {}
            }
        }
    }

    private func wait(
        _ seconds: Int,
        _ isDone: borrowing Atomic<Bool>,
        _ body: () throws -> Void
    ) rethrows {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end, !isDone.load(ordering: .relaxed) {
            try body()
            usleep(50_000)
        }
    }

    private func size(_ suffix: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
        return attributes?[.size] as? Int ?? 0
    }

    /// The room that the file takes on the disk.
    private var room: Int {
        (try? (client as? ObjectStoreDBClient)?.statistics().diskSize) ?? size("")
    }
}

/// Begins an observation, changes a row, and cancels, again and again; prints how much memory the process has.
private func beginAndCancel(_ engine: String, _ url: URL, _ rounds: Int) throws {
    let client = try openStore(engine: engine, at: url)
    try client.blocking.insert((0..<10).map { Entry($0) })
    let done = DispatchSemaphore(value: 0)
    Task {
        for round in 1...rounds {
            let task = Task { for try await _ in client.observe(Entry.all) {} }
            _ = try await client.update(Entry.self, key: round % 10) {
                $0.set(\.text, to: "round \(round)")
            }
            task.cancel()
            if round == 1_000 || round % 4_000 == 0 { print(round, residentKilobytes, "KB") }
        }
        try await Task.sleep(for: .seconds(3))
        print("idle", residentKilobytes, "KB")
        done.signal()
    }
    done.wait()
    try client.close()
}

private var residentKilobytes: Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(getpagesize()) / 1_024
}
