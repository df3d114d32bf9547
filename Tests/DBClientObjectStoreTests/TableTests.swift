import DBClientCore
import Foundation
import Synchronization
import Testing

@testable import DBClientObjectStore

/// How tables are opened: LMDB gives one handle twice where two transactions open tables at one time.
@Suite struct TableTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aReaderBesideAWriterThatMakesTablesMeetsItsOwn() throws {
        do {
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.blocking.insert([Note(1, "one"), Note(2, "two")])
            try client.close()
        }
        let client = try ObjectStoreDBClient(at: folder.store)
        let notes = try client.blocking.write { transaction in
            // A thread of its own, so that it is a read beside the transaction.
            let notes = Mutex<Result<[Note], any Error>?>(nil)
            let thread = Thread {
                let found = Result { try client.blocking.findAll(Note.self) }
                notes.withLock { $0 = found }
            }
            thread.start()
            while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
            try transaction.insert(Tag(5))
            return try notes.withLock { try $0?.get() }
        }
        #expect(notes?.map(\.id) == [1, 2])
        #expect(try client.blocking.findAll(Note.self).map(\.id) == [1, 2])
        #expect(try client.blocking.findAll(Tag.self).map(\.id) == [5])
    }

    @Test func tablesThatWereRolledBackAreMadeAgain() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        for _ in 0..<3 {
            _ = error {
                try client.blocking.write { transaction in
                    try transaction.insert(Tag(1))
                    throw Stop()
                }
            }
            #expect(try client.blocking.findAll(Tag.self).isEmpty)
            try client.blocking.write { transaction in
                try? transaction.write { inner in
                    try inner.insert(Note(1, "one"))
                    throw Stop()
                }
                let notes = try transaction.findAll(Note.self)
                #expect(notes.isEmpty)
            }
        }
        try client.blocking.write { transaction in
            try transaction.insert(Note(1, "one"))
            try transaction.insert(Tag(2))
        }
        let read = try client.blocking.read { transaction in
            (try transaction.findAll(Tag.self), try transaction.findAll(Note.self))
        }
        #expect(read.0.map(\.id) == [2])
        #expect(read.1.map(\.id) == [1])
    }

    @Test func manyEntitiesAreMetFirstByManyThreads() async throws {
        do {
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.blocking.insert(Note(1, "one"))
            try client.blocking.insert(Tag(1))
            try client.close()
        }
        for round in 2..<20 {
            let client = try ObjectStoreDBClient(at: folder.store)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.insert(Note(round, "n")) }
                group.addTask { try await client.insert(Tag(round)) }
                for _ in 0..<4 {
                    group.addTask {
                        let count = try await client.count(Note.all)
                        #expect(count >= round - 1)
                    }
                    group.addTask {
                        let count = try await client.count(Tag.all)
                        #expect(count >= round - 1)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await client.count(Tag.all) == round)
            #expect(try await client.count(Note.all) == round)
            try client.close()
        }
    }

    /// A second entity.
    @Stored fileprivate struct Tag {
        let id: Int

        init(_ id: Int) { self.id = id }
    }

    private struct Stop: Error {}
}
