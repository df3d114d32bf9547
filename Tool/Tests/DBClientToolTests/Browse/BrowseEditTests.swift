import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import Foundation
import Testing

/// The edits of `dbclient browse`.
@Suite struct BrowseEditTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private func heroes(_ engine: String) async throws -> String {
        let store = try await place.heroes()
        if engine == "object" { return store }
        #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
        return "heroes.sqlite"
    }

    private func client(_ store: String) throws -> any DBClient {
        let name = URL(fileURLWithPath: store).lastPathComponent
        let url = place.folder.appendingPathComponent(name)
        return store.hasSuffix("sqlite")
            ? try SQLDBClient.sqlite(at: url) : try ObjectStoreDBClient(at: url)
    }

    private func stored(_ store: String) async throws -> [Hero] {
        let client = try client(store)
        defer { try? client.close() }
        return try await client.findAll(Hero.self)
    }

    @Test(arguments: ["object", "sqlite"]) func anEditIsWrittenWholeAndUndone(
        engine: String
    ) async throws {
        let store = try await heroes(engine)
        let server = try BrowseServer(place, store)
        let edit = try server.call(
            "update",
            [
                "entity": "Hero", "key": ["1"],
                "set": [
                    "name": "Tony", "year": NSNull(), "power": "2.5", "isActive": "false",
                    "born": "1970-01-02T03:04:05.000006Z", "worth": "1e3", "publisher": "2",
                    "badge": "AQI=", "tags": "[\"a\"]", "home": "https://example.org/new",
                    "code": "00000000-0000-0000-0000-000000000009",
                ],
                "was": ["name": "Iron Man", "year": "1963"],
            ]
        )
        #expect(edit.status == 200, "\(edit.object)")
        var expected = Workplace.heroes[0]
        expected.name = "Tony"
        expected.year = nil
        expected.power = 2.5
        expected.isActive = false
        expected.born = Date(timeIntervalSince1970: 97_445.000006)
        expected.badge = Data([1, 2])
        expected.worth = 1_000
        expected.home = URL(string: "https://example.org/new")
        expected.tags = ["a"]
        expected.code = UUID(uuidString: "00000000-0000-0000-0000-000000000009")!
        expected.publisher = Publisher(id: 2, name: "")
        #expect(try await stored(store)[0] == expected)
        let number = try #require(edit["edit"] as? Int)
        #expect(try server.call("undo", ["edit": number]).status == 200)
        #expect(try await stored(store) == Workplace.heroes)
        #expect(try server.call("undo", ["edit": number]).status == 404)
    }

    @Test(arguments: ["object", "sqlite"]) func whatTheStoreRefusesChangesNothing(
        engine: String
    ) async throws {
        let store = try await heroes(engine)
        let server = try BrowseServer(place, store)
        func refusal(_ set: [String: Any]) throws -> String {
            let answer = try server.call(
                "update",
                [
                    "entity": "Hero", "key": ["1"], "set": set.merging(["power": "7"]) { $1 },
                    "was": [:],
                ]
            )
            #expect(answer.status >= 400)
            return "\(answer["code"] ?? "") \(answer["field"] ?? "")"
        }
        #expect(try refusal(["year": "12.5"]) == "invalidValue year")
        #expect(try refusal(["year": "9223372036854775808"]) == "invalidValue year")
        #expect(try refusal(["name": "a\u{0}b"]) == "invalidValue name")
        #expect(try refusal(["born": "yesterday"]) == "invalidValue born")
        #expect(try refusal(["isActive": "maybe"]) == "invalidValue isActive")
        #expect(try refusal(["name": NSNull()]) == "constraintViolation name")
        #expect(try refusal(["id": "5"]).hasPrefix("invalidRequest"))
        #expect(try refusal(["age": "5"]).hasPrefix("invalidRequest"))
        #expect(try refusal(["name": Workplace.heroes[2].name]).hasPrefix("uniqueViolation"))
        #expect(try refusal(["publisher": "99"]).hasPrefix("danglingReference"))
        #expect(try await stored(store) == Workplace.heroes)
    }

    @Test func anEditOfWhatAnotherHasChangedIsRefused() async throws {
        let store = try await place.heroes()
        let server = try BrowseServer(place, store)
        let client = try client(store)
        defer { try? client.close() }
        try await client.update(Publisher(id: 1, name: "DC"))
        let message: [String: Any] = [
            "entity": "Publisher", "key": ["1"], "set": ["name": "Timely"],
        ]
        let lost = try server.call("update", message.merging(["was": ["name": "Marvel"]]) { $1 })
        #expect(lost.status == 409)
        #expect(lost["field"] as? String == "name")
        let edit = try server.call("update", message.merging(["was": ["name": "DC"]]) { $1 })
        #expect(edit.status == 200)
        try await client.update(Publisher(id: 1, name: "Image"))
        let undo = try server.call("undo", ["edit": edit["edit"] as? Int ?? 0])
        #expect(undo.status == 409)
        #expect((undo["message"] as? String ?? "").contains("changed since"))
        #expect(try await client.find(Publisher.self, key: 1)?.name == "Image")
    }

    @Test(arguments: ["object", "sqlite"]) func aDeletionIsUndoneWithAllThatItChanged(
        engine: String
    ) async throws {
        let store = try await heroes(engine)
        let server = try BrowseServer(place, store)
        // A publisher is taken from its heroes, and a hero from the lists of others.
        for (entity, key) in [("Publisher", "1"), ("Hero", "2"), ("Hero", "1")] {
            let deletion = try server.call("delete", ["entity": entity, "key": [key]])
            #expect(deletion.status == 200, "\(deletion.object)")
            #expect(try await stored(store) != Workplace.heroes)
            let undo = try server.call("undo", ["edit": deletion["edit"] as? Int ?? 0])
            #expect(undo.status == 200, "\(undo.object)")
            #expect(try await stored(store) == Workplace.heroes)
        }
        #expect(try place.run("check", store).code == 0)
    }

    @Test func anInsertedRowIsUndoneUnlessOthersReferToIt() async throws {
        let store = try await place.heroes()
        let server = try BrowseServer(place, store)
        let values = ["id": "9", "name": "Dark Horse"]
        let first = try server.call("insert", ["entity": "Publisher", "values": values])
        #expect(first.status == 200)
        let again = try server.call("insert", ["entity": "Publisher", "values": values])
        #expect(again.status == 409)
        #expect(again["code"] as? String == "duplicateKey")
        let incomplete = try server.call("insert", ["entity": "Publisher", "values": ["id": "10"]])
        #expect(incomplete.status == 422, "\(incomplete.object)")
        let client = try client(store)
        defer { try? client.close() }
        var hero = Workplace.heroes[2]
        hero.publisher = Publisher(id: 9, name: "Dark Horse")
        try await client.update(hero)
        let number = try #require(first["edit"] as? Int)
        #expect(try server.call("undo", ["edit": number]).status == 409)
        try await client.update(Workplace.heroes[2])
        #expect(try server.call("undo", ["edit": number]).status == 200)
        #expect(try await client.find(Publisher.self, key: 9) == nil)
    }

    @Test func readOnlyRefusesEveryEdit() async throws {
        let store = try await place.heroes()
        let server = try BrowseServer(place, store, "--read-only")
        #expect(try server.call("store")["isReadOnly"] as? Bool == true)
        let edits: [(String, [String: Any])] = [
            (
                "update",
                ["entity": "Hero", "key": ["1"], "set": ["name": "x"], "was": [:]]
            ),
            ("insert", ["entity": "Publisher", "values": ["id": "5", "name": "x"]]),
            ("delete", ["entity": "Hero", "key": ["1"]]), ("undo", ["edit": 1]),
        ]
        for (name, message) in edits {
            let answer = try server.call(name, message)
            #expect(answer.status == 403)
            #expect(answer["code"] as? String == "readOnly")
        }
        #expect(try await stored(store) == Workplace.heroes)
    }
}
