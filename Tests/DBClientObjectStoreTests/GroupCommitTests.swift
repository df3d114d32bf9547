import DBClientCore
import DBClientObjectStore
import Foundation
import Synchronization
import Testing

/// Units that wait for the writer share a commit, with what it costs to sync it to disk.
///
/// What is committed is counted by how far a snapshot that is held all the while is behind.
@Suite struct GroupCommitTests {
    private static let count = 200
    /// The held one's and that of those that wait for it.
    ///
    /// At worst one more for each thread, whose unit may not wait yet when the writer is let go.
    private static let few = 2..<50

    private let folder: TemporaryFolder
    private let client: ObjectStoreDBClient

    init() throws {
        folder = try TemporaryFolder()
        client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert(Note(0, "before"))
    }

    /// Runs a transaction on a thread of its own, which is free to block, up to where it waits.
    private func hold(
        _ transaction: @escaping @Sendable (_ wait: () -> Void) throws -> Void
    ) async -> HeldTransaction {
        let held = HeldTransaction()
        let (begun, isBegun) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            do {
                try transaction {
                    isBegun.yield()
                    held.wait()
                }
                held.end.finish()
            } catch {
                held.end.finish(throwing: error)
            }
            isBegun.finish()
        }
        for await _ in begun { break }
        return held
    }

    /// Runs a unit for each number while another one has the writer, so that they all wait for it.
    ///
    /// - Returns: How each of them ended, and how many commits there were, that of the other one among them.
    private func outcomes(
        _ unit: @escaping @Sendable (Int) async throws -> Note
    ) async throws -> (outcomes: [Int: Result<Note, any Error>], commits: Int) {
        let client = client
        let reader = await hold { wait in
            try client.readBlocking { transaction in
                let before = try transaction.count(Note.all)
                wait()
                let after = try transaction.count(Note.all)
                #expect((before, after) == (1, 1))
            }
        }
        defer { reader.letGo() }
        let writer = await hold { wait in
            try client.writeBlocking { transaction in
                try transaction.insert(Note(-1, "first"))
                wait()
            }
        }
        defer { writer.letGo() }
        let arrivals = Arrivals()
        let outcomes = await withTaskGroup(of: (Int, Result<Note, any Error>).self) { group in
            for number in 1...Self.count {
                group.addTask {
                    if arrivals.add() == Self.count { writer.letGo() }
                    do {
                        return (number, .success(try await unit(number)))
                    } catch {
                        return (number, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for try await _ in writer.ended {}
        let commits = try client.statistics().oldestReader?.commitsBehind
        reader.letGo()
        for try await _ in reader.ended {}
        return (outcomes, try #require(commits))
    }

    @Test func unitsThatWaitShareACommit() async throws {
        let client = client
        let (outcomes, commits) = try await outcomes { number in
            try await client.insert(Note(number, "note \(number)", weight: Double(number)))
        }
        #expect(Self.few.contains(commits), "\(commits) commits")
        #expect(outcomes.count == Self.count)
        for (number, outcome) in outcomes {
            #expect(try outcome.get() == Note(number, "note \(number)", weight: Double(number)))
        }
        let stored = try client.blocking.fetch(Note.all)
        #expect(stored.map(\.id) == Array(-1...Self.count))
        #expect(stored.dropFirst(2).allSatisfy { $0.title == "note \($0.id)" })
    }

    @Test func whoseUnitFailsAmongThemIsToldAlone() async throws {
        let client = client
        let (outcomes, commits) = try await outcomes { number in
            // Each tenth has a key that is taken.
            try await client.insert(Note(number % 10 == 0 ? 0 : number, "note \(number)"))
        }
        #expect(Self.few.contains(commits), "\(commits) commits")
        #expect(outcomes.count == Self.count)
        for (number, outcome) in outcomes {
            if number % 10 == 0 {
                let error = #expect(throws: DBClientError.self) { try outcome.get() }
                #expect(error?.code == .duplicateKey)
                #expect(error?.key == "0")
            } else {
                #expect(try outcome.get() == Note(number, "note \(number)"))
            }
        }
        let ids = (-1...Self.count).filter { $0 < 1 || $0 % 10 != 0 }
        let stored = try client.blocking.fetch(Note.all)
        #expect(stored.map(\.id) == ids)
        #expect(stored.first { $0.id == 0 }?.title == "before")
    }

    @Test func unitsOneAfterAnotherHaveACommitEach() async throws {
        let client = client
        let reader = await hold { wait in try client.readBlocking { _ in wait() } }
        defer { reader.letGo() }
        for number in 1...5 { try await client.insert(Note(number, "note \(number)")) }
        #expect(try client.statistics().oldestReader?.commitsBehind == 5)
    }
}

/// A transaction that waits on a thread of its own until it is let go.
private final class HeldTransaction: Sendable {
    private let isFree = DispatchSemaphore(value: 0)
    /// Ends as the transaction does, with its error.
    let ended: AsyncThrowingStream<Never, any Error>
    let end: AsyncThrowingStream<Never, any Error>.Continuation

    init() {
        (ended, end) = AsyncThrowingStream.makeStream()
    }

    /// Returns at once where it was let go, as when the transaction runs again.
    func wait() {
        isFree.wait()
        isFree.signal()
    }

    func letGo() {
        isFree.signal()
    }
}

/// How many units are about to wait.
private final class Arrivals: Sendable {
    private let count = Mutex(0)

    /// Adds one and returns how many there are.
    func add() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
