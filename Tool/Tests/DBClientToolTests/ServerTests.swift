import DBClientCore
import DBClientPostgreSQL
import Foundation
import Testing

/// The command on a server, by `DBCLIENT_POSTGRES_URL`, in a schema of the test's own.
@Suite(.enabled(if: serverURL != nil)) struct ServerTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test func aStoreGoesToAServerAndBack() async throws {
        let url = try #require(serverURL)
        let schema = "tool_\(UUID().uuidString.lowercased().prefix(8))"
        let administrator = try await SQLDBClient.postgreSQL(url)
        try await administrator.execute("CREATE SCHEMA \(identifier: schema)")
        let target = url + (url.contains("?") ? "&" : "?") + "schema=\(schema)"
        let store = try await place.heroes()

        let missing = try place.run("inspect", target + "x")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("no schema"))

        let copied = try place.run("copy", store, target, "--verify")
        #expect(copied.code == 0, "\(copied.errors)")
        #expect(try place.run("schema", "diff", store, target).output == "")
        let inspected = try place.run("inspect", target)
        #expect(inspected.output.contains(/Hero +3 +id/))
        #expect(inspected.output.contains("size of the database"))
        let text = "name = 'O''Brien, \"the\" 1''); DROP TABLE Hero; --'"
        #expect(try place.run("query", target, "Hero", text, "--count").output == "1\n")
        #expect(try place.run("check", target).output == "no damage: 5 rows of 2 entities\n")

        let exported = try place.run("export", target, "-o", "server.jsonl")
        #expect(exported.code == 0)
        try await place.empty("heroes.store")
        #expect(try place.run("import", store, "server.jsonl").code == 0)
        #expect(try await place.stored("heroes.store") == Workplace.heroes)
        #expect(try place.run("backup", target, "object:kept.store").code == 0)
        #expect(try await place.stored("kept.store") == Workplace.heroes)
        #expect(try place.run("import", target, "server.jsonl").errors.contains("primary key"))

        try await administrator.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        try administrator.close()
    }
}

private let serverURL = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]
