import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// A transaction that changes more pages than are kept in memory.
@Suite(.serialized) struct LargeTransactionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A value with a page of its own where it is large.
    @Stored struct Picture: Equatable {
        let id: Int
        let bytes: Data
    }

    /// How many bytes of the file are on the disk.
    private func sizeOnDisk() throws -> Int {
        var status = stat()
        try #require(stat(folder.store.path, &status) == 0)
        return Int(status.st_blocks) * 512
    }

    @Test(arguments: [1_000, 1 << 20]) func changedPagesAreWrittenBeforeTheCommit(
        _ size: Int
    ) throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert(Picture(id: -1, bytes: Data()))
        let count = (48 << 20) / size
        struct Undone: Error {}
        #expect(throws: Undone.self) {
            try client.blocking.write { transaction in
                for id in 0..<count {
                    try transaction.insert(
                        Picture(id: id, bytes: Data(repeating: UInt8(id % 251), count: size))
                    )
                }
                // Of the changed pages 32 MB wait for the commit at most.
                #expect(try sizeOnDisk() > 24 << 20)
                throw Undone()
            }
        }
        #expect(try client.blocking.fetch(Picture.all).map(\.id) == [-1])
        try client.blocking.write { transaction in
            for id in 0..<count {
                try transaction.insert(
                    Picture(id: id, bytes: Data(repeating: UInt8(id % 251), count: size))
                )
            }
        }
        var id = -1
        try client.blocking.forEach(Picture.all) { picture in
            #expect(picture.id == id)
            if id >= 0 {
                #expect(picture.bytes.count == size)
                #expect(picture.bytes.allSatisfy { $0 == UInt8(id % 251) })
            }
            id += 1
            return true
        }
        #expect(id == count)
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    @Test(arguments: [1] as [UInt64]) func whatAnyOrderOfChangesLeavesIsThere(
        _ seed: UInt64
    ) throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        var state = seed
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        func note(_ id: Int) -> Note {
            let text = String(repeating: "\(random(1_000_000)) ", count: 40)
            return Note(id, text, folder: random(50), code: "\(id)", weight: Double(random(1_000)))
        }
        var expected: [Int: Note] = [:]
        try client.blocking.write { transaction in
            expected = [:]
            for round in 0..<8 {
                let new = (0..<6_000).map { _ in note(random(1 << 40)) }
                    .filter { expected[$0.id] == nil }
                let added = Dictionary(new.map { ($0.id, $0) }) { first, _ in first }
                try transaction.insert(Array(added.values))
                expected.merge(added) { first, _ in first }
                for id in expected.keys.sorted().filter({ _ in random(10) == 0 }) {
                    if random(2) == 0 {
                        expected[id] = note(id)
                        try transaction.update(#require(expected[id]))
                    } else {
                        expected[id] = nil
                        try transaction.delete(Note.self, key: id)
                    }
                }
                // What a savepoint has written goes with it.
                try? transaction.write { nested in
                    try nested.insert((0..<3_000).map { note(-1 - $0 - round * 3_000) })
                    try nested.delete(Note.where { $0.folder < 25 })
                    throw CancellationError()
                }
            }
        }
        let found = try client.blocking.fetch(Note.all)
        #expect(found.count == expected.count)
        #expect(found.allSatisfy { expected[$0.id] == $0 })
        let some = try client.blocking.fetch(Note.where { $0.folder == 7 })
        #expect(some.count == expected.values.count { $0.folder == 7 })
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }
}
