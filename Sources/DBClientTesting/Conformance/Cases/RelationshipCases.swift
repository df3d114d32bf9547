import DBClientCore

/// Values that hold other values: saved as a graph, loaded whole.
enum RelationshipCases {
    static let all: [ConformanceCase] =
        [
            promise(.relationships, "a value comes back with what it holds") { client in
                let artist = Artist(
                    1,
                    "Kirby",
                    studio: Studio(1, "Marvel", founded: 1939),
                    former: Studio(2, "DC"),
                    debut: Issue("Blue Bolt", 1, title: "One"),
                    skills: [Skill("ink", 3), Skill("pencil", 9)],
                    tags: [Skill("ink", 3), Skill("fast", 1)]
                )
                try expectEqual(try await client.insert(artist), artist)
                try expectEqual(try await client.find(Artist.self, key: 1), artist)
                try expectEqual(try await client.findAll(Artist.self), [artist])
                try expectEqual(try await client.count(Studio.all), 2)
                try expectEqual(
                    try await client.findAll(Skill.self),
                    [Skill("fast", 1), Skill("ink", 3), Skill("pencil", 9)]
                )
                try expectEqual(
                    try await client.find(Issue.self, key: .init("Blue Bolt", 1))?.title,
                    "One"
                )
            },
            promise(.relationships, "holding nothing is nil and empty") { client in
                try await client.insert([Artist(1), Artist(2, "b")])
                try expectEqual(try await client.findAll(Artist.self), [Artist(1), Artist(2, "b")])
                try expectEqual(try await client.count(Studio.all), 0)
            },
            promise(.relationships, "what several values hold is stored once") { client in
                let marvel = Studio(1, "Marvel")
                let artists = (0..<40).map {
                    Artist($0, studio: marvel, skills: [Skill("ink"), Skill("s\($0 % 5)", 1)])
                }
                try await client.insert(artists)
                try expectEqual(try await client.findAll(Artist.self), artists)
                try expectEqual(try await client.count(Studio.all), 1)
                try expectEqual(try await client.count(Skill.all), 6)
            },
            promise(.relationships, "a list keeps its order and its repetitions") { client in
                let (a, b, c) = (Skill("a"), Skill("b"), Skill("c"))
                var artist = Artist(1, skills: [c, a, c, c, b])
                try await client.insert(artist)
                try expectEqual(
                    try await client.find(Artist.self, key: 1)?.skills,
                    [c, a, c, c, b]
                )
                artist.skills = [b, b, a]
                try await client.update(artist)
                try expectEqual(try await client.find(Artist.self, key: 1)?.skills, [b, b, a])
                artist.skills = []
                try await client.upsert(artist)
                try expectEqual(try await client.find(Artist.self, key: 1)?.skills, [])
                try expectEqual(try await client.count(Skill.all), 3)
            },
            promise(.relationships, "new values are inserted, changed ones updated") { client in
                try await client.insert(Studio(1, "Timely", founded: 1939))
                try await client.insert(Artist(1, studio: Studio(1, "Marvel", founded: 1939)))
                try expectEqual(try await client.findAll(Studio.self).map(\.name), ["Marvel"])
                var artist = Artist(1, studio: Studio(2, "DC"), skills: [Skill("ink", 1)])
                try await client.update(artist)
                artist.skills = [Skill("ink", 2), Skill("pen", 1)]
                try await client.update(artist)
                try expectEqual(try await client.find(Artist.self, key: 1), artist)
                try expectEqual(
                    try await client.findAll(Studio.self),
                    [Studio(1, "Marvel", founded: 1939), Studio(2, "DC")]
                )
                try expectEqual(
                    try await client.findAll(Skill.self),
                    [Skill("ink", 2), Skill("pen", 1)]
                )
            },
            promise(.relationships, "an upsert tells its own values apart") { client in
                try await client.insert(Artist(1, skills: [Skill("a")]))
                let outcome = try await client.upsert([
                    Artist(2, studio: Studio(5, "x")),
                    Artist(1, skills: [Skill("b"), Skill("a")]),
                    Artist(3, skills: [Skill("dropped")]),
                    Artist(3, skills: [Skill("c")]),
                ])
                try expectEqual(outcome.inserted.map(\.id), [2, 3])
                try expectEqual(outcome.updated.map(\.id), [1])
                try expectEqual(
                    try await client.findAll(Artist.self).map { $0.skills.map(\.code) },
                    [["b", "a"], [], ["c"]]
                )
                try expectEqual(try await client.exists(Skill.self, key: "dropped"), false)
            },
            promise(.relationships, "an update of a missing value saves nothing") { client in
                try await client.insert(Artist(1))
                try await expectError(.notFound) {
                    try await client.update([
                        Artist(1, studio: Studio(1, "x")), Artist(9, studio: Studio(2, "y")),
                    ])
                }
                try expectEqual(try await client.count(Studio.all), 0)
                let updated = try await client.updateExisting([
                    Artist(1, studio: Studio(1, "x")), Artist(9, studio: Studio(2, "y")),
                ])
                try expectEqual(updated.map(\.id), [1])
                try expectEqual(try await client.findAll(Studio.self).map(\.id), [1])
            },
            promise(.relationships, "an insert that fails saves nothing of its graph") { client in
                try await client.insert(Artist(1, studio: Studio(1, "x"), skills: [Skill("a", 1)]))
                try await expectError(.duplicateKey) {
                    try await client.insert(
                        Artist(1, studio: Studio(1, "changed"), skills: [Skill("b")])
                    )
                }
                try expectEqual(
                    try await client.findAll(Artist.self),
                    [Artist(1, studio: Studio(1, "x"), skills: [Skill("a", 1)])]
                )
                try expectEqual(try await client.count(Skill.all), 1)
            },
            promise(.relationships, "keys that the store makes are filled in everywhere") {
                client in
                let stored = try await client.insert([
                    Folder(cover: Note(0, "front"), notes: [Note(0, "a"), Note(0, "b")]),
                    Folder(notes: [Note(0, "c")]),
                ])
                let notes = stored.flatMap(\.notes) + stored.compactMap(\.cover)
                try expectEqual(Set(notes.map(\.id)).count, 4)
                try expect(!notes.map(\.id).contains(0), "every note has a key")
                try expectEqual(stored.map { $0.notes.map(\.text) }, [["a", "b"], ["c"]])
                try expectEqual(try await client.findAll(Folder.self), stored)
                try expectEqual(try await client.count(Note.all), 4)
                var changed = stored[0]
                changed.notes.insert(Note(0, "new"), at: 1)
                try await client.update(changed)
                let found = try await client.find(Folder.self, key: changed.id)
                try expectEqual(found?.notes.map(\.text), ["a", "new", "b"])
                try expectEqual(try await client.count(Note.all), 5)
            },
            promise(.relationships, "values of their own kind are held to any depth") { client in
                let tree = Branch(
                    1,
                    "root",
                    [
                        Branch(
                            2,
                            "left",
                            [Branch(4, "leaf"), Branch(5, "leaf", [Branch(6, "x")])]
                        ),
                        Branch(3, "right"),
                    ]
                )
                try await client.insert(tree)
                try expectEqual(try await client.find(Branch.self, key: 1), tree)
                try expectEqual(try await client.count(Branch.all), 6)
                try expectEqual(
                    try await client.fetch(Branch.where { $0.name == "leaf" }).map(\.id),
                    [4, 5]
                )
            },
            promise(
                .relationships,
                "values that hold each other in circles are not read",
                requires: [.rowWrites]
            ) { client in
                try await client.insert(Branch(1, "a", [Branch(2, "b")]))
                try await client.write { transaction in
                    guard let writer = try transaction.engineReader as? any EngineWriter,
                        let link = Branch.schema.entity.relationships[0].link
                    else { throw ConformanceFailure("The transaction has no writer.") }
                    let rows = RowBuffer(link.entity)
                    var row = try rows.beginRow()
                    for number in [2, 0, 1] { try row.write(number) }
                    try rows.endRow(row)
                    try writer.insert(rows)
                }
                let error = try await expectError(.invalidValue) {
                    _ = try await client.find(Branch.self, key: 1)
                }
                try expectEqual(error.entity, "Branch")
                try expectEqual(error.field, "branches")
            },
            promise(.relationships, "values are streamed with what they hold") { client in
                let artists = (0..<1_500).map {
                    Artist($0, studio: Studio($0 % 7, "s"), skills: [Skill("k\($0 % 11)")])
                }
                try await client.insert(artists)
                var streamed: [Artist] = []
                for try await artist in client.stream(Artist.all, batchSize: 400) {
                    streamed.append(artist)
                }
                try expectEqual(streamed, artists)
                let visited = try await client.read { transaction in
                    var visited: [Artist] = []
                    try transaction.forEach(Artist.all) {
                        visited.append($0)
                        return visited.count < 700
                    }
                    return visited
                }
                try expectEqual(visited, Array(artists.prefix(700)))
            },
            promise(.relationships, "5,000 values with what they hold") { client in
                let artists = (0..<5_000).reversed().map { id in
                    Artist(
                        id,
                        "a\(id)",
                        studio: id % 3 == 0 ? nil : Studio(id % 50, "s\(id % 50)"),
                        debut: Issue("i", id % 700, title: "t"),
                        skills: (0..<id % 4).map { Skill("k\((id + $0) % 900)", 1) },
                        tags: Set((0..<id % 3).map { Skill("k\((id + $0) % 900)", 1) })
                    )
                }
                try await client.insert(artists)
                try expectEqual(try await client.findAll(Artist.self), artists.reversed())
                try expectEqual(
                    try await client.find(Artist.self, keys: [4_999, 7, 7]).map(\.id),
                    [4_999, 7, 7]
                )
            },
            promise(.relationships, "fields are set one by one, relationships among them") {
                client in
                try await client.insert([Artist(1, "a", skills: [Skill("x")]), Artist(2, "b")])
                try await client.update(Artist.self, key: 1) {
                    $0.set(\.name, to: "c")
                    $0.set(\.studio, to: Studio(1, "Marvel"))
                    $0.set(\.skills, to: [Skill("y", 2), Skill("x", 1)])
                    $0.set(\.mentor, to: Reference(2))
                }
                let expected = Artist(
                    1,
                    "c",
                    studio: Studio(1, "Marvel"),
                    skills: [Skill("y", 2), Skill("x", 1)],
                    mentor: 2
                )
                try expectEqual(try await client.find(Artist.self, key: 1), expected)
                let count = try await client.update(Artist.all) {
                    $0.set(\.studio, to: nil)
                    $0.set(\.tags, to: [Skill("t")])
                    $0.set(\.friends, to: [2, 1])
                }
                try expectEqual(count, 2)
                let found = try await client.findAll(Artist.self)
                try expectEqual(found.map(\.studio), [nil, nil])
                try expectEqual(found.map(\.tags), [[Skill("t")], [Skill("t")]])
                try expectEqual(found.map(\.friends), [[2, 1], [2, 1]])
                try await expectError(.notFound) {
                    try await client.update(Artist.self, key: 9) {
                        $0.set(\.studio, to: Studio(7, "x"))
                    }
                }
                try expectEqual(try await client.exists(Studio.self, key: 7), false)
            },
        ] + ReferenceCases.all + DeleteRuleCases.all + RelatedConditionCases.all
        + RelatedTotalCases.all
}
