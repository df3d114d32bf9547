import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Foundation
import Synchronization
import Testing

@Suite("Previews")
struct PreviewTests {
    private func store() async throws -> ObjectStoreDBClient {
        let store = try ObjectStoreDBClient(.inMemory)
        try await store.insert((1...5).map { Sketch($0, power: Double($0)) })
        return store
    }

    @Test("What is stored and what is written to the preview is one, and the store is left alone")
    func overlay() async throws {
        let store = try await store()
        let before = try await store.findAll(Sketch.self)
        let preview = store.preview()
        #expect(try await preview.findAll(Sketch.self) == before)
        try await preview.insert(Sketch(6, power: 0.5))
        try await preview.update(Sketch.self, key: 2) { $0.set(\.power, to: 9) }
        try await preview.delete(Sketch.with(key: 5))
        #expect(
            try await preview.fetch(Sketch.all.sorted { $0.power.descending }).map(\.id)
                == [2, 4, 3, 1, 6]
        )
        #expect(try await preview.count(Sketch.where { $0.power > 3 }) == 2)
        #expect(try await store.findAll(Sketch.self) == before)
        let failure = await #expect(throws: DBClientError.self) {
            try await preview.insert(Sketch(1))
        }
        #expect(failure?.code == .duplicateKey)
    }

    @Test("An entity is as it was when it was first asked for")
    func pinned() async throws {
        let store = try await store()
        let preview = store.preview()
        #expect(try await preview.count(Sketch.all) == 5)
        try await store.insert(Sketch(7))
        #expect(try await preview.count(Sketch.all) == 5)
        #expect(try await store.preview().count(Sketch.all) == 6)
    }

    @Test("What a transaction that is undone has asked for stays readable")
    func undone() async throws {
        let preview = try await store().preview()
        await #expect(throws: CancellationError.self) {
            try await preview.write { transaction in
                try transaction.deleteAll(Sketch.self)
                throw CancellationError()
            }
        }
        #expect(try await preview.count(Sketch.all) == 5)
    }

    @Test("What a write of the store has not committed never comes into a preview")
    func insideWrite() async throws {
        let store = try await store()
        let preview = SpyDBClient(ReadOnlyDBClient(store)).preview()
        let failure = try store.blocking.write { outer in
            var failure: DBClientError?
            try? outer.write { transaction in
                try transaction.insert(Sketch(6))
                failure = #expect(throws: DBClientError.self) {
                    try preview.blocking.count(Sketch.all)
                }
                throw CancellationError()
            }
            return failure
        }
        #expect(failure?.code == .invalidRequest)
        #expect(try await preview.count(Sketch.all) == 5)
        try await store.write { transaction in
            try transaction.insert(Sketch(6))
            #expect(try preview.blocking.count(Sketch.all) == 5, "It was read before.")
        }
    }

    @Test("Reading its store, a preview keeps nobody waiting who has the store's one connection")
    func oneConnection() throws {
        for isWriting in [false, true] {
            let store = try SQLDBClient.sqlite(.inMemory)
            try store.blocking.insert([Sketch(1), Sketch(2)])
            let held = DispatchSemaphore(value: 0)
            let asked = DispatchSemaphore(value: 0)
            let done = DispatchSemaphore(value: 0)
            let preview = AnnouncingClient(base: store, asked: asked).preview()
            let outcomes = Mutex<[Result<Int, any Error>]>([])
            let finish: @Sendable (Result<Int, any Error>) -> Void = { outcome in
                outcomes.withLock { $0.append(outcome) }
                done.signal()
            }
            Thread.detachNewThread {
                func ask() throws -> Int {
                    held.signal()
                    // The other thread is about to read the store, which this one has.
                    asked.wait()
                    return try preview.blocking.count(Sketch.all)
                }
                finish(
                    Result {
                        try isWriting
                            ? store.blocking.write { _ in try ask() }
                            : store.blocking.read { _ in try ask() }
                    }
                )
            }
            Thread.detachNewThread {
                held.wait()
                finish(Result { try preview.blocking.count(Sketch.all) })
            }
            for _ in 0..<2 {
                try #require(done.wait(timeout: .now() + 30) == .success, "Both wait for ever.")
            }
            let found = outcomes.withLock { $0 }
            #expect(found.compactMap { try? $0.get() } == (isWriting ? [2] : [2, 2]))
            for case .failure(let error) in found {
                #expect((error as? DBClientError)?.code == .invalidRequest)
            }
        }
    }

    @Test("A preview is observed, through decorators as well")
    func observed() async throws {
        let preview = try await store().preview()
        let client = RetryingDBClient(SpyDBClient(preview))
        var changes = client.observe(Sketch.where { $0.power > 4 }).makeAsyncIterator()
        guard case .initial(let before) = try await changes.next() else {
            Issue.record("There is no initial result.")
            return
        }
        #expect(before.map(\.id) == [5])
        try await client.update(Sketch.self, key: 1) { $0.set(\.power, to: 8) }
        guard case .update(let change) = try await changes.next() else {
            Issue.record("There is no change.")
            return
        }
        #expect(change.insertions == [0])
    }

    @Test("Closing a preview leaves the store open, and a closed store cannot be previewed")
    func closing() async throws {
        let store = try await store()
        let preview = store.preview()
        try preview.close()
        #expect(try await store.count(Sketch.all) == 5)
        let late = store.preview()
        try store.close()
        let failure = await #expect(throws: DBClientError.self) {
            try await late.count(Sketch.all)
        }
        #expect(failure?.code == .closed)
    }
}

/// Tells when it is about to read.
private final class AnnouncingClient: DBClientDecorator {
    let base: any DBClient
    private let asked: DispatchSemaphore

    init(base: any DBClient, asked: DispatchSemaphore) {
        self.base = base
        self.asked = asked
    }

    func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
        asked.signal()
        return try base.readBlocking(body)
    }
}

/// A model that a preview shows.
@Stored private struct Sketch: Equatable {
    let id: Int
    var power: Double

    init(_ id: Int, power: Double = 1) {
        self.id = id
        self.power = power
    }
}
