import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// Encrypted object stores, by their keys.
@Suite struct KeyTests {
    private let place: Workplace
    private let key = (0..<32).map { UInt8($0 * 5 + 3) }

    init() throws {
        place = try Workplace()
    }

    private func write(_ name: String, _ content: some Sequence<UInt8>) throws {
        try Data(content).write(to: place.folder.appendingPathComponent(name))
    }

    /// Makes an encrypted store, and files with its key in each form.
    private func makeStore() async throws {
        let url = place.folder.appendingPathComponent("secret.store")
        let client = try ObjectStoreDBClient(at: url, key: .data(key))
        try await client.insert(Workplace.heroes)
        try client.close()
        try write("bytes", key)
        try write("digits", (key.map { String(format: "%02X", $0) }.joined() + "\n").utf8)
        try write("other", (0..<32).map { _ in UInt8(7) })
    }

    /// Whether a file holds the name of a hero as it is.
    private func isLegible(_ name: String) throws -> Bool {
        try Data(contentsOf: place.folder.appendingPathComponent(name))
            .range(of: Data("Iron Man".utf8)) != nil
    }

    @Test func theKeyOpensTheStoreInEitherForm() async throws {
        try await makeStore()
        for file in ["bytes", "digits"] {
            let options = ["--key-file", file]
            let count = try place.run(["query", "secret.store", "Hero", "--count"] + options)
            #expect(count.output == "3\n", "\(count.errors)")
            #expect(try place.run(["inspect", "secret.store"] + options).code == 0)
            let check = try place.run(["check", "secret.store"] + options)
            #expect(check.output == "no damage: 5 rows of 2 entities\n", "\(check)")
            #expect(try place.run(["schema", "secret.store"] + options).output.contains("Hero"))
        }
    }

    @Test func whatIsNoKeyOfTheStoreLeavesIt() async throws {
        try await makeStore()
        let before = try Data(contentsOf: place.folder.appendingPathComponent("secret.store"))
        for command in [["query", "secret.store", "Hero"], ["check", "secret.store"]] {
            let without = try place.run(command)
            #expect(without.code == 1)
            #expect(without.errors.contains("--key-file"), "\(without.errors)")
            let wrong = try place.run(command + ["--key-file", "other"])
            #expect(wrong.code == 1)
            #expect(wrong.errors.contains("key"), "\(wrong.errors)")
            #expect(wrong.output.isEmpty)
        }
        try write("short", key.dropLast())
        try write("long", key.map { _ in UInt8(ascii: "g") } + key.map { _ in UInt8(ascii: "g") })
        try write("empty", [])
        try write("lines", "a\nb\n".utf8)
        for (option, file, message) in [
            ("--key-file", "short", "it has 31 bytes"), ("--key-file", "long", "it has 64 bytes"),
            ("--key-file", "none", "must be readable"),
            ("--passphrase-file", "empty", "must have one line"),
            ("--passphrase-file", "lines", "must have one line"),
        ] {
            let run = try place.run("inspect", "secret.store", option, file)
            #expect(run.code == 1)
            #expect(run.errors.contains(message), "\(run.errors)")
        }
        let both = try place.run(
            "inspect",
            "secret.store",
            "--key-file",
            "bytes",
            "--passphrase-file",
            "lines"
        )
        #expect(both.code == 64)
        let plain = try await place.heroes()
        #expect(try place.run("inspect", plain, "--key-file", "bytes").errors.contains("encrypted"))
        #expect(
            try Data(contentsOf: place.folder.appendingPathComponent("secret.store")) == before
        )
    }

    @Test func aCopyIsEncryptedWhereItHasAKeyAndSaysWhereItHasNone() async throws {
        try await makeStore()
        let plain = try place.run(
            "copy",
            "secret.store",
            "object:plain.store",
            "--key-file",
            "bytes",
            "--verify"
        )
        #expect(plain.code == 0, "\(plain.errors)")
        #expect(plain.errors.contains("The target is not encrypted."))
        #expect(try isLegible("plain.store"))
        try write("passphrase", "correct horse\n".utf8)
        let sealed = try place.run(
            "copy",
            "plain.store",
            "object:sealed.store",
            "--target-passphrase-file",
            "passphrase",
            "--verify"
        )
        #expect(sealed.code == 0, "\(sealed.errors)")
        #expect(sealed.output.contains("verified: the checksums are equal\n"))
        #expect(!sealed.errors.contains("not encrypted"))
        #expect(try !isLegible("sealed.store"))
        let url = place.folder.appendingPathComponent("sealed.store")
        let client = try ObjectStoreDBClient(at: url, key: .passphrase("correct horse"))
        #expect(try await client.findAll(Hero.self) == Workplace.heroes)
        try client.close()
    }

    @Test func aBackupHasTheKeyOfTheStore() async throws {
        try await makeStore()
        let run = try place.run("backup", "secret.store", "object:b.store", "--key-file", "bytes")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try !isLegible("b.store"))
        let url = place.folder.appendingPathComponent("b.store")
        let client = try ObjectStoreDBClient(at: url, key: .data(key))
        #expect(try await client.findAll(Hero.self) == Workplace.heroes)
        try client.close()
        #expect(try place.files.filter { $0.contains("partial") } == [])
    }

    @Test func theKeyIsChanged() async throws {
        try await makeStore()
        try write("passphrase", "correct horse".utf8)
        let rekey = ["rekey", "secret.store", "--key-file", "bytes"]
        #expect(try place.run(rekey).code == 64)
        #expect(try place.run(rekey + ["--new-key-file", "none"]).code == 1)
        let run = try place.run(rekey + ["--new-passphrase-file", "passphrase"])
        #expect(run.code == 0, "\(run.errors)")
        let query = ["query", "secret.store", "Hero", "--count"]
        #expect(try place.run(query + ["--key-file", "bytes"]).code == 1)
        #expect(try place.run(query + ["--passphrase-file", "passphrase"]).output == "3\n")
    }
}
