import Foundation
import Synchronization
import Testing

@testable import DBClientCore

private struct Refusal: Error {
    var number = 0
}

@Suite("The write queue")
struct WriteQueueTests {
    private let committer = FakeCommitter()

    private func insert(_ number: Int, _ writer: any EngineWriter) throws {
        let rows = try encode([Character(identifier: number, name: "Hero")])
        try writer.insert(rows)
    }

    private func stored() -> [Int64] {
        committer.engine.begin().rows(of: Character.schema.entity).compactMap { row in
            if case .integer(let identifier) = row[0] { identifier } else { nil }
        }
    }

    /// Runs a unit that holds the writer until the closure that is returned is called.
    private func hold(_ queue: WriteQueue) async -> @Sendable () -> Void {
        let release = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            Thread {
                try? queue.runBlocking { _ in
                    continuation.resume()
                    release.wait()
                }
            }.start()
        }
        return { release.signal() }
    }

    /// Runs units that share a commit: they arrive while the first one holds the writer.
    private func group(
        _ numbers: ClosedRange<Int>,
        _ unit: @escaping @Sendable (Int, any EngineWriter) throws -> Void
    ) async throws -> [Int: any Error] {
        let queue = WriteQueue(committer, label: "test")
        let release = await hold(queue)
        return await withTaskGroup(of: (Int, (any Error)?).self) { tasks in
            for number in numbers {
                tasks.addTask {
                    do {
                        try await queue.run { try unit(number, $0) }
                        return (number, nil)
                    } catch {
                        return (number, error)
                    }
                }
            }
            await waitUntil { queue.waitingCount == numbers.count }
            release()
            var failures: [Int: any Error] = [:]
            for await (number, error) in tasks { failures[number] = error }
            return failures
        }
    }

    @Test("A lone unit runs on the caller's thread, without a savepoint, in one commit")
    func alone() throws {
        let queue = WriteQueue(committer, label: "test")
        let caller = Thread.current
        let value = try queue.runBlocking { writer in
            #expect(Thread.current === caller)
            try insert(1, writer)
            return "done"
        }
        #expect(value == "done")
        #expect(committer.engine.log == ["commit"])
        #expect(stored() == [1])
        #expect(throws: Refusal.self) {
            try queue.runBlocking { writer in
                try insert(2, writer)
                throw Refusal()
            }
        }
        #expect(stored() == [1])
    }

    @Test("Units that wait share a commit, without savepoints while none of them fails")
    func sharing() async throws {
        let failures = try await group(1...20) { try insert($0, $1) }
        #expect(failures.isEmpty)
        #expect(stored() == Array(1...20))
        let commits = committer.engine.log.filter { $0 == "commit" }.count
        #expect((2...5).contains(commits))
        #expect(!committer.engine.log.contains("savepoint"))
    }

    @Test("A unit that fails is undone alone")
    func isolation() async throws {
        let failures = try await group(1...20) { number, writer in
            try insert(number, writer)
            if number % 5 == 0 { throw Refusal(number: number) }
        }
        #expect(Set(failures.keys) == [5, 10, 15, 20])
        for (number, error) in failures { #expect((error as? Refusal)?.number == number) }
        #expect(stored() == (1...20).filter { $0 % 5 != 0 }.map(Int64.init))
        #expect(committer.engine.log.contains("savepoint"))
    }

    @Test("A commit that fails fails every unit, and nothing of the group is stored")
    func failedCommit() async throws {
        committer.commitFailures.withLock { $0 = [nil, Refusal()] }
        let failures = try await group(1...5) { try insert($0, $1) }
        #expect(!failures.isEmpty)
        #expect(Set(stored()).isDisjoint(with: failures.keys.map(Int64.init)))
        #expect(Set(stored()).union(failures.keys.map(Int64.init)) == Set(1...5))
        #expect(failures.values.allSatisfy { $0 is Refusal })
    }

    @Test("After a repair the units run again, and succeed")
    func recovery() async throws {
        committer.commitFailures.withLock { $0 = [nil, Refusal(), Refusal()] }
        committer.repairs.withLock { $0 = 2 }
        let runs = Mutex(0)
        let failures = try await group(1...5) { number, writer in
            runs.withLock { $0 += 1 }
            try insert(number, writer)
        }
        #expect(failures.isEmpty)
        #expect(stored() == Array(1...5))
        #expect(runs.withLock { $0 } > 5)
        #expect(committer.repairs.withLock { $0 } == 0)
    }

    @Test("What a unit threw before a repair does not count after it")
    func recoveryOfFailure() async throws {
        committer.commitFailures.withLock { $0 = [nil, Refusal()] }
        committer.repairs.withLock { $0 = 1 }
        let attempts = Mutex(0)
        let failures = try await group(1...5) { number, writer in
            try insert(number, writer)
            // It throws without a savepoint and with one; then the commit fails.
            let isRefused =
                number == 3
                && attempts.withLock { attempts in
                    attempts += 1
                    return attempts <= 2
                }
            if isRefused { throw Refusal() }
        }
        #expect(attempts.withLock { $0 } == 3)
        #expect(failures.isEmpty)
        #expect(stored() == Array(1...5))
    }

    @Test("A unit that loses the whole transaction takes the group with it")
    func lostTransaction() async throws {
        let failures = try await group(1...5) { number, writer in
            try insert(number, writer)
            if number == 3 {
                (writer as? FakeWriter)?.hasFailed = true
                throw Refusal(number: 3)
            }
        }
        #expect(failures[3] is Refusal)
        #expect(Set(stored()).isDisjoint(with: failures.keys.map(Int64.init)))
        #expect(Set(stored()).union(failures.keys.map(Int64.init)) == Set(1...5))
    }

    @Test("A unit that goes on after it lost the transaction takes the group with it as well")
    func lostTransactionUnnoticed() async throws {
        let failures = try await group(1...5) { number, writer in
            // What is lost is not to be written on, by whichever unit.
            #expect((writer as? FakeWriter)?.hasFailed == false)
            try insert(number, writer)
            if number == 3 { (writer as? FakeWriter)?.hasFailed = true }
        }
        #expect((failures[3] as? DBClientError)?.code == .transactionEnded)
        #expect(Set(stored()).isDisjoint(with: failures.keys.map(Int64.init)))
        #expect(Set(stored()).union(failures.keys.map(Int64.init)) == Set(1...5))
        let queue = WriteQueue(committer, label: "test")
        let alone = failure {
            try queue.runBlocking { writer -> Void in
                try insert(6, writer)
                (writer as? FakeWriter)?.hasFailed = true
            }
        }
        #expect(alone?.code == .transactionEnded)
        #expect(!stored().contains(6))
    }

    @Test("A unit inside another on the same thread is refused instead of waiting for itself")
    func insideItself() throws {
        let queue = WriteQueue(committer, label: "test")
        let refusal = try queue.runBlocking { writer in
            try insert(1, writer)
            return failure { try queue.runBlocking { try insert(2, $0) } }
        }
        #expect(refusal?.code == .busy)
        #expect(stored() == [1])
        try queue.runBlocking { try insert(2, $0) }
        #expect(stored() == [1, 2])
    }

    @Test("A caller inside a transaction of another store gets the writer on its own thread")
    func insideAnother() async throws {
        let queue = WriteQueue(committer, label: "test")
        let other = FakeClient()
        let release = await hold(queue)
        let ended = DispatchGroup()
        for number in 1...30 {
            ended.enter()
            Thread {
                defer { ended.leave() }
                func write(inside transaction: (ReadTransaction)?) throws {
                    try queue.runBlocking { writer in
                        if let transaction {
                            #expect(try other.readBlocking { $0 === transaction })
                        }
                        try insert(number, writer)
                        if number % 10 == 0 { throw Refusal(number: number) }
                    }
                }
                // Units of either kind wait in any order, so that the writer goes from thread to thread.
                if number % 3 > 0 {
                    try? other.readBlocking { try write(inside: $0) }
                } else {
                    try? write(inside: nil)
                }
            }.start()
        }
        await waitUntil { queue.waitingCount == 30 }
        release()
        await ended.end()
        #expect(stored() == (1...30).filter { $0 % 10 != 0 })
        queue.close {}
        #expect(failure { try queue.runBlocking { _ in } }?.code == .closed)
    }

    @Test("An empty unit does not make one beside it run again")
    func emptyUnitBesideOneThatFails() async throws {
        let queue = WriteQueue(committer, label: "test")
        let runs = Counter()
        let release = await hold(queue)
        let task = Task {
            try await queue.run { _ in
                runs.value.withLock { $0 += 1 }
                throw Refusal()
            }
        }
        queue.runEmpty()
        await waitUntil { queue.waitingCount == 2 }
        release()
        await #expect(throws: Refusal.self) { try await task.value }
        #expect(runs.value.withLock { $0 } == 1)
    }

    @Test("A failure to begin reaches the caller")
    func begin() {
        let queue = WriteQueue(committer, label: "test")
        committer.beginFailures.withLock { $0 = [Refusal()] }
        #expect(throws: Refusal.self) { try queue.runBlocking { _ in } }
        #expect(failure { try queue.runBlocking { _ in } } == nil)
    }

    @Test("A closed queue waits for what is under way and refuses what comes later")
    func close() async throws {
        let queue = WriteQueue(committer, label: "test")
        try await queue.run { try insert(1, $0) }
        var closings = 0
        queue.close { closings += 1 }
        queue.close { closings += 1 }
        #expect(closings == 1)
        #expect(failure { try queue.runBlocking { _ in } }?.code == .closed)
        await #expect(throws: DBClientError.self) { try await queue.run { _ in } }
        #expect(stored() == [1])
    }

    @Test("Callers that write one unit after another share their commits")
    func comingBack() async throws {
        // Long enough for the callers to come back on a machine that is busy with other tests.
        let queue = WriteQueue(committer, label: "test") { _ in 2_000_000_000 }
        let release = await hold(queue)
        // Threads of their own: the tasks of other tests may hold up tasks for longer than the queue waits.
        let ended = DispatchGroup()
        for caller in 0..<8 {
            ended.enter()
            Thread {
                for number in 1...10 {
                    try? queue.runBlocking { try insert(caller * 10 + number, $0) }
                }
                ended.leave()
            }.start()
        }
        // All of them wait, so that they begin as one crowd.
        await waitUntil { queue.waitingCount == 8 }
        release()
        await ended.end()
        #expect(stored() == Array(1...80))
        // The one that held the writer, and ten crowds; two that take turns would need twenty.
        #expect(committer.engine.log.count { $0 == "commit" } < 14)
    }

    @Test("A unit that comes while another runs joins its commit", arguments: [false, true])
    func joining(fails: Bool) async throws {
        let queue = WriteQueue(committer, label: "test") { _ in 5_000_000_000 }
        let release = await hold(queue)
        let ended = DispatchGroup()
        let isRunning = DispatchSemaphore(value: 0)
        let failures = Counter()
        for caller in [1, 2] {
            ended.enter()
            Thread {
                // The two begin as one group, so that both are expected back.
                try? queue.runBlocking { try insert(caller, $0) }
                if caller == 2 { isRunning.wait() }
                do {
                    try queue.runBlocking { writer in
                        if caller == 1 { isRunning.signal() }
                        try insert(caller + 10, writer)
                        if caller == 2, fails { throw Refusal() }
                    }
                } catch {
                    failures.value.withLock { $0 += 1 }
                }
                ended.leave()
            }.start()
        }
        await waitUntil { queue.waitingCount == 2 }
        release()
        await ended.end()
        #expect(stored() == (fails ? [1, 2, 11] : [1, 2, 11, 12]))
        #expect(failures.value.withLock { $0 } == (fails ? 1 : 0))
        // The one that held the writer, and two groups.
        #expect(committer.engine.log.count { $0 == "commit" } == 3)
    }

    @Test("The queue waits for callers only where a commit takes far longer than the wait")
    func patience() {
        #expect(WriteQueue.patience(after: 200_000) == 0)
        #expect(WriteQueue.patience(after: 800_000) == 100_000)
        #expect(WriteQueue.patience(after: 1_000_000_000) == 1_000_000)
    }

    @Test("Many callers, blocking and not, lose no unit")
    func load() async throws {
        let queue = WriteQueue(committer, label: "test")
        await withTaskGroup(of: Void.self) { tasks in
            for number in 1...200 {
                tasks.addTask {
                    if number % 8 == 0 {
                        try? queue.runBlocking { try insert(number, $0) }
                    } else {
                        try? await queue.run { try insert(number, $0) }
                    }
                }
            }
        }
        #expect(stored() == Array(1...200))
    }
}

/// A number that tasks count up together.
private final class Counter: Sendable {
    let value = Mutex(0)
}

extension DispatchGroup {
    /// Waits without a thread until all have left.
    fileprivate func end() async {
        await withCheckedContinuation { continuation in
            notify(queue: .global()) { continuation.resume() }
        }
    }
}
