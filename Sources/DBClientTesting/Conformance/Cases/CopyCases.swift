import DBClientCore
import Foundation

/// What is copied from one store to another: the backend's and one in memory, either way.
enum CopyCases {
    static let all: [ConformanceCase] =
        values + keys + held + CopyConflictCases.all + CopyRefusalCases.all + CopyUnitCases.all

    private static let values: [ConformanceCase] =
        bothWays("every value is copied as it is stored") { source, target in
            let full = [EveryType.full(1), EveryType(2), EveryType.full(-3)]
            let issues = [Issue("x", 2, title: "b"), Issue("", 1), Issue("x", 10)]
            let pages = [Page(Data([0, 255, 0]), 1), Page(Data(), 2)]
            try await source.insert(full)
            try await source.insert(issues)
            try await source.insert(pages)
            try await source.insert(Hero(1))
            let copied = try await target.copy(
                EveryType.self,
                Issue.self,
                Page.self,
                from: source
            )
            try expectEqual(copied.entities.map(\.name), ["EveryType", "Issue", "Page"])
            try expectEqual(copied.entities.map(\.inserted), [3, 3, 2])
            try expectEqual([copied.inserted, copied.updated, copied.count], [8, 0, 8])
            try expectSame(
                try await target.findAll(EveryType.self),
                [EveryType.full(-3), EveryType.full(1), EveryType(2)]
            )
            try expectSame(
                try await target.findAll(Issue.self),
                [Issue("", 1), Issue("x", 2, title: "b"), Issue("x", 10)]
            )
            try expectSame(try await target.findAll(Page.self), [pages[1], pages[0]])
            try expectEqual(try await target.count(Hero.all), 0, "what was not named:")
            let tagged = EveryType.where { $0.tags.contains("b,\"c\"") }
            try expectEqual(try await target.fetch(tagged).map(\.id), [-3, 1])
        }
        + bothWays("many values are copied, page by page, and found by their indexes") {
            source,
            target in
            let count = RowPagesOf.several
            try await source.insert((0..<count).map { Hero($0, "n\($0 % 100)", power: 1) })
            let copied = try await target.copy(Hero.self, from: source)
            try expectEqual(copied["Hero"]?.inserted, count)
            try expectEqual(try await target.count(Hero.all), count)
            let ids = try await target.fetch(Hero.where { $0.name == "n42" }.select(\.id))
            try expectEqual(ids, stride(from: 42, to: count, by: 100).map { $0 })
            let all = try await target.fetch(Hero.all.select(\.id))
            try expectEqual(all, Array(0..<count))
        }
        + bothWays("large values are copied, however few fit into memory together") {
            source,
            target in
            let documents = (0..<7).map { index in
                Document(id: "d\(index)", title: String(repeating: "\(index)", count: 3_000_000))
            }
            try await source.insert(documents)
            let pages = Tally()
            try await target.copy(Document.self, from: source) { _ in pages.add() }
            try expect(pages.count > 1, "21 MB came in \(pages.count) page")
            try expectSame(try await target.findAll(Document.self), documents)
        }
        + bothWays("a source without values leaves the target as it is") { source, target in
            try await target.insert(Hero(1))
            let copied = try await target.copy(Hero.self, Artist.self, from: source) { _ in }
            try expectEqual(
                copied.entities.map(\.name),
                ["Hero", "Artist", "Skill", "Studio", "Issue"]
            )
            try expectEqual(copied.count, 0)
            try expectSame(try await target.findAll(Hero.self), [Hero(1)])
        }

    private static let keys: [ConformanceCase] =
        bothWays(
            "keys that a store has made are kept, and the next one goes on after them",
            [.generatedKeys]
        ) {
            source,
            target in
            try await source.insert((1...5).map { Ticket(title: "\($0)") })
            try await source.delete(Ticket.self, keys: [2, 3])
            try await source.insert(Ticket(id: 40, title: "40"))
            let sessions = try await source.insert([Session(title: "a"), Session(title: "b")])
            try await target.copy(Ticket.self, Session.self, from: source)
            try expectEqual(try await target.findAll(Ticket.self).map(\.id), [1, 4, 5, 40])
            try expectEqual(try await target.insert(Ticket(title: "next")).id, 41)
            try expectEqual(
                Set(try await target.findAll(Session.self).map(\.id)),
                Set(sessions.map(\.id))
            )
        }
        + bothWays("keys of the target that are greater stay ahead", [.generatedKeys]) {
            source,
            target in
            try await source.insert(Ticket(title: "a"))
            try await target.insert(Ticket(id: 90, title: "b"))
            try await target.copy(Ticket.self, from: source)
            try expectEqual(try await target.insert(Ticket(title: "next")).id, 91)
            // Replaced under its key, another is inserted; neither moves the next key back.
            try await source.insert(Ticket(id: 95, title: "c"))
            try await target.copy(Ticket.self, from: source, onConflict: .replace)
            try expectEqual(try await target.insert(Ticket(title: "next")).id, 96)
        }

