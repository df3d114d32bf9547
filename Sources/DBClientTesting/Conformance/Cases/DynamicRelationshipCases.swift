import DBClientCore
import Foundation

/// Writes by stored names of entities that hold others.
enum DynamicRelationshipCases {
    static let all: [ConformanceCase] = writes + damage

    private static func entity(_ name: String) throws -> EntitySchema {
        try EntityCatalog([
            Artist.self, Studio.self, Skill.self, Issue.self, Contract.self, Exhibit.self,
            Partner.self, Crate.self, Box.self, RelationshipDescription.self,
        ]).entity(named: name)
    }

    private static let writes: [ConformanceCase] = [
        promise(.dynamic, "a key that names nothing is refused by every verb") { client in
            let artist = try entity("Artist")
            try await client.insert(Artist(1, "a", studio: Studio(1, "s")))
            for write in [
                {
                    try await client.insert([
                        DynamicRow(artist, ["id": 2, "name": "b", "studio": 9])
                    ])
                },
                {
                    try await client.update([
                        DynamicRow(artist, ["id": 1, "name": "b", "mentor": 9])
                    ])
                },
                {
                    try await client.upsert([
                        DynamicRow(artist, ["id": 1, "name": "b", "former": 9])
                    ])
                },
                { try await client.update(artist, key: [1], set: ["studio": 9]) },
                { try await client.update(DynamicRequest(artist), set: ["studio": 9]) },
            ] as [@Sendable () async throws -> Any] {
                let error = try await expectError(.danglingReference) { _ = try await write() }
                try expectEqual(error.entity, "Artist")
            }
            try await client.update(artist, key: [1], set: ["rival": 9, "former": 1])
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, "a", studio: Studio(1, "s"), former: Studio(1, "s"), rival: 9)]
            )
        },
        promise(.dynamic, "a row refers to one that comes later in its call") { client in
            let (artist, contract) = (try entity("Artist"), try entity("Contract"))
            let studio = try entity("Studio")
            let rows = [
                try DynamicRow(contract, ["id": 1, "studio": 5, "holder": 2]),
                try DynamicRow(artist, ["id": 1, "name": "a", "mentor": 2]),
                try DynamicRow(studio, ["id": 5, "name": "s"]),
                try DynamicRow(artist, ["id": 2, "name": "b", "studio": 5]),
            ]
            try await client.insert(rows)
            try await client.deleteAll(Artist.self)
            try await client.upsert(rows)
            try await client.update(Array(rows.reversed()))
            try expectEqual(
                try await client.findAll(Contract.self),
                [Contract(1, Studio(5, "s"), holder: 2)]
            )
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, "a", mentor: 2), Artist(2, "b", studio: Studio(5, "s"))]
            )
            let dangling = try DynamicRow(contract, ["id": 2, "studio": 6])
            try await expectError(.danglingReference) {
                try await client.insert([
                    dangling, try DynamicRow(studio, ["id": 7, "name": "t"]),
                ])
            }
            try expectEqual(try await client.count(Studio.all), 1)
        },
        promise(.dynamic, "a part of a key is not set to name nothing") { client in
            let artist = try entity("Artist")
            try await client.insert([Issue("A", 1), Issue("A", 2), Issue("B", 1)])
            let before = [Artist(1, favourite: .init("A", 1)), Artist(2, favourite: .init("A", 2))]
            try await client.insert(before)
            let all = DynamicRequest(artist)
            for write in [
                { try await client.update(artist, key: [2], set: ["favourite_series": "B"]) },
                { try await client.update(all, set: ["favourite_series": "B"]) },
                {
                    try await client.update(
                        all.filter(.field("favourite_series", .equal, "A")),
                        set: ["favourite_series": "C"]
                    )
                },
                { try await client.update(all, set: ["favourite_number": nil]) },
                { try await client.update(artist, key: [1], set: ["favourite_series": nil]) },
            ] as [@Sendable () async throws -> Any] {
                let error = try await expectError(.danglingReference) { _ = try await write() }
                try expectEqual(error.field, "favourite")
            }
            try expectEqual(try await client.findAll(Artist.self), before)
            try await client.update(artist, key: [1], set: ["favourite_series": "B"])
            try await client.update(
                all.filter(.field("favourite_number", .equal, 2)),
                set: ["favourite_number": 1, "name": "x"]
            )
            try await client.update(artist, key: [2], set: ["name": "y"])
            try expectEqual(
                try await client.findAll(Artist.self).map(\.favourite),
                [Reference(.init("B", 1)), Reference(.init("A", 1))]
            )
            try await client.update(
                artist,
                key: [1],
                set: ["favourite_series": nil, "favourite_number": nil]
            )
            try expectEqual(try await client.find(Artist.self, key: 1)?.favourite, nil)
        },
        promise(.dynamic, "rows that require each other are written together or not at all") {
            client in
            let partner = try entity("Partner")
            let circle = try [
                DynamicRow(partner, ["id": 1, "partner": 2]),
                DynamicRow(partner, ["id": 2, "partner": 3]),
                DynamicRow(partner, ["id": 3, "partner": 1]),
            ]
            for write in [
                { try await client.insert([circle[0]]) },
                { try await client.insert(Array(circle.prefix(2))) },
                { _ = try await client.upsert([circle[0], circle[2]]) },
            ] as [@Sendable () async throws -> Void] {
                let error = try await expectError(.danglingReference) { try await write() }
                try expectEqual(error.entity, "Partner")
                try expectEqual(error.field, "partner")
                try expectEqual(try await client.count(Partner.all), 0)
            }
            try await client.insert(circle)
            try await client.insert([DynamicRow(partner, ["id": 4, "partner": 4])])
            try await client.update(partner, key: [3], set: ["partner": 2])
            try expectEqual(
                try await client.findAll(Partner.self),
                [
                    Partner(1, partner: 2), Partner(2, partner: 3), Partner(3, partner: 2),
                    Partner(4, partner: 4),
                ]
            )
            // The rule of what is required holds in a circle as anywhere.
            let error = try await expectError(.deletionDenied) {
                _ = try await client.delete(partner, key: [2])
            }
            try expectEqual(error.entity, "Partner")
            try expectEqual(try await client.delete(DynamicRequest(partner)), 4)
        },
        promise(.dynamic, "rows that come to hold themselves by value are refused by every verb") {
            client in
            let box = try entity("Box")
            let stored = Crate(1, [Box(1, Crate(2)), Box(2, Crate(3))])
            try await client.insert(stored)
            let row = try DynamicRow(box, ["id": 2, "content": 1])
            for write in [
                { try await client.update([row]) },
                { _ = try await client.upsert([row]) },
                { try await client.update(box, key: [1], set: ["content": 1]) },
                { try await client.update(box, key: [1], set: ["spare": 1]) },
                { try await client.update(DynamicRequest(box), set: ["content": 1]) },
            ] as [@Sendable () async throws -> Void] {
                let error = try await expectError(.invalidValue) { try await write() }
                try expect(["Box", "Crate"].contains(error.entity), "the error names no entity")
                try expect(error.field != nil, "the error names no field")
                try expectEqual(try await client.findAll(Crate.self)[0], stored)
            }
            try await client.update(box, key: [1], set: ["spare": 3])
            try await client.update(DynamicRequest(box), set: ["content": 2])
            try await client.update(box, key: [1], set: ["spare": nil])
            try expectEqual(
                try await client.find(Crate.self, key: 1),
                Crate(1, [Box(1, Crate(2)), Box(2, Crate(2))])
            )
        },
        promise(.dynamic, "deleting by name obeys the rules") { client in
            let (studio, skill) = (try entity("Studio"), try entity("Skill"))
            try await client.insert(Contract(1, Studio(1, "s")))
            try await client.insert(Artist(1, former: Studio(2, "t")))
            try await client.insert(Exhibit(1, shown: [Skill("a")], guarded: [Skill("b")]))
            let denied = try await expectError(.deletionDenied) {
                _ = try await client.delete(DynamicRequest(studio))
            }
            try expectEqual(denied.field, "studio")
            try await expectError(.deletionDenied) {
                _ = try await client.delete(skill, key: ["b"])
            }
            try expectEqual(try await client.count(Studio.all), 2)
            try expectEqual(try await client.delete(studio, key: [2]), true)
            try expectEqual(try await client.find(Artist.self, key: 1)?.former, nil)
            try expectEqual(try await client.delete(skill, key: ["a"]), true)
            try expectEqual(try await client.count(Exhibit.all), 0)
            try expectEqual(try await client.delete(skill, key: ["b"]), true)
        },
    ]

    /// Ways to damage a description, each with the entity whose description it is.
    private static let damages: [(String, @Sendable (inout [String: Any]) -> Void)] = [
        ("Exhibit", { $0["relationships"] = [["name": "shown"]] }),
        (
            "Exhibit",
            { change(&$0, "shown") { set(&$0, "link", "fields") { Array($0.prefix(1)) } } }
        ),
        (
            "Exhibit",
            { change(&$0, "shown") { set(&$0, "link", "fields") { Array($0.prefix(2)) } } }
        ),
        ("Exhibit", { change(&$0, "shown") { set(&$0, "link", "fields") { $0 + $0 } } }),
        ("Exhibit", { change(&$0, "shown") { set(&$0, "link", "fields") { $0.reversed() } } }),
        ("Exhibit", { change(&$0, "shown") { $0["link"] = nil } }),
        ("Exhibit", { change(&$0, "guarded") { $0["kind"] = "toOne" } }),
        ("Exhibit", { set(&$0, "entity", "primaryKey") { _ in [] } }),
        ("Exhibit", { set(&$0, "entity", "primaryKey") { _ in [7] } }),
        ("Exhibit", { set(&$0, "entity", "primaryKey") { $0 + $0 } }),
        ("Contract", { change(&$0, "studio") { $0["columns"] = [Int]() } }),
        ("Contract", { change(&$0, "studio") { $0["columns"] = [1, 2] } }),
        ("Contract", { change(&$0, "studio") { $0["columns"] = [-1] } }),
        ("Contract", { change(&$0, "studio") { $0["columns"] = [0] } }),
        ("Contract", { change(&$0, "studio") { $0["rule"] = "nullify" } }),
        ("Contract", { change(&$0, "studio") { $0["rule"] = "none" } }),
        ("Contract", { set(&$0, "entity", "fields") { Array($0.prefix(1)) } }),
        (
            "Contract",
            { set(&$0, "entity", "indexes") { _ in [["fields": [9], "isUnique": false]] } }
        ),
        ("Contract", { $0 = [:] }),
    ]

    private static func change(
        _ description: inout [String: Any],
        _ name: String,
        _ body: (inout [String: Any]) -> Void
    ) {
        guard var all = description["relationships"] as? [[String: Any]] else { return }
        for index in all.indices where all[index]["name"] as? String == name { body(&all[index]) }
        description["relationships"] = all
    }

    private static func set(
        _ object: inout [String: Any],
        _ key: String,
        _ member: String,
        _ body: ([Any]) -> [Any]
    ) {
        guard var inner = object[key] as? [String: Any] else { return }
        inner[member] = body(inner[member] as? [Any] ?? [])
        object[key] = inner
    }

    private static let damage: [ConformanceCase] = [
        promise(
            .relationships,
            "a damaged description of relationships is told, and nothing goes",
            requires: [.rowWrites]
        ) { client in
            let descriptions = try entity("dbclient_relationships")
            try await client.insert(Contract(1, Studio(1, "s")))
            try await client.insert(Exhibit(1, shown: [Skill("a")], guarded: [Skill("b")]))
            for (index, (name, damage)) in damages.enumerated() {
                let key = DynamicValue.text(name)
                let row = try await client.find(descriptions, key: [key])
                guard case .json(let whole)? = row?["description"],
                    var json = try JSONSerialization.jsonObject(with: Data(whole.utf8))
                        as? [String: Any]
                else { throw ConformanceFailure("There is no description of \(name).") }
                damage(&json)
                let data = try JSONSerialization.data(
                    withJSONObject: json,
                    options: [.sortedKeys, .withoutEscapingSlashes]
                )
                let text = String(decoding: data, as: UTF8.self)
                try expect(text != whole, "damage \(index) changes nothing")
                try await client.update(
                    descriptions,
                    key: [key],
                    set: ["description": .json(text)]
                )
                let error = try await expectError(.corrupt) {
                    try await client.delete(Studio.self, keys: [1])
                    try await client.delete(Skill.self, keys: ["b"])
                    try await client.delete(Exhibit.self, keys: [1])
                }
                try expectEqual(error.entity, name, "damage \(index)")
                try await client.update(
                    descriptions,
                    key: [key],
                    set: ["description": .json(whole)]
                )
                try expectEqual(try await client.count(Studio.all), 1)
                try expectEqual(try await client.count(Skill.all), 2)
                try expectEqual(try await client.count(Exhibit.all), 1)
            }
            try await expectError(.deletionDenied) {
                try await client.delete(Studio.self, keys: [1])
            }
        },
        promise(
            .relationships,
            "a key that came to name nothing is told where it is met",
            requires: [.rowWrites]
        ) { client in
            try await client.insert([
                Contract(1, Studio(1, "s")), Contract(2, Studio(2, "t")),
            ])
            try await client.insert(Artist(1, studio: Studio(3, "u"), skills: [Skill("a")]))
            try await client.write { transaction in
                guard let writer = try transaction.engineReader as? any EngineWriter
                else { throw ConformanceFailure("The transaction has no writer.") }
                for (entity, key) in [(Studio.schema.entity, 1), (Studio.schema.entity, 3)] {
                    _ = try writer.delete(
                        RowQuery(
                            entity,
                            where: .compare(column: 0, .equal, .integer(Int64(key)), .binary)
                        )
                    )
                }
            }
            let reads: [(@Sendable () async throws -> Void, String)] = [
                ({ _ = try await client.findAll(Contract.self) }, "Contract"),
                ({ _ = try await client.find(Contract.self, key: 1) }, "Contract"),
                ({ for try await _ in client.stream(Contract.all) {} }, "Contract"),
            ]
            for (read, entity) in reads {
                let error = try await expectError(.danglingReference) { try await read() }
                try expectEqual(error.entity, entity)
                try expectEqual(error.field, "studio")
            }
            try expectEqual(try await client.find(Contract.self, key: 2)?.studio.name, "t")
            // What may be nil is, and an element that is gone is left out.
            try expectEqual(
                try await client.find(Artist.self, keys: [1]),
                [Artist(1, skills: [Skill("a")])]
            )
            try await client.write { transaction in
                guard let writer = try transaction.engineReader as? any EngineWriter
                else { throw ConformanceFailure("The transaction has no writer.") }
                _ = try writer.delete(RowQuery(Skill.schema.entity))
                try transaction.update(Artist.self, key: 1) { $0.set(\.studio, to: nil) }
            }
            try expectEqual(try await client.findAll(Artist.self), [Artist(1)])
        },
    ]
}
