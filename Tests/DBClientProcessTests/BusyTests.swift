import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry
import Testing

/// What a client meets while another process is in a transaction that writes.
@Suite(.serialized) struct BusyTests {
    typealias Engine = ProcessTests.Engine

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func holder(_ engine: Engine) throws -> Child {
        let child = try Child("hold", engine.rawValue, folder.store.path)
        try child.waitForLine("holds")
        return child
    }

    @Test(arguments: Engine.allCases)
    func aWriteIsBusyAfterTheTimeoutAndReadsGoOn(engine: Engine) async throws {
        let client = try engine.open(folder.store, busyTimeout: .milliseconds(200))
        try client.blocking.insert(Entry(0))
        let child = try holder(engine)
        let start = ContinuousClock.now
        #expect(code { try client.blocking.insert(Entry(2)) } == .busy)
        #expect((.milliseconds(200) ..< .seconds(4)).contains(ContinuousClock.now - start))
        let failure = await #expect(throws: DBClientError.self) {
            try await client.insert(Entry(2))
        }
        #expect(failure?.code == .busy)
        #expect(try client.blocking.fetch(Entry.all).map(\.id) == [0])
        try child.endInput()
        _ = child.waitForLines()
        try client.blocking.insert(Entry(2))
        #expect(try client.blocking.fetch(Entry.all).map(\.id) == [0, 1, 2])
    }

    @Test(arguments: Engine.allCases)
    func aWriteWaitsForOneThatEndsInTime(engine: Engine) async throws {
        let client = try engine.open(folder.store, busyTimeout: .seconds(60))
        let child = try holder(engine)
        async let inserted = client.insert(Entry(2))
        // That it waits shows only in time.
        try await Task.sleep(for: .milliseconds(200))
        #expect(try await client.count(Entry.all) == 0)
        try child.endInput()
        _ = try await inserted
        #expect(try await client.fetch(Entry.all).map(\.id) == [1, 2])
    }

    @Test(arguments: Engine.allCases)
    func aKilledProcessHoldsNothing(engine: Engine) throws {
        let client = try engine.open(folder.store, busyTimeout: .milliseconds(50))
        let child = try holder(engine)
        for _ in 0..<3 { #expect(code { try client.blocking.insert(Entry(2)) } == .busy) }
        child.kill()
        _ = child.waitForLines()
        try client.blocking.insert(Entry(2))
        #expect(try client.blocking.fetch(Entry.all).map(\.id) == [2])
    }

    @Test(arguments: Engine.allCases)
    func aClientThatFoundTheStoreBusyClosesAndOpensAgain(engine: Engine) throws {
        let first = try engine.open(folder.store, busyTimeout: .milliseconds(50))
        let child = try holder(engine)
        #expect(code { try first.blocking.insert(Entry(2)) } == .busy)
        try first.close()
        let second = try engine.open(folder.store, busyTimeout: .milliseconds(50))
        #expect(code { try second.blocking.insert(Entry(2)) } == .busy)
        try child.endInput()
        _ = child.waitForLines()
        for id in 2..<100 { try second.blocking.insert(Entry(id)) }
        #expect(try second.blocking.fetch(Entry.all).map(\.id) == Array(1..<100))
    }

    /// Without a descriptor for the thread that waits, a write went on without the lock and waited for LMDB's,
    /// which has no time-out.
    @Test func aWriteWithoutDescriptorsIsBusyAfterTheTimeout() throws {
        let child = try holder(.objectStore)
        let writer = try Child("without-descriptors", folder.store.path, "200")
        #expect(writer.waitForLines() == ["waits", "busy"])
        try child.endInput()
        _ = child.waitForLines()
        #expect(try Engine.objectStore.open(folder.store).blocking.count(Entry.all) == 1)
    }

    @Test func aWriteWithoutDescriptorsWaitsForOneThatEndsInTime() throws {
        let child = try holder(.objectStore)
        let writer = try Child("without-descriptors", folder.store.path, "20000")
        try writer.waitForLine("waits")
        // It has said so just before it waits, and shows nothing while it does.
        usleep(200_000)
        try child.endInput()
        #expect(writer.waitForLines() == ["waits", "none"])
        _ = child.waitForLines()
        #expect(try Engine.objectStore.open(folder.store).blocking.count(Entry.all) == 2)
    }

    private func code(of body: () throws -> Void) -> DBClientError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? DBClientError)?.code
        }
    }
}
