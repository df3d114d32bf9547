import DBClientCore
import Foundation
import Testing
import TrustRow

@testable import DBClientObjectStore

@Suite struct StoreFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(.counts(for: "R18", part: "object-store")) func isForTheOwnerAlone() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert(Note(1, "one"))
        for path in [folder.store.path, folder.store.path + "-lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func aWriteInsideAWriteOfAnotherClientIsBusy() async throws {
        let first = try ObjectStoreDBClient(at: folder.store)
        let second = try ObjectStoreDBClient(at: folder.store)
        func nested() -> DBClientError? {
            error { try second.blocking.insert(Note(2, "two")) }
        }
        let blocking = try first.blocking.write { transaction in
            try transaction.insert(Note(1, "one"))
            return nested()
        }
        #expect(blocking?.code == .busy)
        let hopped = try await first.write { transaction in
            try transaction.insert(Note(3, "three"))
            return error { try second.blocking.insert(Note(2, "two")) }?.code
        }
        #expect(hopped == .busy)
        #expect(try second.blocking.fetch(Note.all).map(\.id) == [1, 3])
        try second.blocking.insert(Note(2, "two"))
    }

    @Test func keepsWhatWasWrittenWhenReopened() throws {
        let notes = (1...500).map { Note($0, "note \($0)", folder: $0 % 7, code: "c\($0)") }
        do {
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.blocking.insert(notes)
            try client.close()
        }
        let client = try ObjectStoreDBClient(at: folder.store)
        #expect(try client.blocking.fetch(Note.all) == notes)
        #expect(
            try client.blocking.fetch(Note.where { $0.folder == 3 })
                == notes.filter { $0.folder == 3 }
        )
    }

    /// A program that rebuilds a store may do so under such a name, and have no other copy.
    @Test(arguments: ["-new", "-new-", "-new-2", "-new-0123456789abcdef"], [false, true])
    func aNewStoreLeavesOthersBesideIt(suffix: String, isOpen: Bool) throws {
        let notes = (1...100).map { Note($0, "note \($0)") }
        let other = URL(fileURLWithPath: folder.store.path + suffix)
        let rebuilt = try ObjectStoreDBClient(at: other)
        try rebuilt.blocking.insert(notes)
        if !isOpen { try rebuilt.close() }
        let client = try ObjectStoreDBClient(at: folder.store)
        #expect(try client.blocking.count(Note.all) == 0)
        try client.close()
        if isOpen {
            #expect(try rebuilt.blocking.fetch(Note.all) == notes)
            try rebuilt.close()
        }
        #expect(try ObjectStoreDBClient(at: other).blocking.fetch(Note.all) == notes)
    }

    @Test func whatAKilledMakerLeftGoesAndNothingElse() throws {
        let manager = FileManager.default
        let made = try ObjectStoreDBClient(at: folder.url.appendingPathComponent("made"))
        try made.close()
        let store = try Data(contentsOf: folder.url.appendingPathComponent("made"))
        let zeros = Data(count: 8_192)
        let stays: [(String, Data)] = [
            ("-new", store), ("-new-0", store), ("-new-0123456789abcdeF", store),
            ("-new-0123456789abcdef0", store), ("-new-backup0123456", Data()),
            ("-new-00000000000000ff", zeros + [1]), ("-new-10000000000000ff", zeros + store),
        ]
        let goes: [(String, Data)] = [
            ("-new-0123456789abcdef", store), ("-new-1123456789abcdef", Data()),
            ("-new-2123456789abcdef", zeros), ("-new-3123456789abcdef", store.prefix(8_192)),
        ]
        for (suffix, content) in stays + goes {
            try content.write(to: URL(fileURLWithPath: folder.store.path + suffix))
        }
        let folderName = folder.store.lastPathComponent + "-new-4123456789abcdef"
        try manager.createDirectory(
            at: folder.url.appendingPathComponent(folderName),
            withIntermediateDirectories: false
        )
        try ObjectStoreDBClient(at: folder.store).close()
        let names = try manager.contentsOfDirectory(atPath: folder.url.path)
            .filter { $0.contains("-new") }
        let expected = stays.map { folder.store.lastPathComponent + $0.0 } + [folderName]
        #expect(names.sorted() == expected.sorted())
    }

    @Test func aStoreWithALongNameIsMade() throws {
        let name = String(repeating: "n", count: 250)
        let client = try ObjectStoreDBClient(at: folder.url.appendingPathComponent(name))
        try client.blocking.insert(Note(1, "one"))
        #expect(try client.blocking.fetch(Note.all) == [Note(1, "one")])
    }

    @Test(arguments: [1, 100, 4096, 8191, 8192, 20_000])
    func aTruncatedFileIsRefused(length: Int) throws {
        do {
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.blocking.insert((1...2_000).map { Note($0, "note \($0)") })
            try client.close()
        }
        let file = try FileHandle(forWritingTo: folder.store)
        try file.truncate(atOffset: UInt64(length))
        try file.close()
        let refusal = error { _ = try ObjectStoreDBClient(at: folder.store) }
        #expect(refusal?.code == .corrupt)
    }

    /// LMDB leaves pages out of the file that one transaction takes and frees.
    @Test func aFileThatLacksPagesOfNoUseIsOpened() throws {
        let notes = (1...100).map { Note($0, "note \($0)") }
        try ObjectStoreDBClient(at: folder.store).blocking.insert(notes)
        let title = String(repeating: "long ", count: 100)
        var shortCount = 0
        for round in 1...4 {
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.writeBlocking { transaction in
                try transaction.insert((101...100 + round * 450).map { Note($0, title) })
                try transaction.delete(Note.where { $0.id > 100 })
            }
            try client.close()
            let newest = try #require(try StoreFile.newestMeta(folder.store.path))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.store.path)
            let size = try #require(attributes[.size] as? Int)
            if size < (newest.lastPage + 1) * newest.pageSize { shortCount += 1 }
            try ObjectStoreDBClient.verify(at: folder.store)
            let reopened = try ObjectStoreDBClient(at: folder.store)
            #expect(try reopened.blocking.fetch(Note.all) == notes)
            try reopened.close()
        }
        #expect(shortCount > 0)
    }

    @Test func aDamagedFirstPageOfATableIsRefused() throws {
        do {
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.blocking.insert((1...2_000).map { Note($0, "note \($0)", folder: $0) })
            try client.close()
        }
        let sound = try Data(contentsOf: folder.store)
        let newest = try #require(try StoreFile.newestMeta(folder.store.path))
        var walker = TreeWalker(try PageFile(folder.store.path))
        let roots = try walker.tables().values.map(\.root) + [newest.main.root, newest.free.root]
        var refusedCount = 0
        for root in roots where root != .max {
            for garbage in [UInt8.min, .max] {
                var damaged = sound
                let start = Int(root) * newest.pageSize
                for place in start..<start + 16 { damaged[place] = garbage }
                try damaged.write(to: folder.store)
                let refusal = error { _ = try ObjectStoreDBClient(at: folder.store) }
                #expect(refusal?.code == .corrupt, "page \(root)")
                refusedCount += 1
            }
        }
        #expect(refusedCount > 10)
        try sound.write(to: folder.store)
        let client = try ObjectStoreDBClient(at: folder.store)
        #expect(try client.blocking.count(Note.all) == 2_000)
    }

    @Test func aWriteToAFileThatBecameShorterIsRefused() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert((1...2_000).map { Note($0, "note \($0)") })
        try client.blocking.insert(Note(2_001, "one more"))
        let file = try FileHandle(forWritingTo: folder.store)
        try file.truncate(atOffset: file.seekToEnd() / 2)
        try file.close()
        #expect(error { try client.blocking.insert(Note(2_002, "another")) }?.code == .corrupt)
        try client.close()
    }

    @Test func aForeignFileIsRefusedAndLeftAlone() throws {
        let content = Data(repeating: 0x41, count: 20_000)
        try content.write(to: folder.store)
        #expect(error { _ = try ObjectStoreDBClient(at: folder.store) }?.code == .corrupt)
        #expect(try Data(contentsOf: folder.store) == content)
    }

    @Test func aSQLiteFileIsNotTakenForADamagedOne() throws {
        let content = Data("SQLite format 3\0".utf8) + Data(count: 8_192)
        try content.write(to: folder.store)
        let error = error { _ = try ObjectStoreDBClient(at: folder.store) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.hint != nil)
        #expect(try Data(contentsOf: folder.store) == content)
    }

    @Test func anEmptyFileBecomesAStore() throws {
        try Data().write(to: folder.store)
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert(Note(1, "one"))
        #expect(try client.blocking.count(Note.all) == 1)
    }

    @Test(.counts(for: "R18", part: "object-store")) func aLinkIsNotFollowed() throws {
        let link = folder.url.appendingPathComponent("link")
        try Data().write(to: folder.store)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.store)
        #expect(error { _ = try ObjectStoreDBClient(at: link) }?.code == .permission)
    }

    @Test(.counts(for: "R18", part: "object-store")) func whatIsNoFileIsAnError() throws {
        #expect(error { _ = try ObjectStoreDBClient(at: folder.url) }?.code == .invalidRequest)
        try Data().write(to: folder.store)
        let inside = folder.store.appendingPathComponent("store")
        #expect(error { _ = try ObjectStoreDBClient(at: inside) }?.code == .io)
    }

    @Test(.enabled(if: geteuid() != 0, "Root may read every file."))
    func aFileThatCannotBeReadIsRefused() throws {
        try ObjectStoreDBClient(at: folder.store).close()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o000],
            ofItemAtPath: folder.store.path
        )
        #expect(error { _ = try ObjectStoreDBClient(at: folder.store) }?.code == .permission)
    }

    @Test func aMissingFolderIsAnError() throws {
        let url = folder.url.appendingPathComponent("nowhere/store")
        #expect(error { _ = try ObjectStoreDBClient(at: url) }?.code == .io)
    }

    @Test func aFlippedBitInARecordIsToldWithoutTheValue() throws {
        let title = "a title that is easily found"
        do {
            let client = try ObjectStoreDBClient(at: folder.store)
            try client.blocking.insert(Note(1, title))
            try client.close()
        }
        var bytes = try Data(contentsOf: folder.store)
        var search = bytes.startIndex..<bytes.endIndex
        var hits = 0
        while let found = bytes.range(of: Data(title.utf8), in: search) {
            bytes[found.lowerBound + 3] ^= 0x20
            search = found.upperBound..<bytes.endIndex
            hits += 1
        }
        #expect(hits > 0)
        // File systems tell times in ticks of some milliseconds: another program changes the file later.
        let closed = try modification(of: folder.store)
        repeat {
            try bytes.write(to: folder.store)
        } while try modification(of: folder.store) == closed
        #expect(error { _ = try ObjectStoreDBClient(at: folder.store) }?.code == .corrupt)
        let client = try ObjectStoreDBClient(at: folder.store, verification: .never)
        let failure = error { _ = try client.blocking.find(Note.self, key: 1) }
        let fetch = error { _ = try client.blocking.fetch(Note.all) }
        let update = error {
            try client.blocking.update(Note.self, key: 1) { $0.set(\.weight, to: 2) }
        }
        for failure in [failure, fetch, update] {
            #expect(failure?.code == .corrupt)
            #expect(failure?.entity == "Note")
            #expect(failure.map { !"\($0)".contains("easily") } ?? false)
        }
    }

    private func modification(of url: URL) throws -> Date? {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return attributes[.modificationDate] as? Date
    }

    @Test func anotherTypeOfAFieldIsASchemaMismatch() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert(Note(1, "one"))
        let failure = error { _ = try client.blocking.fetch(OtherNote.all) }
        #expect(failure?.code == .schemaMismatch)
        #expect(failure?.entity == "Note")
        #expect(failure?.field == "title")
        #expect(try client.blocking.count(Note.all) == 1)
    }

    @Test func twoClientsOfOneFileShareItAndCloseApart() throws {
        let first = try ObjectStoreDBClient(at: folder.store)
        let second = try ObjectStoreDBClient(at: folder.store)
        try first.blocking.insert(Note(1, "one"))
        #expect(try second.blocking.count(Note.all) == 1)
        try first.close()
        #expect(error { _ = try first.blocking.count(Note.all) }?.code == .closed)
        try second.blocking.insert(Note(2, "two"))
        #expect(try second.blocking.count(Note.all) == 2)
    }

    @Test func theMapGrowsUnseenWhileOthersRead() async throws {
        let client = try ObjectStoreDBClient(at: folder.store, mapSize: 256 << 10)
        let text = String(repeating: "x", count: 1_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for batch in 0..<20 {
                    let notes = (0..<200).map { Note(batch * 200 + $0, "\($0) \(text)") }
                    try await client.insert(notes)
                }
            }
            group.addTask {
                while try await client.count(Note.all) < 4_000 { await Task.yield() }
            }
            try await group.waitForAll()
        }
        #expect(try client.blocking.count(Note.all) == 4_000)
        #expect(try client.blocking.fetch(Note.all).map(\.id) == Array(0..<4_000))
    }

    /// A read that waits for a write keeps the map from growing, so that neither would ever end.
    @Test func aReadThatWaitsForTheMapToGrowEndsIt() throws {
        let client = try ObjectStoreDBClient(
            at: folder.store,
            busyTimeout: .milliseconds(200),
            mapSize: 256 << 10
        )
        let text = String(repeating: "x", count: 1_000)
        let notes = (0..<1_000).map { Note($0, "\($0) \(text)") }
        let other = try ObjectStoreDBClient(
            at: folder.store,
            busyTimeout: .milliseconds(200),
            mapSize: 256 << 10
        )
        let (before, refusal, after) = try client.blocking.read { transaction in
            let before = try transaction.count(Note.all)
            let refusal = error { _ = try other.blocking.insert(notes) }
            return (before, refusal, try other.blocking.count(Note.all))
        }
        #expect(before == 0)
        #expect(refusal?.code == .busy)
        #expect(after == 0)
        try client.blocking.insert(notes)
        #expect(try other.blocking.count(Note.all) == 1_000)
    }
}
