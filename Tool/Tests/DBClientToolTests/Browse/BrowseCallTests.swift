import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import Foundation
import Testing

/// The calls of `dbclient browse`, past the page.
@Suite struct BrowseCallTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    /// Heroes in a store of an engine.
    private func heroes(_ engine: String) async throws -> String {
        let store = try await place.heroes()
        if engine == "object" { return store }
        #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
        return "heroes.sqlite"
    }

    @Test func withoutTheTokenNothingIsTold() async throws {
        let server = try BrowseServer(place, try await place.heroes())
        let other = String(repeating: "0", count: 64)
        for (headers, status) in [
            ([:], 401), (["Authorization": "Bearer \(other)"], 403),
            (["Authorization": "Bearer x"], 403), (["Authorization": server.token], 401),
            (["Authorization": "Bearer \(server.token)0"], 403),
        ] {
            for name in ["store", "rows", "update", "events", "observe", "nothing"] {
                let answer = try server.send("POST", "/api/\(name)", headers)
                #expect(answer.status == status, "\(headers) \(name)")
                #expect(answer["code"] as? String == "token")
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("Hero"))
            }
            for path in ["//api/store", "///api/rows", "/api//store", "/./api/store", "/API/store"]
            {
                #expect(try server.send("POST", path, headers).status == status, "\(path)")
            }
        }
        #expect(try server.call("store").status == 200)
    }

    @Test func aRequestByAnotherNameOrOfAnotherPageIsRefused() async throws {
        let server = try BrowseServer(place, try await place.heroes())
        let token = ["Authorization": "Bearer \(server.token)"]
        func status(_ headers: [String: String], _ path: String = "/api/store") throws -> Int {
            let method = path == "/" ? "GET" : "POST"
            return try server.send(method, path, token.merging(headers) { $1 }).status
        }
        #expect(try status(["Host": "evil.example"]) == 421)
        #expect(try status(["Host": "127.0.0.1.evil.example:\(server.port)"]) == 421)
        #expect(try status(["Host": "evil.example"], "/") == 421)
        #expect(try status(["Host": "localhost:\(server.port)"]) == 200)
        #expect(try status(["Origin": "http://evil.example"]) == 403)
        #expect(try status(["Origin": "http://127.0.0.1:\(server.port)"]) == 200)
        #expect(try status(["Origin": "http://127.0.0.1:1"]) == 403)
        let page = try server.send("GET", "/")
        #expect(page.status == 200)
        let head = page.head.lowercased()
        #expect(head.contains("content-security-policy: default-src 'none'; script-src 'self'"))
        #expect(head.contains("x-content-type-options: nosniff"))
        #expect(head.contains("referrer-policy: no-referrer"))
        #expect(try server.send("GET", "/../Package.swift").status == 401)
        #expect(server.interrupt() == 0)
    }

    @Test(arguments: ["object", "sqlite"]) func theStoreIsDescribed(engine: String) async throws {
        let server = try BrowseServer(place, try await heroes(engine))
        let store = try server.call("store")
        #expect(store["isReadOnly"] as? Bool == false)
        let entities = try #require(store["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Hero", "Publisher"])
        let references = try #require(entities[0]["references"] as? [[String: Any]])
        #expect(
            references.map { "\($0["name"] ?? "") \($0["kind"] ?? "") \($0["target"] ?? "")" }
                .sorted() == [
                    "mentor toOne Hero", "publisher toOne Publisher", "rivals list Hero",
                ]
        )
    }

    @Test func foreignKeysOfOtherProgramsAreReferences() throws {
        let client = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        try client.blocking.execute(
            "CREATE TABLE Team (id INTEGER PRIMARY KEY NOT NULL, name TEXT)"
        )
        try client.blocking.execute(
            "CREATE TABLE Player (id INTEGER PRIMARY KEY NOT NULL, team INTEGER REFERENCES Team ON DELETE CASCADE)"
        )
        try client.blocking.execute("INSERT INTO Team VALUES (7, 'Seven')")
        try client.blocking.execute("INSERT INTO Player VALUES (1, 7), (2, 7), (3, NULL)")
        try client.close()
        let server = try BrowseServer(place, "other.sqlite")
        let player = try server.call("row", ["entity": "Player", "key": ["1"]])
        let reference = try #require((player["references"] as? [[String: Any]])?.first)
        let named = try #require((reference["rows"] as? [[String: Any]])?.first)
        #expect(named["label"] as? String == "Seven")
        let team = try server.call("row", ["entity": "Team", "key": ["7"]])
        let referrer = try #require((team["referrers"] as? [[String: Any]])?.first)
        let filter = try #require(referrer["filter"] as? String)
        #expect(
            try server.call("count", ["entity": "Player", "filter": filter])["count"] as? Int == 2
        )
        // The database deletes the players with the team, and the page gives all three back.
        let deletion = try server.call("delete", ["entity": "Team", "key": ["7"]])
        #expect(deletion["count"] as? Int == 3, "\(deletion.object)")
        #expect(try server.call("count", ["entity": "Player"])["count"] as? Int == 1)
        #expect(try server.call("undo", ["edit": deletion["edit"] as? Int ?? 0]).status == 200)
        #expect(
            try server.call("count", ["entity": "Player", "filter": filter])["count"] as? Int == 2
        )
    }

    @Test(arguments: ["object", "sqlite"]) func pagesGoOnByKeyInBothDirections(
        engine: String
    ) async throws {
        let url = place.folder.appendingPathComponent("many")
        let client: any DBClient =
            engine == "object" ? try ObjectStoreDBClient(at: url) : try SQLDBClient.sqlite(at: url)
        try await client.insert((0..<1_000).map { Publisher(id: $0, name: "name \($0 % 7)") })
        try client.close()
        let server = try BrowseServer(place, "many")
        let all = (0..<1_000).sorted { ($0 % 7, $0) < ($1 % 7, $1) }.map { "\($0)" }
        let table = ["entity": "Publisher", "sort": "name"]
        func page(_ place: [String: Any]) throws -> (ids: [String], object: [String: Any]) {
            let answer = try server.call(
                "rows",
                ["table": table, "limit": 90].merging(place) { $1 }
            )
            return (answer.rows.compactMap { $0[0] }, answer.object)
        }
        func placeOf(_ row: Any?) throws -> [String: Any] {
            let row = try #require(row as? [String: Any])
            return ["k": row["k"] ?? [], "s": row["s"] ?? []]
        }
        var found: [String] = []
        var last: [String: Any] = [:]
        while true {
            let (ids, object) = try page(last)
            found += ids
            guard object["hasMore"] as? Bool == true else { break }
            last = ["after": try placeOf((object["rows"] as? [Any])?.last)]
        }
        #expect(found == all)
        let (end, object) = try page(["position": 930, "total": 1_000])
        #expect(end == Array(all[910...]) || end == Array(all[930...]))
        var back = end
        var first: Any? = (object["rows"] as? [Any])?.first
        while back.count < 1_000 {
            let (ids, object) = try page(["before": try placeOf(first)])
            back = ids + back
            first = (object["rows"] as? [Any])?.first
            if object["prior"] == nil { break }
        }
        #expect(back == all)
        let (middle, _) = try page(["position": 400])
        #expect(middle == Array(all[400..<490]))
        let position = try server.call("position", ["table": table, "key": [all[321]]])
        #expect(position["position"] as? Int == 321)
    }

    @Test func whatIsNotUnderstoodIsToldWhereItIs() async throws {
        let server = try BrowseServer(place, try await place.heroes())
        func failure(_ table: [String: Any], _ name: String = "rows") throws -> (Int, String) {
            let answer = try server.call(name, name == "rows" ? ["table": table] : table)
            return (answer.status, answer["message"] as? String ?? "")
        }
        let filter = try failure(["entity": "Hero", "filter": "id = 1; DROP TABLE Hero"])
        #expect(filter.0 == 400)
        #expect(filter.1.contains("position 7"))
        #expect(try failure(["entity": "Hero", "filter": "year >"]).1.contains("the text ends"))
        #expect(try failure(["entity": "Hero", "sort": "age"]).1.contains("no field \"age\""))
        #expect(try failure(["entity": "None"]).0 == 400)
        #expect(try failure(["entity": 1], "count").0 == 400)
        #expect(try failure(["entity": "Hero", "key": ["x"]], "row").0 == 422)
        #expect(try failure(["entity": "Hero", "key": []], "row").0 == 400)
        #expect(try failure(["entity": "Hero", "key": ["99"]], "row").0 == 404)
        #expect(try failure(["edit": 99], "undo").0 == 404)
        #expect(try server.call("nothing").status == 404)
        let plan = try server.call("explain", ["entity": "Hero", "filter": "year = 1963"])
        #expect((plan["plan"] as? String ?? "").contains("index (year)"))
    }

    @Test func theBrowserOfTheSystemGetsTheAddressInAFileOfItsOwner() async throws {
        let told = place.path("told")
        let script =
            "#!/bin/sh\nls -l \"$1\" >> \(told).new; cat \"$1\" >> \(told).new; mv \(told).new \(told)\n"
        for name in ["xdg-open", "open"] {
            try script.write(toFile: place.path(name), atomically: true, encoding: .utf8)
            chmod(place.path(name), 0o755)
        }
        let store = try await place.heroes()
        let server = try BrowseServer(
            place,
            store,
            "--open",
            path: "\(place.folder.path):/usr/bin:/bin"
        )
        for _ in 0..<3_000 where !FileManager.default.fileExists(atPath: told) { usleep(10_000) }
        let text = try String(contentsOfFile: told, encoding: .utf8)
        #expect(text.hasPrefix("-rw-------"))
        #expect(text.contains("url=\(server.address)\""))
        let file = try #require(text.firstMatch(of: /\/\S+\.html/)).output
        #expect(FileManager.default.fileExists(atPath: String(file)))
        #expect(server.interrupt() == 0)
        #expect(!FileManager.default.fileExists(atPath: String(file)))
    }

    @Test func aPortThatIsTakenIsAnError() async throws {
        let store = try await place.heroes()
        let server = try BrowseServer(place, store)
        let taken = try place.run("browse", store, "--port", "\(server.port)")
        #expect(taken.code == 1)
        #expect(taken.errors.contains("must be free to listen on; \(server.port) is not"))
        #expect(try place.run("browse", store, "--port", "65536").code == 64)
        #expect(try place.run("browse", "missing.store").errors.contains("There is no file"))
    }

    @Test func valuesAreExact() async throws {
        let server = try BrowseServer(place, try await place.heroes())
        let rows = try server.call("rows", ["table": ["entity": "Hero", "sort": "year"]]).rows
        #expect(rows.map { $0[0] } == ["2", "3", "1"])
        #expect(rows[1].contains("-9223372036854775808"))
        #expect(rows[1].contains(" Ünï\r\ncode \u{2028}"))
        #expect(rows[0].contains("-inf"))
        #expect(rows[2].contains("12345678901234567890.01"))
    }
}
