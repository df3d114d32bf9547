import DBClientCore
import DBClientObjectStore
import DBClientPostgreSQL
import DBClientSQLite
import Foundation
import Testing

/// The order in which edits of `dbclient browse` are undone, and those that cannot be.
@Suite struct BrowseUndoTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test func anEditThatALaterOneHasWrittenOverIsUndoneAfterIt() async throws {
        let server = try BrowseServer(place, try await place.heroes())
        func edit(_ set: [String: Any]) throws -> Int {
            let answer = try server.call(
                "update",
                ["entity": "Hero", "key": ["1"], "set": set, "was": [String: Any]()]
            )
            #expect(answer.status == 200, "\(answer.object)")
            return try #require(answer["edit"] as? Int)
        }
        func undo(_ edit: Int) throws -> (status: Int, code: String?, message: String) {
            let answer = try server.call("undo", ["edit": edit])
            return (
                answer.status, answer["code"] as? String, answer["message"] as? String ?? ""
            )
        }
        let first = try edit(["name": "Tony", "power": "2"])
        let other = try edit(["year": "1999"])
        let second = try edit(["name": "Stark"])
        // Back to what the first edit has left: it is the second edit's value no more.
        let third = try edit(["name": "Tony"])
        for later in [first, second] {
            let refused = try undo(later)
            #expect(refused.status == 409)
            #expect(refused.code == "laterEdit")
            #expect(refused.message.contains("The later edit of name must be undone first"))
        }
        // An edit of another field of the row does not matter.
        #expect(try undo(other).status == 200)
        var hero = try #require(try await stored().first)
        #expect(hero.year == 1963)
        #expect(hero.name == "Tony")
        for edit in [third, second, first] { #expect(try undo(edit).status == 200) }
        #expect(try await stored() == Workplace.heroes)
        // What another program has written over is no later edit.
        let lost = try edit(["name": "Tony"])
        let after = try edit(["name": "Stark"])
        hero = Workplace.heroes[0]
        hero.name = "Somebody"
        let client = try ObjectStoreDBClient(
            at: place.folder.appendingPathComponent("heroes.store")
        )
        defer { try? client.close() }
        try await client.update(hero)
        for edit in [lost, after] {
            let refused = try undo(edit)
            #expect(refused.code == "conflict")
            #expect(refused.message.contains("changed since"))
        }
        // A deletion of the whole row is later than every edit of it.
        let small = try edit(["power": "3"])
        let deletion = try server.call("delete", ["entity": "Hero", "key": ["1"]])
        #expect(try undo(small).code == "laterEdit")
        #expect(try undo(try #require(deletion["edit"] as? Int)).status == 200)
        #expect(try undo(small).status == 200)
    }

    private func stored() async throws -> [Hero] {
        let client = try ObjectStoreDBClient(
            at: place.folder.appendingPathComponent("heroes.store")
        )
        defer { try? client.close() }
        return try await client.findAll(Hero.self)
    }

    @Test func computedFieldsAreShownAndNotEdited() async throws {
        let client = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        defer { try? client.close() }
        try client.blocking.execute(
            """
            CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, side INTEGER NOT NULL,
                area INTEGER NOT NULL AS (side * side) STORED, label TEXT AS ('#' || side))
            """
        )
        let server = try BrowseServer(place, "other.sqlite")
        let store = try server.call("store")
        let entity = try #require((store["entities"] as? [[String: Any]])?.first)
        let fields = try #require(entity["fields"] as? [[String: Any]])
        #expect(fields.map { $0["isComputed"] as? Bool } == [false, false, true, true])
        let values = ["id": "1", "side": "3"]
        let inserted = try server.call("insert", ["entity": "Box", "values": values])
        #expect((inserted["row"] as? [String: Any])?["v"] as? [String] == ["1", "3", "9", "#3"])
        let refused = try server.call(
            "insert",
            ["entity": "Box", "values": ["id": "2", "side": "3", "area": "10"]]
        )
        #expect(refused["field"] as? String == "area")
        func update(_ set: [String: Any]) throws -> BrowseServer.Answer {
            try server.call(
                "update",
                ["entity": "Box", "key": ["1"], "set": set, "was": [String: Any]()]
            )
        }
        #expect(try update(["area": "10"]).status == 400)
        let edit = try #require(try update(["side": "4"])["edit"] as? Int)
        func area() throws -> Int? {
            try client.blocking.rows("SELECT area FROM Box").first?["area", as: Int.self]
        }
        #expect(try area() == 16)
        #expect(try server.call("undo", ["edit": edit]).status == 200)
        #expect(try area() == 9)
        let deletion = try server.call("delete", ["entity": "Box", "key": ["1"]])
        #expect(try area() == nil)
        #expect(try server.call("undo", ["edit": deletion["edit"] as? Int ?? 0]).status == 200)
        #expect(try area() == 9)
    }

    @Test(.enabled(if: serverURL != nil))
    func aDeletionThatCannotBeUndoneIsRefusedUnlessItIsMeant() async throws {
        let url = try #require(serverURL)
        let schema = "undo_\(UUID().uuidString.lowercased().prefix(8))"
        let administrator = try await SQLDBClient.postgreSQL(url)
        try await administrator.execute("CREATE SCHEMA \(identifier: schema)")
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        let client = try await SQLDBClient.postgreSQL(url, configuration: configuration)
        try await client.execute(
            """
            CREATE TABLE ticket (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                price integer NOT NULL, gross integer GENERATED ALWAYS AS (price * 2) STORED)
            """
        )
        let server = try BrowseServer(
            place,
            url + (url.contains("?") ? "&" : "?") + "schema=\(schema)"
        )
        let store = try server.call("store")
        let entity = try #require((store["entities"] as? [[String: Any]])?.first)
        let fields = try #require(entity["fields"] as? [[String: Any]])
        #expect(fields.map { $0["isComputed"] as? Bool } == [true, false, true])
        let insert: [String: Any] = ["entity": "ticket", "values": ["price": "5"]]
        let inserted = try server.call("insert", insert)
        #expect(
            (inserted["row"] as? [String: Any])?["v"] as? [String] == ["1", "5", "10"],
            "\(inserted.object)"
        )
        func stored() async throws -> Int? {
            try await client.rows("SELECT count(*) AS stored FROM ticket").first?[
                "stored",
                as: Int.self
            ]
        }
        let key: [String: Any] = ["entity": "ticket", "key": ["1"]]
        let refused = try server.call("delete", key)
        #expect(refused.status == 409)
        #expect(refused["code"] as? String == "cannotBeUndone")
        #expect((refused["message"] as? String ?? "").contains("GENERATED ALWAYS AS IDENTITY"))
        #expect(try await stored() == 1)
        let final = try server.call("delete", key.merging(["isFinal": true]) { $1 })
        #expect(final.status == 200, "\(final.object)")
        #expect(final["edit"] == nil)
        #expect(try await stored() == 0)
        // The row of an insertion can still be taken away.
        let second = try server.call("insert", insert)
        #expect(try server.call("undo", ["edit": second["edit"] as? Int ?? 0]).status == 200)
        #expect(try await stored() == 0)
        try client.close()
        try await administrator.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        try administrator.close()
    }
}

private let serverURL = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]
