import CFaults
import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import DBClientSQLite
import Dispatch
import Foundation
import StoreEntry
import Synchronization

/// Has callers wait while the clock of the day is set by an hour, prints of each wait whether it ended as it would have
/// otherwise, and returns whether that was the command.
///
/// The system waits by the clock that it has. For a wait that ends at a time of the day, a program whose own clock is
/// an hour ahead is as one whose clock is set back by an hour meanwhile, and one that is an hour behind as one whose
/// clock is set forward.
func runClockWaitCommand(_ arguments: [String]) throws -> Bool {
    if arguments == ["wait-by-clock-of-day"] {
        waitByClockOfDay()
        return true
    }
    guard arguments.count == 3, arguments[0] == "wait-under-set-clock" else { return false }
    guard faults_set_clock(0) else {
        print("impossible")
        return true
    }
    // The end of a wait that takes an hour longer.
    alarm(90)
    let (engine, url) = (arguments[1], URL(fileURLWithPath: arguments[2]))
    for hours in [1, -1] {
        switch engine {
        case "postgresql": try waitForConnections(url.lastPathComponent, hours)
        case "sqlite":
            try waitForReaders(url, hours)
            fallthrough
        default:
            try waitForProcess(engine, url, hours)
            try waitForCallers(engine, url, hours)
        }
    }
    return true
}

private let timeout = Duration.milliseconds(300)

/// Prints whether a call was told that the store is busy, and not before the time-out or long after it.
private func expectBusy(_ name: String, _ hours: Int, _ body: () throws -> Void) {
    _ = faults_set_clock(Int64(hours) * 3_600)
    let start = ContinuousClock.now
    let code = code(of: body)
    let time = ContinuousClock.now - start
    _ = faults_set_clock(0)
    let isRight = code == "busy" && time > timeout * 0.8 && time < .seconds(10)
    tell(name, hours, isRight, "\(code) after \(time)")
}

private func tell(_ name: String, _ hours: Int, _ isRight: Bool, _ finding: String) {
    let way = hours > 0 ? "back" : "forward"
    let line = "\(name) \(way) \(isRight ? "true" : "false, \(finding)")\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}

/// A caller waits for a writer of another process.
private func waitForProcess(_ engine: String, _ url: URL, _ hours: Int) throws {
    let client = try openStore(engine: engine, at: url, busyTimeout: timeout)
    defer { try? client.close() }
    try client.blocking.insertIfAbsent(Entry(-1))
    try whileAnotherProcessWrites(engine, url) {
        expectBusy("process", hours) { try client.blocking.insert(Entry(-2)) }
    }
    try client.blocking.delete(Entry.self, keys: [-1, 1])
}

/// Runs a body while another process is in a transaction that writes the entry with the number 1.
func whileAnotherProcessWrites(_ engine: String, _ url: URL, _ body: () throws -> Void) throws {
    let holder = Process()
    let (input, output) = (Pipe(), Pipe())
    holder.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    holder.arguments = ["hold", engine, url.path]
    holder.standardInput = input
    holder.standardOutput = output
    try holder.run()
    _ = output.fileHandleForReading.availableData
    defer {
        try? input.fileHandleForWriting.close()
        holder.waitUntilExit()
    }
    try body()
}

/// A commit waits a moment for callers that may come back, and do not: the waits are over when all have ended.
private func waitForCallers(_ engine: String, _ url: URL, _ hours: Int) throws {
    let client = try openStore(engine: engine, at: url, busyTimeout: timeout)
    defer { try? client.close() }
    _ = faults_set_clock(Int64(hours) * 3_600)
    let start = ContinuousClock.now
    let ended = DispatchSemaphore(value: 0)
    for caller in 1...8 {
        Task {
            for id in 0..<caller * 5 { _ = try? await client.upsert(Entry(caller * 1_000 + id)) }
            ended.signal()
        }
    }
    for _ in 1...8 { ended.wait() }
    let time = ContinuousClock.now - start
    _ = faults_set_clock(0)
    tell("callers", hours, time < .seconds(30), "\(time)")
}

/// A caller waits for a connection to read on.
private func waitForReaders(_ url: URL, _ hours: Int) throws {
    let configuration = SQLiteConfiguration(busyTimeout: timeout, maximumReaders: 1)
    let client = try SQLDBClient.sqlite(at: url, configuration: configuration)
    defer { try? client.close() }
    try client.blocking.insertIfAbsent(Entry(-1))
    try client.blocking.read { transaction in
        _ = try transaction.count(Entry.all)
        onAnotherThread {
            expectBusy("reader", hours) { _ = try client.blocking.count(Entry.all) }
        }
    }
}

/// Callers wait for a connection, a thread and a task.
private func waitForConnections(_ schema: String, _ hours: Int) throws {
    var configuration = PostgreSQLConfiguration()
    configuration.schema = schema
    configuration.maximumConnections = 1
    configuration.poolTimeout = timeout
    let client = try SQLDBClient.postgreSQLBlocking(
        ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"] ?? "",
        configuration: configuration
    )
    defer { try? client.close() }
    try client.blocking.insertIfAbsent(Entry(-1))
    try client.blocking.read { transaction in
        _ = try transaction.count(Entry.all)
        onAnotherThread {
            expectBusy("thread", hours) { _ = try client.blocking.count(Entry.all) }
            expectBusy("task", hours) {
                let result = Mutex<Result<Int, any Error>?>(nil)
                let ended = DispatchSemaphore(value: 0)
                Task {
                    let found: Result<Int, any Error>
                    do {
                        found = .success(try await client.count(Entry.all))
                    } catch {
                        found = .failure(error)
                    }
                    result.withLock { $0 = found }
                    ended.signal()
                }
                ended.wait()
                _ = try result.withLock { $0 }?.get()
            }
        }
    }
}

private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        ended.signal()
    }
    ended.wait()
}

/// Waits for a tenth of a second by the clock of the day, which is set back meanwhile: the fault that the tests must
/// find.
private func waitByClockOfDay() {
    guard faults_set_clock(3_600) else { return print("impossible") }
    let hasEnded = Atomic(false)
    Thread.detachNewThread {
        // Its wait with a time-out is one by that clock, on Linux.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.1)
        hasEnded.store(true, ordering: .relaxed)
    }
    let limit = ContinuousClock.now + .seconds(1)
    while !hasEnded.load(ordering: .relaxed), ContinuousClock.now < limit { usleep(1_000) }
    print("waited", hasEnded.load(ordering: .relaxed))
}
