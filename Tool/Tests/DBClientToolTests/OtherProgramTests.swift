import DBClientCore
import DBClientPostgreSQL
import DBClientSQLite
import Foundation
import Testing

/// The command on databases that other programs have made.
@Suite struct OtherProgramTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    /// Makes a SQLite file by statements, and returns its path.
    private func file(_ statements: SQL...) async throws -> String {
        let url = place.folder.appendingPathComponent("other.sqlite")
        let client = try SQLDBClient.sqlite(
            at: url,
            configuration: SQLiteConfiguration(trustsSchema: true)
        )
        for statement in statements { try await client.execute(statement) }
        try client.close()
        return url.path
    }

    @Test func aViewThatDoesNotWorkIsNamed() async throws {
        let file = try await file(
            "CREATE TABLE kept (id INTEGER PRIMARY KEY, notes JSON)",
            "INSERT INTO kept VALUES (1, '[1, 2]')",
            "CREATE VIEW broken AS SELECT * FROM gone"
        )
        let inspected = try place.run("inspect", file)
        #expect(inspected.code == 0, "\(inspected.errors)")
        #expect(
            inspected.output.contains(
                "broken: The database cannot read it: no such table: main.gone"
            )
        )
        #expect(try place.run("query", file, "kept", "--format", "json").output.contains("[1, 2]"))
        let generated = try place.run("generate", file, "--output", "models")
        #expect(generated.code == 0, "\(generated.errors)")
        #expect(generated.output.contains("broken: no model."))
    }

    @Test func aFileWithFunctionsInItsTablesIsOpenedWhereItIsTrusted() async throws {
        // As Django declares a field of JSON.
        let file = try await file(
            #"CREATE TABLE "post" ("id" integer PRIMARY KEY, "meta" text CHECK ((JSON_VALID("meta") OR "meta" IS NULL)))"#,
            "INSERT INTO post VALUES (1, '{}')"
        )
        for arguments in [
            ["inspect", file], ["check", file], ["query", file, "post"],
            ["generate", file, "--output", "models"],
        ] {
            let run = try place.run(arguments)
            // A version of SQLite that takes functions of JSON for harmless, as they are.
            if run.code == 0 { continue }
            #expect(
                run.errors.contains("only a trusted file may use. Give --trust-schema"),
                "\(run)"
            )
            #expect(!run.errors.contains("damaged"))
            let trusted = try place.run(arguments + ["--trust-schema"])
            #expect(trusted.code == 0, "\(trusted)")
        }
    }

    @Test func aNameInDoubleQuotesThatIsNoFieldIsAskedFor() async throws {
        let file = try await file("CREATE TABLE kept (id INTEGER PRIMARY KEY, name TEXT)")
        let run = try place.run("query", file, "kept", "name = \"a\"")
        #expect(run.code == 64 && run.errors.contains("Text is in single quotes: 'a'."), "\(run)")
    }
}

/// The command on a server whose tables other programs have made.
@Suite(.enabled(if: serverURL != nil)) struct OtherServerTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    /// Runs a body with a client of a schema of its own, and the store's address.
    private func with(
        _ statements: SQL...,
        body: (SQLDBClient, _ address: String) async throws -> Void
    ) async throws {
        let url = try #require(serverURL)
        let schema = "other_\(UUID().uuidString.lowercased().prefix(8))"
        let administrator = try await SQLDBClient.postgreSQL(url)
        try await administrator.execute("CREATE SCHEMA \(identifier: schema)")
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        let client = try await SQLDBClient.postgreSQL(url, configuration: configuration)
        for statement in statements { try await client.execute(statement) }
        try await body(client, url + (url.contains("?") ? "&" : "?") + "schema=\(schema)")
        try client.close()
        try await administrator.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        try administrator.close()
    }

    @Test func arraysAndJSONOfOtherProgramsAreCopiedAndCompared() async throws {
        try await with(
            "CREATE TABLE thing (id int PRIMARY KEY, raw json, tags text[], gaps int[])",
            #"INSERT INTO thing VALUES (1, '{"b": 1.50,  "a": [ 1 ]}', '{x,"y z"}', '{1,NULL}')"#
        ) { client, address in
            let copied = try place.run("copy", address, "object:copy.store", "--verify")
            #expect(copied.code == 0, "\(copied)")
            #expect(copied.output.contains("verified: the checksums are equal"))
            let back = try place.run("query", "copy.store", "thing", "--format", "json")
            #expect(back.output.contains(#""tags":["x","y z"],"gaps":[1,null]"#), "\(back)")
            // What differs in blanks alone is not written again.
            let following = place.process(["copy", address, "copy.store", "--follow", "--yes"])
            let pipe = Pipe()
            following.standardOutput = pipe
            following.standardError = FileHandle.nullDevice
            try following.run()
            var lines = PipeLines(pipe)
            try await client.installPostgreSQLJournal(
                forEntities: EntityCatalog(storedIn: client).entities
            )
            while following.isRunning {
                try await client.execute("INSERT INTO thing VALUES (2)")
                guard let line = lines.next() else { break }
                #expect(line == "thing: 1 inserted, 0 replaced, 0 deleted")
                following.interrupt()
                following.waitUntilExit()
            }
        }
    }

    @Test func aJournalIsInstalledForWatchersOfOtherPrograms() async throws {
        try await with("CREATE TABLE thing (id int PRIMARY KEY)") { client, address in
            let silent = try place.run("watch", address, "thing", "--changes", "0")
            #expect(
                silent.errors.contains("What other programs write to thing is not seen"),
                "\(silent)"
            )
            let installed = try place.run("journal", "install", address)
            #expect(
                installed.output == "The server notes what is written to thing.\n",
                "\(installed)"
            )
            let told = try place.run("watch", address, "thing", "--changes", "0")
            #expect(told.errors == "", "\(told)")

            let watching = place.process(["watch", address, "thing", "--changes", "1"])
            let pipe = Pipe()
            watching.standardOutput = pipe
            try watching.run()
            var lines = PipeLines(pipe)
            // The first state may be told before or after it.
            try await client.execute("INSERT INTO thing VALUES (7)")
            #expect(lines.next() == #"+ {"id":7}"#)
            if watching.isRunning { try await client.execute("INSERT INTO thing VALUES (8)") }
            watching.waitUntilExit()
            #expect(watching.terminationStatus == 0)

            #expect(try place.run("journal", "remove", address).errors.contains("--yes"))
            #expect(try place.run("journal", "remove", address, "--yes").code == 0)
            let store = try await place.heroes()
            #expect(
                try place.run("journal", "install", store).errors.contains(
                    "Only a PostgreSQL server"
                )
            )
        }
    }
}

private let serverURL = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]
