import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import Foundation
import Testing

/// What `dbclient browse` tells of the commits of others.
@Suite struct BrowseLiveTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test(arguments: ["object", "sqlite"]) func theCommitsOfOthersAreToldAsTheyAreMade(
        engine: String
    ) async throws {
        var store = try await place.heroes()
        if engine == "sqlite" {
            #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
            store = place.path("heroes.sqlite")
        }
        let server = try BrowseServer(place, store)
        let table = ["entity": "Publisher", "sort": "name", "filter": "id > 0"]
        var events = try server.events()
        let rows: [String: Any] = ["rows": ["table": table, "limit": 3]]
        #expect(try server.observe(rows, 1, in: events).status == 200)
        #expect(try server.observe(["total": table], 2, in: events).status == 200)
        #expect(try server.observe(["counts": [String: Any]()], 3, in: events).status == 200)
        let first = try events.next("rows", of: 1)
        #expect(BrowseServer.rows(first["rows"]) == [["2", ""], ["1", "Marvel"]])
        func count(_ number: Int, _ entity: String = "Publisher") throws -> Int? {
            while true {
                let event = try events.next("count", of: number)
                if event["entity"] as? String == entity { return event["count"] as? Int }
            }
        }
        #expect(try count(2) == 2)
        #expect(try count(3, "Hero") == 3)
        #expect(try count(3) == 2)
        let url = URL(fileURLWithPath: store)
        let client: any DBClient =
            engine == "sqlite" ? try SQLDBClient.sqlite(at: url) : try ObjectStoreDBClient(at: url)
        defer { try? client.close() }
        func change(_ number: Int = 1) throws -> String {
            let event = try events.next("change", of: number)
            let insertions = (event["insertions"] as? [[String: Any]] ?? []).map {
                "\($0["at"] ?? "")"
            }
            let updates = (event["updates"] as? [[String: Any]] ?? []).map { "\($0["at"] ?? "")" }
            return "\(event["deletions"] ?? "") \(insertions) \(updates) \(event["moves"] ?? "")"
        }
        try await client.insert(Publisher(id: 3, name: "DC"))
        #expect(try change() == "[] [\"1\"] [] []")
        #expect(try count(2) == 3)
        #expect(try count(3) == 3)
        try await client.update(Publisher(id: 3, name: "Zero"))
        #expect(try change() == "[1] [\"2\"] [\"2\"] [[1, 2]]")
        // Another window in place of the first, in the same stream.
        #expect(
            try server.call("forget", ["stream": events.stream, "number": 1]).status == 200
        )
        #expect(try server.observe(rows, 4, in: events).status == 200)
        #expect(try (events.next("rows", of: 4)["rows"] as? [Any])?.count == 3)
        try await client.insert(Publisher(id: 4, name: "A"))
        #expect(try change(4) == "[2] [\"1\"] [] []")
        #expect(try count(2) == 4)
        try await client.delete(Publisher.self, key: 4)
        #expect(try change(4) == "[1] [\"2\"] [] []")
        #expect(try count(2) == 3)
    }

    @Test func whatCannotBeObservedIsRefused() async throws {
        let server = try BrowseServer(place, try await place.heroes())
        let events = try server.events()
        let none = try server.observe([:], 1, in: events)
        #expect(none.status == 400)
        let filter = try server.observe(
            ["total": ["entity": "Hero", "filter": "year >"]],
            1,
            in: events
        )
        #expect(filter["code"] as? String == "invalidRequest")
        let counts: [String: Any] = ["stream": 999, "number": 1, "counts": [String: Any]()]
        let closed = try server.call("observe", counts)
        #expect(closed.status == 404)
        #expect(closed["code"] as? String == "noStream")
    }

    @Test func anObservationThatFailsIsToldAndCanBeBegunAgain() async throws {
        let client = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        defer { try? client.close() }
        try client.blocking.execute(
            "CREATE TABLE Team (id INTEGER PRIMARY KEY NOT NULL, size INTEGER NOT NULL)"
        )
        try client.blocking.execute("INSERT INTO Team VALUES (1, 11)")
        let server = try BrowseServer(place, "other.sqlite")
        var events = try server.events()
        let rows: [String: Any] = ["rows": ["table": ["entity": "Team"], "limit": 9]]
        #expect(try server.observe(rows, 1, in: events).status == 200)
        _ = try events.next("rows", of: 1)
        try client.blocking.execute("INSERT INTO Team VALUES (2, 'eleven')")
        let failure = try events.next("error", of: 1)["error"] as? [String: Any]
        #expect(failure?["code"] as? String == "decoding")
        try client.blocking.execute("UPDATE Team SET size = 12 WHERE id = 2")
        // The stream is still open, and another observation goes on.
        #expect(try server.observe(rows, 2, in: events).status == 200)
        #expect(
            BrowseServer.rows(try events.next("rows", of: 2)["rows"]) == [
                ["1", "11"], ["2", "12"],
            ]
        )
        try client.blocking.execute("DELETE FROM Team WHERE id = 1")
        #expect(try events.next("change", of: 2)["deletions"] as? [Int] == [0])
    }
}
