import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Foundation
import Testing

@Suite struct VerifyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let client = try ObjectStoreDBClient(at: folder.store)
        let long = String(repeating: "long ", count: 4_000)
        try client.blocking.insert(
            (1...3_000).map {
                Note($0, $0 % 500 == 0 ? long : "title \($0)", folder: $0 % 9, code: "code \($0)")
            }
        )
        try client.blocking.delete(Note.where { $0.folder == 4 })
        try client.close()
    }

    @Test func aSoundStorePasses() throws {
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    /// More rows than wait for their entries at once, of which so many have one value that these take a tree of
    /// their own.
    @Test func aLargeInsertLeavesASoundStore() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        var notes = (10_001...150_000).map { Note($0, "title \($0 % 50_000)", folder: $0 % 3) }
        notes[70_000...].shuffle()
        try client.blocking.insert(notes)
        for folder in 0..<3 {
            let expected = notes.filter { $0.folder == folder }.map(\.id).sorted()
            let found = try client.blocking.fetch(
                Note.where { $0.folder == folder && $0.id > 10_000 }
            )
            #expect(found.map(\.id) == expected)
        }
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    /// Damages one place of each page in turn.
    ///
    /// What the check lets pass must not matter: what is read afterwards, in order, by key and by index, is
    /// what was written.
    @Test(arguments: [UInt64.random(in: 0..<1_000_000)]) func damageIsFound(seed: UInt64) throws {
        let sound = try Data(contentsOf: folder.store)
        let client = try ObjectStoreDBClient(at: folder.store)
        let notes = try Self.read(client)
        try client.close()
        var random = SeededGenerator(seed: seed)
        var found = 0
        let pages = sound.count / 4096
        for page in stride(from: 2, to: pages, by: max(pages / 150, 1)) {
            var damaged = sound
            let range = page * 4096..<(page + 1) * 4096
            switch page % 3 {
            case 0: damaged.resetBytes(in: range)
            case 1: damaged[Int.random(in: range, using: &random)] ^= 0xFF
            default:
                for place in range {
                    damaged[place] = UInt8.random(in: .min ... .max, using: &random)
                }
            }
            try damaged.write(to: folder.store)
            do {
                try ObjectStoreDBClient.verify(at: folder.store)
            } catch let error as DBClientError {
                #expect(error.code == .corrupt)
                found += 1
                continue
            }
            let client = try ObjectStoreDBClient(at: folder.store)
            #expect(try Self.read(client) == notes, "seed \(seed), page \(page)")
            try client.close()
        }
        #expect(found > 50)
    }

    /// Returns what is found in each of the ways in which a store can be read.
    private static func read(_ client: ObjectStoreDBClient) throws -> [[Note]] {
        let keys = Array(stride(from: 1, through: 3_000, by: 7))
        return try client.blocking.read { transaction in
            [
                try transaction.fetch(Note.all),
                try transaction.find(Note.self, keys: keys),
                try transaction.fetch(
                    Note.where { $0.code >= "code 2" }.sorted { $0.code.ascending }
                ),
                try transaction.fetch(Note.where { $0.folder == 5 }),
                try transaction.fetch(Note.where { $0.title.hasPrefix("title 29") }),
            ]
        }
    }

    @Test func aRecordUnderAnotherKeyIsFound() throws {
        try expectDamage { file in
            // The keys of a table of integers: the machine's order, sign bit flipped.
            file.replace(key(2_999), by: key(2_998_999))
        }
    }

    @Test func anEntryOfAnIndexForAnotherRecordIsFound() throws {
        try expectDamage { file in
            let entry = Data([1]) + Data("code 1234".utf8) + Data([0])
            var other = entry
            other[7] = UInt8(ascii: "9")
            return file.replace(entry, by: other)
        }
    }

    @Test func anEntityUnderAnotherNameIsFound() throws {
        try expectDamage { file in
            file.replace(Data("eNote".utf8), by: Data("eNoth".utf8))
        }
    }

    private func key(_ integer: UInt64) -> Data {
        withUnsafeBytes(of: integer ^ 1 << 63) { Data($0) }
    }

    private func expectDamage(_ damage: (inout Data) -> Bool) throws {
        var file = try Data(contentsOf: folder.store)
        #expect(damage(&file), "the file has nothing of the kind")
        try file.write(to: folder.store)
        let refusal = error { try ObjectStoreDBClient.verify(at: folder.store) }
        #expect(refusal?.code == .corrupt)
    }
}

extension Data {
    /// Replaces some bytes wherever they are, and returns whether they are anywhere.
    fileprivate mutating func replace(_ old: Data, by new: Data) -> Bool {
        var isFound = false
        while let range = range(of: old) {
            replaceSubrange(range, with: new)
            isFound = true
        }
        return isFound
    }
}
