import DBClientCore

/// What becomes of values that the target of a copy has already.
enum CopyConflictCases {
    static let all: [ConformanceCase] =
        CopyCases.bothWays("a key that is there already is refused, and nothing is copied") {
            source,
            target in
            try await source.insert([Studio(1, "a"), Studio(2, "b")])
            try await source.insert((1...3).map { Hero($0) })
            try await target.insert(Hero(3, "own"))
            let error = try await expectError(.duplicateKey) {
                try await target.copy(Studio.self, Hero.self, from: source)
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(try await target.count(Studio.all), 0)
            try expectSame(try await target.findAll(Hero.self), [Hero(3, "own")])
        }
        + CopyCases.bothWays("a key that is there already is refused where it is only held") {
            source,
            target in
            try await source.insert(CopyCases.artists)
            try await target.insert(Studio(2, "own"))
            let error = try await expectError(.duplicateKey) {
                try await target.copy(Artist.self, from: source)
            }
            try expectEqual(error.entity, "Studio")
            try expectEqual(try await target.count(Artist.all), 0)
            try expectEqual(try await target.count(Skill.all), 0)
            try expectSame(try await target.findAll(Studio.self), [Studio(2, "own")])
            // What was undone can be copied after all.
            try await target.deleteAll(Studio.self)
            try await target.copy(Artist.self, from: source)
            try expectEqual(try await target.findAll(Artist.self), CopyCases.artists)
        }
        + CopyCases.bothWays("values are replaced where that is asked for, and told apart") {
            source,
            target in
            try await source.insert((1...4).map { Hero($0, "new", power: 2) })
            try await target.insert([Hero(2, "old", bio: "x"), Hero(4), Hero(9)])
            let copied = try await target.copy(Hero.self, from: source, onConflict: .replace)
            try expectEqual([copied.inserted, copied.updated, copied.count], [2, 2, 4])
            try expectSame(
                try await target.findAll(Hero.self),
                (1...4).map { Hero($0, "new", power: 2) } + [Hero(9)]
            )
            try expectEqual(
                try await target.fetch(Hero.where { $0.name == "new" }.select(\.id)),
                [1, 2, 3, 4]
            )
            let again = try await target.copy(Hero.self, from: source, onConflict: .replace)
            try expectEqual([again.inserted, again.updated], [0, 4])
        }
        + CopyCases.bothWays("what a replaced value held gives way to what it holds now") {
            source,
            target in
            try await source.insert(CopyCases.artists)
            let others = [
                Artist(
                    1,
                    "old",
                    studio: Studio(9, "own"),
                    skills: [Skill("own", 4), Skill("a", 9)] + (0..<9).map { Skill("s\($0)") },
                    tags: [Skill("own", 4)],
                    friends: [1]
                ),
                Artist(5, "own", skills: [Skill("a", 9)], friends: [1, 5]),
            ]
            try await target.insert(others)
            let copied = try await target.copy(Artist.self, from: source, onConflict: .replace)
            try expectEqual(copied["Artist"]?.updated, 1)
            try expectEqual(copied["Artist"]?.inserted, 2)
            try expectEqual(copied["Skill"]?.updated, 1)
            try expectEqual(
                try await target.findAll(Artist.self),
                CopyCases.artists + [Artist(5, "own", skills: [Skill("a", 1)], friends: [1, 5])]
            )
            try expectSame(try await target.find(Skill.self, key: "own"), Skill("own", 4))
            try expectSame(try await target.find(Studio.self, key: 9), Studio(9, "own"))
        }
        + CopyCases.bothWays("many values are replaced, page by page") { source, target in
            let count = RowPagesOf.several
            try await source.insert((0..<count).map { Hero($0, "new") })
            try await target.insert((0..<count).filter { $0 % 2 == 0 }.map { Hero($0, "old") })
            let copied = try await target.copy(Hero.self, from: source, onConflict: .replace)
            try expectEqual([copied.inserted, copied.updated], [count / 2, count / 2])
            try expectEqual(try await target.count(Hero.where { $0.name == "new" }), count)
        }
        + CopyCases.bothWays("a unique value that another has is refused", [.uniqueIndexes]) {
            source,
            target in
            try await source.insert([Account(1, login: "a"), Account(2, email: "e", login: "b")])
            let rival = Account(7, email: "e", login: "c")
            try await target.insert(rival)
            for policy in [CopyConflictPolicy.refuse, .replace] {
                try await expectError(.uniqueViolation) {
                    try await target.copy(Account.self, from: source, onConflict: policy)
                }
                try expectSame(try await target.findAll(Account.self), [rival])
            }
        }
        + CopyCases.bothWays("values that would hold themselves in the target are refused") {
            source,
            target in
            try await source.insert(Bead(1, next: [Bead(2)]))
            try await source.delete(Bead.self, key: 2)
            try await target.insert(Bead(2, next: [Bead(1)]))
            try await target.delete(Bead.self, key: 1)
            try await expectError(.invalidValue) { try await target.copy(Bead.self, from: source) }
            try expectEqual(try await target.findAll(Bead.self), [Bead(2)])
        }
}
