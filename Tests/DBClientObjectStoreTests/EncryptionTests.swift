import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

#if Encryption
/// What an encrypted store tells to those with its key, and to those without.
@Suite struct EncryptionTests {
    private let folder: TemporaryFolder
    private let key = StoreKey.random()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ key: StoreKey?) throws -> ObjectStoreDBClient {
        try ObjectStoreDBClient(at: folder.store, key: key)
    }

    private func fill(_ client: ObjectStoreDBClient, _ count: Int = 500) throws {
        try client.blocking.insert(
            (1...count).map {
                Note(
                    $0,
                    "legible title \($0)",
                    folder: $0 % 7,
                    code: "legible code \($0)"
                )
            }
        )
    }

    /// The content of every file in the store's folder.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return try names.reduce(into: [:]) {
            $0[$1] = try Data(contentsOf: folder.url.appendingPathComponent($1))
        }
    }

    @Test func aKeyIsNeededAndTheRightOne() throws {
        try fill(open(key))
        let before = try files()["notes.store"]
        #expect(error { _ = try open(nil) }?.code == .keyRequired)
        #expect(error { _ = try open(.random()) }?.code == .wrongKey)
        #expect(error { _ = try open(.data([1, 2, 3])) }?.code == .invalidValue)
        #expect(try files()["notes.store"] == before)
        let client = try open(key)
        #expect(error { _ = try open(nil) }?.code == .keyRequired)
        #expect(error { _ = try open(.random()) }?.code == .wrongKey)
        let other = try open(key)
        #expect(try other.blocking.count(Note.all) == 500)
        try other.close()
        try client.close()
        #expect(try files()["notes.store"] == before)
    }

    @Test func aFileThatIsPutBackIsOlderThanItsVersion() throws {
        let saved = folder.url.appendingPathComponent("saved")
        let first = try open(key)
        try fill(first)
        let before = try first.version()
        try first.checkVersion(isAtLeast: before)
        try first.close()
        try FileManager.default.copyItem(at: folder.store, to: saved)
        let second = try open(key)
        try second.checkVersion(isAtLeast: before)
        try second.blocking.insert(Note(1_000, "later"))
        let after = try second.version()
        #expect(after != before)
        try second.rekey(to: .passphrase("another"))
        _ = try second.compact()
        try second.checkVersion(isAtLeast: after)
        try second.close()
        try FileManager.default.removeItem(at: folder.store)
        try FileManager.default.copyItem(at: saved, to: folder.store)
        let third = try open(key)
        try third.checkVersion(isAtLeast: before)
        #expect(error { try third.checkVersion(isAtLeast: after) }?.code == .corrupt)
        try third.close()
    }

    @Test func aVersionIsThatOfOneStore() throws {
        let client = try open(key)
        let version = try client.version()
        #expect(StoreVersion(rawValue: version.rawValue) == version)
        let coded = try JSONEncoder().encode(version)
        #expect(try JSONDecoder().decode(StoreVersion.self, from: coded) == version)
        for text in [
            "", "-", "1", "1-", "x-\(version.rawValue)", "1-AAAA", "01" + version.rawValue,
        ] {
            #expect(StoreVersion(rawValue: text) == nil, "\(text)")
        }
        let other = try TemporaryFolder()
        let another = try ObjectStoreDBClient(at: other.store, key: key)
        #expect(error { try another.checkVersion(isAtLeast: version) }?.code == .corrupt)
        let plain = try ObjectStoreDBClient(.inMemory)
        #expect(error { _ = try plain.version() }?.code == .notEncrypted)
        try client.close()
        #expect(error { _ = try client.version() }?.code == .closed)
    }

    @Test func aKeyForAStoreWithoutOneIsRefused() throws {
        try fill(open(nil))
        let before = try files()["notes.store"]
        #expect(error { _ = try open(key) }?.code == .notEncrypted)
        let client = try open(nil)
        #expect(error { _ = try open(key) }?.code == .notEncrypted)
        #expect(error { try client.rekey(to: key) }?.code == .notEncrypted)
        try client.close()
        #expect(try files()["notes.store"] == before)
    }

    @Test func errorsTellNothingOfAKey() throws {
        let text = "correct horse battery staple"
        try open(key).close()
        let told = try #require(error { _ = try open(.passphrase(text)) })
        #expect(told.code == .wrongKey)
        #expect(!"\(told) \(String(reflecting: told))".contains("horse"))
    }

    @Test func aPassphraseOpensTheStoreHoweverItWasTyped() throws {
        try fill(open(.passphrase("caf\u{E9} au lait")), 20)
        let client = try open(.passphrase("cafe\u{301} au lait"))
        #expect(try client.blocking.count(Note.all) == 20)
        try client.close()
        #expect(error { _ = try open(.passphrase("cafe au lait")) }?.code == .wrongKey)
    }

    @Test func nothingIsLegibleInAnyFile() async throws {
        let client = try open(key)
        try fill(client)
        let long = String(repeating: "legible and long ", count: 5_000)
        try client.blocking.insert(Note(9_000, long))
        try client.blocking.update(Note.where { $0.folder == 3 }) {
            $0.set(\.title, to: "legible again")
        }
        try client.blocking.delete(Note.where { $0.folder == 4 })
        for _ in 0..<20 { try client.blocking.update(Note(9_000, "legible at last")) }
        for (name, bytes) in try files() {
            for text in ["legible", "Note", "title", "folder", "catalog", "journal", "watchers"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in \(name)")
            }
        }
        #expect(try client.blocking.find(Note.self, key: 9_000)?.title == "legible at last")
        try client.close()
        // A store without a key shows what was looked for.
        let other = try TemporaryFolder()
        let plain = try ObjectStoreDBClient(at: other.store)
        try fill(plain)
        try plain.close()
        let bytes = try Data(contentsOf: other.store)
        for text in ["legible", "Note", "title", "catalog"] {
            #expect(bytes.range(of: Data(text.utf8)) != nil)
        }
    }

    @Test func aStoreIsCopiedIntoOneWithAKeyAndBack() async throws {
        try fill(open(nil))
        let plain = try open(nil)
        let other = try TemporaryFolder()
        let sealed = try ObjectStoreDBClient(at: other.store, key: key)
        let notes = try plain.blocking.fetch(Note.all)
        try await sealed.copy(Note.self, from: plain)
        #expect(try sealed.blocking.fetch(Note.all) == notes)
        let third = try TemporaryFolder()
        let back = try ObjectStoreDBClient(at: third.store)
        try await back.copy(Note.self, from: sealed)
        #expect(try back.blocking.fetch(Note.all) == notes)
    }

    @Test func anotherKeyTakesThePlaceOfTheFirstWhileReadersGoOn() async throws {
        let client = try open(key)
        try fill(client)
        let second = StoreKey.random()
        try client.readBlocking { transaction in
            #expect(try transaction.count(Note.all) == 500)
            try client.rekey(to: second)
            #expect(try transaction.count(Note.all) == 500)
        }
        try client.blocking.insert(Note(1_000, "later"))
        // What is open in this process is refused with the former key as well.
        #expect(error { _ = try open(key) }?.code == .wrongKey)
        let beside = try open(second)
        #expect(try beside.blocking.count(Note.all) == 501)
        try beside.close()
        try client.close()
        #expect(error { _ = try open(key) }?.code == .wrongKey)
        let reopened = try open(second)
        #expect(try reopened.blocking.count(Note.all) == 501)
        try reopened.rekey(to: .passphrase("legible"))
        try reopened.close()
        #expect(try open(.passphrase("legible")).blocking.count(Note.all) == 501)
        try ObjectStoreDBClient.verify(at: folder.store, key: .passphrase("legible"))
    }

    @Test func aSoundStoreIsVerified() throws {
        let client = try open(key)
        try fill(client, 3_000)
        try client.blocking.insert(
            Note(9_000, String(repeating: "long ", count: 10_000))
        )
        try client.blocking.delete(Note.where { $0.folder == 4 })
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store, key: key)
        try ObjectStoreDBClient.verify(at: folder.store)
        let wrong = error { try ObjectStoreDBClient.verify(at: folder.store, key: .random()) }
        #expect(wrong?.code == .wrongKey)
        let always = try ObjectStoreDBClient(
            at: folder.store,
            key: key,
            verification: .always
        )
        #expect(try always.blocking.count(Note.where { $0.folder == 4 }) == 0)
    }
}
#endif