    static let artists = [
        Artist(
            1,
            "a",
            studio: Studio(1, "s"),
            former: Studio(2, "t", founded: 1939),
            debut: Issue("x", 3, title: "i"),
            skills: [Skill("c", 3), Skill("a", 1), Skill("c", 3), Skill("b", 2)],
            tags: [Skill("z"), Skill("a", 1)]
        ),
        Artist(2, "b", studio: Studio(1, "s"), mentor: 1, favourite: Issue.PrimaryKey("x", 3)),
        Artist(3, "c", mentor: 3, rival: 77, friends: [2, 1, 2, 3]),
    ]

    private static let held: [ConformanceCase] =
        bothWays("what values hold and refer to comes with them, lists in order") {
            source,
            target in
            try await source.insert(artists)
            try await source.insert(Skill("alone"))
            let copied = try await target.copy(Artist.self, from: source)
            try expectEqual(
                copied.entities.map { "\($0.name) \($0.count)" },
                ["Artist 3", "Skill 5", "Studio 2", "Issue 1"]
            )
            try expectEqual(try await target.findAll(Artist.self), artists)
            try expectSame(
                try await target.findAll(Skill.self),
                try await source.findAll(Skill.self)
            )
            let listed = Artist.where { $0.skills.contains { $0.level == 2 } }
            try expectEqual(try await target.fetch(listed).map(\.id), [1])
        }
        + bothWays("a list that is longer than a page keeps its order") { source, target in
            let skills = [Skill("a", 1), Skill("b", 2), Skill("c", 3)]
            let long = Artist(
                1,
                skills: (0..<RowPagesOf.several).map { skills[$0 * $0 % 7 % 3] },
                friends: (0..<RowPagesOf.several).map { $0 % 2 + 1 }
            )
            try await source.insert(Artist(2, skills: [skills[1]]))
            try await source.insert(long)
            try await target.copy(Artist.self, from: source)
            try expectEqual(
                try await target.findAll(Artist.self),
                [long, Artist(2, skills: [skills[1]])]
            )
        }
        + bothWays("keys of several fields lead to what is held by them") { source, target in
            let volumes = [
                Volume(
                    "a",
                    0.5,
                    1,
                    next: Volume.PrimaryKey("a", 0.5, 2),
                    issues: [Issue("x", 2), Issue("x", 1)]
                ),
                Volume("a", 0.5, 2, next: Volume.PrimaryKey("a", 0.5, 1)),
            ]
            try await source.insert(volumes)
            try await target.copy(Volume.self, from: source)
            try expectEqual(try await target.findAll(Volume.self), volumes)
        }
        + bothWays("a weak key of nothing stays one") { source, target in
            try await source.insert(
                Poster(
                    1,
                    studio: Studio(1, "s"),
                    skills: [Skill("a"), Skill("b")],
                    tags: [Skill("a")]
                )
            )
            try await source.delete(Skill.self, key: "a")
            try await source.delete(Studio.self, key: 1)
            try await target.copy(Poster.self, from: source)
            try expectEqual(
                try await target.findAll(Poster.self),
                [Poster(1, skills: [Skill("b")])]
            )
            try await target.insert([Skill("a", 7)])
            try await target.insert(Studio(1, "again"))
            try expectEqual(
                try await target.findAll(Poster.self),
                [
                    Poster(
                        1,
                        studio: Studio(1, "again"),
                        skills: [Skill("a", 7), Skill("b")],
                        tags: [Skill("a", 7)]
                    )
                ]
            )
        }
        + bothWays("the rules of deletion hold for what was copied") { source, target in
            try await source.insert(artists[0])
            try await source.insert(Contract(1, Studio(1, "s"), holder: 1))
            try await target.copy(Contract.self, from: source)
            try await expectError(.deletionDenied) {
                try await target.delete(Studio.self, key: 1)
            }
            try await target.delete(Artist.self, key: 1)
            try expectEqual(try await target.count(Contract.all), 0)
            try await target.delete(Studio.self, key: 1)
        }
        + bothWays("values that hold their own kind are copied") { source, target in
            let knot = Knot(1, left: [Knot(2), Knot(3, right: [Knot(2)])], right: [Knot(4)])
            try await source.insert(knot)
            let copied = try await target.copy(Knot.self, from: source)
            try expectEqual(copied["Knot"]?.inserted, 4)
            try expectEqual(try await target.find(Knot.self, key: 1), knot)
        }

    /// Returns a case with the backend's store as the source and one in memory as the target, and one the
    /// other way round.
    static func bothWays(
        _ name: String,
        _ requirements: Set<Capability> = [],
        ofSource: Set<Capability> = [],
        run:
            @escaping @Sendable (_ source: any DBClient, _ target: any DBClient) async throws ->
            Void
    ) -> [ConformanceCase] {
        [
            promise(
                .copying,
                "\(name) (from the backend)",
                requires: requirements.union(ofSource)
            ) { try await run($0, InMemoryDBClient()) },
            promise(
                .copying,
                "\(name) (to the backend)",
                requires: requirements.union([.rowWrites])
            ) { try await run(InMemoryDBClient(), $0) },
        ]
    }
}

/// As many rows as no page has.
enum RowPagesOf {
    static let several = 9_000
}
