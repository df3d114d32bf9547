import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import Foundation
import Testing

/// The command as a process, on real stores.
@Suite struct CommandTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    // MARK: What every command does

    @Test func aMissingOrForeignFileIsAnErrorAndNothingIsMade() throws {
        try "no store".write(toFile: place.path("text"), atomically: true, encoding: .utf8)
        try Data().write(to: place.folder.appendingPathComponent("empty"))
        for command in ["inspect", "schema", "check", "export", "compact"] {
            let missing = try place.run(command, "missing.store")
            #expect(missing.code == 1)
            #expect(missing.errors.contains("There is no file missing.store."))
            #expect(
                try place.run(command, "text").errors.contains(
                    "must be an object store or a SQLite file"
                )
            )
            #expect(try place.run(command, "empty").errors.contains("is empty"))
            #expect(try place.run(command, ".").errors.contains("is a folder"))
        }
        #expect(try place.run("inspect", "object:missing.store").code == 1)
        #expect(try place.run("import", "sqlite:missing.store", "text").code == 1)
        #expect(try place.files == ["empty", "text"])
    }

    @Test func aPasswordInAURLIsRefusedWithoutShowingIt() throws {
        for url in [
            "postgres://app:secret@127.0.0.1:1/x", "postgres://app@127.0.0.1:1/x?password=secret",
        ] {
            let run = try place.run("inspect", url)
            #expect(run.code == 1)
            #expect(run.errors.contains("PGPASSWORD"))
            #expect(!run.errors.contains("secret"))
        }
    }

    @Test func helpHasAnExampleForEachCommand() throws {
        let help = try place.run("--help")
        #expect(help.code == 0)
        for command in [
            "inspect", "browse", "schema", "query", "export", "import", "copy", "watch", "journal",
            "check",
            "backup", "compact", "migrate", "generate",
        ] {
            #expect(help.output.contains(command))
            let own = try place.run("help", command)
            #expect(own.code == 0)
            #expect(own.output.contains("Example: dbclient \(command)"), "\(command)")
        }
        #expect(try place.run("inspect").code == 64)
        #expect(try place.run("query", "a", "b", "--format", "xml").code == 64)
    }

    // MARK: Looking

    @Test func inspectShowsEntitiesAndTheirRows() async throws {
        let run = try place.run("inspect", try await place.heroes(), "--fields")
        #expect(run.code == 0)
        #expect(run.output.contains("object store"))
        #expect(run.output.contains("readers: none"))
        #expect(run.output.contains(/Hero +3 +id +13 +4 +3/))
        #expect(run.output.contains(/Publisher +2 +id +2/))
        #expect(run.output.contains("  relationship rivals list Hero nullify"))
        #expect(!run.output.contains("\u{1B}"))
        #expect(!run.output.contains("dbclient_"))
    }

    @Test func inspectNamesWhatItLeavesOut() throws {
        let client = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        try client.blocking.execute("CREATE TABLE Keyless (a INT)")
        try client.close()
        let run = try place.run("inspect", "other.sqlite")
        #expect(run.code == 0)
        #expect(run.output.contains("Keyless: The table has no primary key"))
    }

    @Test func aQueryFindsRowsInEachForm() async throws {
        let store = try await place.heroes()
        let table = try place.run("query", store, "Hero", "year = 1963", "--fields", "id, name")
        #expect(table.output == "id  name\n--  --------\n 1  Iron Man\n")
        let csv = try place.run(
            "query",
            store,
            "Hero",
            "--sort",
            "id desc",
            "--limit",
            "2",
            "--format",
            "csv",
            "--fields",
            "id,name,year"
        )
        #expect(
            csv.output
                == "id,name,year\r\n3,\" Ünï\r\ncode \u{2028}\",-9223372036854775808\r\n"
                + "2,\"O'Brien, \"\"the\"\" 1'); DROP TABLE Hero; --\",\r\n"
        )
        let json = try place.run("query", store, "Hero", "id = 1", "--format", "json")
        let rows =
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        #expect(rows?.first?["tags"] as? [String] == ["a,b", "\"quoted\"", "two\nlines"])
        #expect(rows?.first?["worth"] as? String == "12345678901234567890.01")
        let none = try place.run("query", store, "Hero", "id = 9", "--format", "json")
        #expect(none.output == "[]\n")
        #expect(
            try place.run("query", store, "Hero", "not year is null", "--count").output == "2\n"
        )
    }

    @Test func aValueThatTriesToBeSQLIsAValue() async throws {
        let store = try await place.heroes()
        #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
        for store in [store, "heroes.sqlite"] {
            let text = "name = 'O''Brien, \"the\" 1''); DROP TABLE Hero; --'"
            #expect(try place.run("query", store, "Hero", text, "--count").output == "1\n")
            let attack = try place.run("query", store, "Hero", "id = 1; DROP TABLE Hero")
            #expect(attack.code == 64)
            #expect(attack.errors.contains("position 7"))
            #expect(try place.run("query", store, "Hero\"; DROP TABLE Hero; --").code == 1)
            #expect(try place.run("query", store, "Hero", "--count").output == "3\n")
        }
    }

    @Test func watchTellsOfTheCommitsOfAnotherProcess() async throws {
        let store = try await place.heroes()
        let process = place.process(["watch", store, "Publisher", "id > 1", "--changes", "3"])
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        var lines = PipeLines(pipe)
        #expect(lines.next() == #"+ {"id":2,"name":""}"#)
        let client = try ObjectStoreDBClient(
            at: place.folder.appendingPathComponent("heroes.store")
        )
        try await client.insert(Publisher(id: 3, name: "DC"))
        #expect(lines.next() == #"+ {"id":3,"name":"DC"}"#)
        try await client.update(Publisher(id: 3, name: "Dark Horse"))
        #expect(lines.next() == #"~ {"id":3,"name":"Dark Horse"}"#)
        try await client.insert(Publisher(id: 0, name: "none"))
        try await client.delete(Publisher.self, key: 3)
        #expect(lines.next() == #"- {"id":3,"name":"Dark Horse"}"#)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try client.close()
    }

    @Test func schemasAreLockedAndCompared() async throws {
        let store = try await place.heroes()
        #expect(try place.run("schema", "lock", store).code == 0)
        #expect(try place.run("schema", "diff", "schema.lock", store).output == "")
        #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
        let alike = try place.run("schema", "diff", store, "heroes.sqlite")
        #expect(alike.code == 0, "\(alike.output)")
        let client = try SQLDBClient.sqlite(
            at: place.folder.appendingPathComponent("heroes.sqlite")
        )
        try client.blocking.execute(
            "CREATE TABLE Villain (id INTEGER PRIMARY KEY NOT NULL, name TEXT)"
        )
        try client.blocking.execute("ALTER TABLE Publisher ADD COLUMN city TEXT")
        try client.close()
        let run = try place.run("schema", "diff", "schema.lock", "heroes.sqlite")
        #expect(run.code == 2)
        #expect(
            run.output == """
                  entity Publisher
                +   field city text optional
                + entity Villain
                +   field id int64
                +   field name text optional
                +   key id

                """
        )
    }

    @Test(arguments: ["heroes.store", "sqlite:heroes.sqlite"])
    func aStoreIsMigratedToALockFile(target: String) async throws {
        let store = try await place.heroes()
        let file = target.replacing("sqlite:", with: "")
        if file != target { #expect(try place.run("copy", store, target).code == 0) }
        #expect(try place.run("schema", "lock", file).code == 0)
        let path = place.path("schema.lock")
        let locked = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try place.run("migrate", file, "--to", "schema.lock", "--dry-run").output == "")
        // As a test writes it, without the line of the command.
        let body = locked[(locked.firstRange(of: "entity ")?.lowerBound ?? locked.endIndex)...]
        let wanted = body.replacing(
            "entity Publisher\n",
            with: "entity Publisher\n  field city text optional\n"
        )
        .replacing("  index year\n", with: "  index power\n  index year\n")
        .appending("\nentity Villain\n  field id int64\n  key id\n")
        try wanted.write(toFile: path, atomically: true, encoding: .utf8)
        let dry = try place.run("migrate", file, "--to", "schema.lock", "--dry-run")
        #expect(dry.code == 2)
        #expect(dry.output.hasPrefix("Hero: index power\nPublisher: add city\n"), "\(dry.output)")
        #expect(dry.output.contains("ALTER TABLE") == (file != target), "\(dry.output)")
        #expect(dry.output.contains("CREATE INDEX") == (file != target), "\(dry.output)")
        #expect(dry.errors.contains("Villain: is not stored yet"))
        let run = try place.run("migrate", file, "--to", "schema.lock")
        #expect(run.code == 0)
        #expect(run.output == "Hero: index power\nPublisher: add city\n", "\(run.errors)")
        #expect(try place.run("migrate", file, "--to", "schema.lock", "--dry-run").code == 0)
        #expect(try place.run("check", file).code == 0)
        let diff = try place.run("schema", "diff", file, "schema.lock")
        #expect(diff.output == "+ entity Villain\n+   field id int64\n+   key id\n")

        try wanted.replacing("  field city text optional\n", with: "").write(
            toFile: path,
            atomically: true,
            encoding: .utf8
        )
        #expect(try place.run("migrate", file, "--to", "schema.lock").output == "")
        let removal = ["migrate", file, "--to", "schema.lock", "--remove", "Publisher.city"]
        let asked = try place.run(removal)
        #expect(asked.code == 1 && asked.errors.contains("--yes"))
        #expect(try place.run(removal + ["--yes"]).output == "Publisher: remove city\n")
        #expect(try place.run("migrate", file, "--to", "schema.lock", "--remove", "x.y").code == 64)
        #expect(try place.run("migrate", file, "--to", file).code == 64)

        try wanted.replacing("field power double", with: "field power text").write(
            toFile: path,
            atomically: true,
            encoding: .utf8
        )
        let misfit = try place.run("migrate", file, "--to", "schema.lock")
        #expect(misfit.code == 1 && misfit.errors.contains("Hero.power"), "\(misfit.errors)")
    }

    // MARK: Keeping

    @Test func checkFindsDamageAndReferencesToNothing() async throws {
        let store = try await place.heroes()
        #expect(try place.run("check", store).output == "no damage: 5 rows of 2 entities\n")
        #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
        #expect(try place.run("check", "heroes.sqlite").code == 0)
        let client = try SQLDBClient.sqlite(
            at: place.folder.appendingPathComponent("heroes.sqlite")
        )
        try client.blocking.execute("DELETE FROM Publisher WHERE id = 2")
        try client.close()
        let dangling = try place.run("check", "heroes.sqlite")
        #expect(dangling.code == 2)
        #expect(
            dangling.output
                == "damaged: Hero.publisher refers to Publisher 2, which is not stored.\n"
        )
        let file = try #require(FileHandle(forUpdatingAtPath: store))
        let size = try file.seekToEnd()
        for page in stride(from: UInt64(8192), to: size, by: 4096) {
            try file.seek(toOffset: page + 2048)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 2048))
        }
        try file.close()
        let damaged = try place.run("check", store)
        #expect(damaged.code == 2)
        #expect(damaged.output.hasPrefix("damaged: "))
    }

    @Test func aBackupIsANewStoreOfTheSameRows() async throws {
        let store = try await place.heroes()
        let client = try ObjectStoreDBClient(
            at: place.folder.appendingPathComponent("heroes.store")
        )
        #expect(try place.run("backup", store, "object:kept.store").code == 0)
        try client.close()
        #expect(try await place.stored("kept.store") == Workplace.heroes)
        #expect(try place.files.filter { $0.contains("partial") }.isEmpty)
        #expect(
            try place.run("backup", store, "object:kept.store").errors.contains("must not exist")
        )
        #expect(try place.run("backup", store, "kept2.store").code == 1)
        let other = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        try other.blocking.execute("CREATE TABLE Keyless (a INT)")
        try await other.insert(Publisher(id: 1, name: "a"))
        try other.close()
        let refused = try place.run("backup", "other.sqlite", "sqlite:kept.sqlite")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("would lack Keyless"))
        #expect(
            try place.run("backup", "other.sqlite", "sqlite:kept.sqlite", "--partial").code == 0
        )
        #expect(try place.run("query", "kept.sqlite", "Publisher", "--count").output == "1\n")
    }

    @Test func compactingReturnsSpace() async throws {
        let store = try await place.heroes()
        let client = try ObjectStoreDBClient(
            at: place.folder.appendingPathComponent("heroes.store")
        )
        try await client.insert(
            (10..<3_000).map { Publisher(id: $0, name: String(repeating: "x", count: 500)) }
        )
        try await client.delete(Publisher.where { $0.id >= 10 })
        // What the newest commit has freed is kept for the one before it.
        try await client.insert(Publisher(id: 9, name: "last"))
        try client.close()
        let run = try place.run("compact", store)
        #expect(run.code == 0)
        let bytes = try #require(run.output.split(separator: " ").first.flatMap { Int($0) })
        #expect(bytes > 500_000)
        #expect(try await place.stored("heroes.store") == Workplace.heroes)
        #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
        #expect(try place.run("compact", "heroes.sqlite").errors.contains("VACUUM"))
    }
}
