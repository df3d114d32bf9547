import CFaults
import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry
import Synchronization

/// Forks in the middle of a read and of a write: the children are refused and let go of all that they inherited, and
/// the parent tells what it then still has.
func forkWithin(engine: String, _ url: URL) throws {
    let client = try openStore(engine: engine, at: url)
    try client.blocking.insert(Entry(1))
    let isReadingChild = try client.blocking.read { transaction in
        _ = try transaction.findAll(Entry.self)
        guard let status = try fork() else { return true }
        print("child", status)
        print("readers", try (client as? ObjectStoreDBClient)?.statistics().readers.count ?? 1)
        return false
    }
    if isReadingChild { try end(client) }
    var isWritingChild = false
    do {
        try client.blocking.write { transaction in
            try transaction.insert(Entry(2))
            if let status = try fork() { print("child", status) } else { isWritingChild = true }
        }
    } catch let error as DBClientError where isWritingChild && error.code == .unsupported {
        try end(client)
    }
    if isWritingChild { _exit(1) }
    print("entries", try client.blocking.count(Entry.all))
    try client.close()
}

/// Forks while another thread writes: whatever the child asks for is refused at once, however it is asked for, though
/// no thread there ends the write that it would wait for.
func forkBeside(engine: String, _ url: URL) throws {
    let client = try openStore(engine: engine, at: url)
    try client.blocking.insert(Entry(1))
    let (writes, mayEnd, hasEnded) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Thread.detachNewThread {
        try? client.blocking.write { transaction in
            try transaction.insert(Entry(2))
            writes.signal()
            mayEnd.wait()
        }
        hasEnded.signal()
    }
    writes.wait()
    guard let status = try fork() else { endRefused(client, engine: engine, url) }
    print("child", status)
    mayEnd.signal()
    hasEnded.wait()
    print("entries", try client.blocking.count(Entry.all))
    try client.close()
}

/// Ends the child: with zero if it was refused everything, otherwise with the number of what it was not refused.
private func endRefused(_ client: any DBClient, engine: String, _ url: URL) -> Never {
    var refusals = [
        code { _ = try client.blocking.count(Entry.all) },
        code { try client.blocking.insert(Entry(3)) },
        code { _ = try client.blocking.results(of: Entry.all) },
        code { try openStore(engine: engine, at: url).close() },
        asyncCode { _ = try await client.count(Entry.all) },
        asyncCode { try await client.insert(Entry(3)) },
        asyncCode { for try await _ in client.observe(Entry.all) {} },
        asyncCode { for try await _ in client.observeCount(Entry.all) {} },
    ]
    if let store = client as? ObjectStoreDBClient {
        refusals += [code { _ = try store.statistics() }, code { _ = try store.compact() }]
    }
    for (number, refusal) in refusals.enumerated() where refusal != "unsupported" {
        _exit(Int32(number + 1))
    }
    // To close is to leave all to the parent.
    _exit(code { try client.close() } == "none" ? 0 : 100)
}

/// Runs what is asynchronous on the calling thread, since a child has none of the others.
private func asyncCode(_ body: @escaping @Sendable () async throws -> Void) -> String {
    let outcome = Mutex("suspended")
    let jobs = CallerExecutor()
    Task(executorPreference: jobs) {
        let code: String
        do {
            try await body()
            code = "none"
        } catch {
            code = (error as? DBClientError).map { "\($0.code)" } ?? "\(error)"
        }
        outcome.withLock { $0 = code }
    }
    jobs.run()
    return outcome.withLock { $0 }
}

/// Keeps jobs for the thread that asks for them.
private final class CallerExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Returns nil in the child, and in the parent how the child ended, which it must within ten seconds.
private func fork() throws -> Int32? {
    let process = faults_fork()
    if process < 0 { throw DBClientError(.engine, "There is no other process.") }
    if process == 0 {
        alarm(10)
        return nil
    }
    var status: Int32 = -1
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
}

private func end(_ client: any DBClient) throws -> Never {
    for refused in [
        code { _ = try client.blocking.count(Entry.all) },
        code { try client.blocking.insert(Entry(3)) },
    ] where refused != "unsupported" { _exit(1) }
    try client.close()
    _exit(0)
}
