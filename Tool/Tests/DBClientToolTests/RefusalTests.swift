import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import Foundation
import Testing

/// What the command refuses, since something would be lost or would be missing.
@Suite struct RefusalTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private func data(_ name: String) throws -> Data {
        try Data(contentsOf: place.folder.appendingPathComponent(name))
    }

    /// Makes a SQLite file with a table that no entity can show, and one with a column that none can.
    private func makeOther() async throws {
        let other = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        try other.blocking.execute("CREATE TABLE Keyless (a INT)")
        try await other.insert(Publisher(id: 1, name: "a"))
        try other.close()
    }

    @Test func aBackupIsNotMadeBesideTheLogOfAnotherFile() async throws {
        let store = try await place.heroes()
        for suffix in ["-wal", "-shm", "-journal"] {
            let log = place.path("w.db" + suffix)
            try "old".write(toFile: log, atomically: false, encoding: .utf8)
            let run = try place.run("backup", store, "sqlite:w.db")
            #expect(run.code == 1)
            #expect(run.errors.contains("w.db\(suffix) must not exist"), "\(run.errors)")
            #expect(try place.files.contains("w.db") == false)
            unlink(log)
        }
        symlink("nowhere", place.path("link.db"))
        for prefix in ["sqlite:", "object:"] {
            let run = try place.run("backup", store, prefix + "link.db")
            #expect(run.code == 1)
            #expect(run.errors.contains("link.db must not exist"))
        }
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: place.path("link.db"))
                == "nowhere"
        )
        #expect(try place.run("backup", store, "sqlite:w.db").code == 0)
        #expect(try place.run("query", "w.db", "Hero", "--count").output == "3\n")
    }

    @Test func aLockFileReplacesNothingElse() async throws {
        let store = try await place.heroes()
        try "text".write(toFile: place.path("text"), atomically: false, encoding: .utf8)
        symlink("schema.lock", place.path("link"))
        let before = try data("heroes.store")
        for output in [store, "text", ".", "link"] {
            let run = try place.run("schema", "lock", store, "--output", output)
            #expect(run.code == 1, "\(output)")
            #expect(run.errors.contains("The output must"), "\(run.errors)")
        }
        #expect(try data("heroes.store") == before)
        #expect(try data("text") == Data("text".utf8))
        for _ in 0..<2 { #expect(try place.run("schema", "lock", store).code == 0) }
    }

    @Test func anExportReplacesNoStoreAndNoLink() async throws {
        let store = try await place.heroes()
        #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
        symlink("target", place.path("link"))
        let before = (try data("heroes.store"), try data("heroes.sqlite"))
        for output in ["heroes.store", "heroes.sqlite", "link", "."] {
            let run = try place.run("export", store, "-o", output, "--yes")
            #expect(run.code == 1, "\(output)")
            #expect(run.errors.contains("The output must"), "\(run.errors)")
        }
        #expect(try (data("heroes.store"), data("heroes.sqlite")) == before)
        let files = try place.files
        let standard = try place.run("export", store, "-o", "-")
        #expect(standard.code == 0)
        #expect(standard.output == (try place.run("export", store).output))
        #expect(try place.files == files)
        for _ in 0..<2 {
            #expect(try place.run("export", store, "-o", "new.jsonl", "--yes").code == 0)
        }
    }

    @Test func whatNoEntityCanShowIsLeftOutOnlyWhereThatIsWanted() async throws {
        try await makeOther()
        let calls = [
            ["copy", "other.sqlite", "object:copy.store", "--verify"],
            ["copy", "other.sqlite", "object:pages.store", "--resumable", "--verify"],
            ["export", "other.sqlite", "-o", "other.jsonl"],
        ]
        for call in calls {
            let refused = try place.run(call)
            #expect(refused.code == 1)
            #expect(refused.errors.contains("would lack Keyless: The table has no primary key"))
            #expect(refused.errors.contains("--partial"))
            let part = try place.run(call + ["--partial"])
            #expect(part.code == 0, "\(part.errors)")
            #expect(part.errors.contains("left out: Keyless: The table has no primary key"))
        }
        let chosen = try place.run("export", "other.sqlite", "--entity", "Publisher")
        #expect(chosen.code == 0)
        #expect(chosen.errors == "")
        let one = try place.run(
            "copy",
            "other.sqlite",
            "object:one.store",
            "--entity",
            "Publisher"
        )
        #expect(one.code == 0)
        #expect(
            try place.run("export", "other.sqlite", "--entity", "Keyless").errors
                .contains("would lack Keyless")
        )
    }

    @Test func fieldsThatNoEntityCanShowAreLeftOutAndTheOthersCopied() async throws {
        let other = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("odd.sqlite"))
        try other.blocking.execute("CREATE TABLE Odd (id INTEGER PRIMARY KEY, name TEXT, odd)")
        try other.blocking.execute("INSERT INTO Odd VALUES (1, 'a', 'x'), (2, 'b', 3)")
        try other.close()
        for call in [
            ["copy", "odd.sqlite", "object:copy.store", "--verify"],
            ["copy", "odd.sqlite", "object:pages.store", "--resumable", "--verify"],
            ["backup", "odd.sqlite", "sqlite:kept.sqlite"],
        ] {
            let refused = try place.run(call)
            #expect(refused.code == 1)
            #expect(refused.errors.contains("would lack Odd.odd"), "\(refused.errors)")
            let part = try place.run(call + ["--partial"])
            #expect(part.code == 0, "\(part.errors)")
            let query = [
                "query", String(call[2].split(separator: ":")[1]), "Odd", "--format", "csv",
            ]
            #expect(try place.run(query).output == "id,name\r\n1,a\r\n2,b\r\n")
        }
        let replaced = ["copy", "odd.sqlite", "copy.store", "--partial"]
        #expect(try place.run(replaced).code == 1)
        let again = try place.run(replaced + ["--replace", "--yes"])
        #expect(again.output == "Odd: 0 inserted, 2 replaced\n", "\(again.errors)")
    }

    @Test(arguments: [[Publisher(id: 5, name: "other")], [Publisher(id: 2, name: "")]])
    func aResumableCopyRefusesATargetWithOtherRows(_ rows: [Publisher]) async throws {
        let store = try await place.heroes()
        let client = try ObjectStoreDBClient(at: place.folder.appendingPathComponent("t.store"))
        try await client.insert(rows)
        try client.close()
        let run = try place.run("copy", store, "t.store", "--resumable")
        #expect(run.code == 1)
        #expect(run.errors.contains("must have the first rows of Publisher"), "\(run.errors)")
        #expect(try place.run("query", "t.store", "Publisher", "--count").output == "1\n")
    }

    @Test func aResumableCopyGoesOnAfterTheFirstRows() async throws {
        let store = try await place.heroes()
        let client = try ObjectStoreDBClient(at: place.folder.appendingPathComponent("t.store"))
        try await client.insert(Publisher(id: 1, name: "Marvel"))
        try client.close()
        let run = try place.run("copy", store, "t.store", "--resumable", "--verify")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("Publisher: 1 inserted, 1 were there"))
    }

    @Test func aLineHasOneRow() async throws {
        _ = try await place.heroes()
        let head = "{\"dbclient\":1,\"entities\":[\"Publisher\"]}\n"
        let pair = "\"Publisher\":{\"id\":8,\"name\":\"a\"}"
        let end = "{\"dbclient.end\":{\"rows\":1}}\n"
        for text in [
            head + "{\(pair),\"Publisher\":{\"id\":9,\"name\":\"b\"}}\n" + end,
            head + "{}\n" + end,
            head + "{\(pair)}\n" + "{\"dbclient.end\":{\"rows\":1},\(pair)}\n",
        ] {
            let run = try place.run("import", "heroes.store", "-", input: text)
            #expect(run.code == 1)
            #expect(run.errors.contains("there must be one row"), "\(run.errors)")
        }
        let good = try place.run(
            "import",
            "heroes.store",
            "-",
            input: "\u{FEFF}" + head + "{\(pair)}\n" + end
        )
        #expect(good.code == 0, "\(good.errors)")
    }

    @Test func anArgumentThatIsNotUnderstoodHasItsCode() async throws {
        let store = try await place.heroes()
        for arguments in [
            ["query", store, "Hero", "year ="], ["query", store, "Hero", "name = 'open"],
            ["query", store, "Hero", "nothing = 1"], ["query", store, "Hero", "--sort", "id up"],
            ["query", store, "Hero", "--fields", "nothing"], ["watch", store, "Hero", "year"],
            ["import", store, "x.csv"], ["import", store, "x", "--format", "csv"],
        ] {
            #expect(try place.run(arguments).code == 64, "\(arguments)")
        }
        #expect(try place.run("query", store, "Villain").code == 1)
        let like = try place.run("query", store, "Hero", "name like 'Iron%'", "--count")
        #expect(like.output == "0\n")
        #expect(like.errors.contains("like knows * for any text"))
        #expect(try place.run("query", store, "Hero", "name like 'Iron*'").errors == "")
    }

    @Test func generateTakesTheAddressesOfTheOtherCommands() async throws {
        let store = try await place.heroes()
        try await makeOther()
        func generate(_ store: String, _ more: String...) throws -> Workplace.Run {
            try place.run(["generate", store, "--output", "Model"] + more)
        }
        let refused = [
            (store, "is an object store"), ("missing.sqlite", "There is no file missing.sqlite."),
            ("object:other.sqlite", "must be an object store"), (".", "is a folder"),
            ("postgres://app:secret@127.0.0.1:1/x", "PGPASSWORD"),
            ("postgres://app@127.0.0.1:1/x?password=secret", "PGPASSWORD"),
        ]
        for (address, message) in refused {
            let run = try generate(address)
            #expect(run.code == 1)
            #expect(run.errors.hasPrefix("dbclient: "))
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(!run.errors.contains("secret"))
        }
        #expect(try place.files.contains("Model") == false)
        #expect(try generate("postgres://app@h/x?schema=a", "--schema", "b").code == 64)
        #expect(try generate("other.sqlite", "--schema", "b").code == 64)
        let run = try generate("sqlite:other.sqlite")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("1 files written"))
    }
}
