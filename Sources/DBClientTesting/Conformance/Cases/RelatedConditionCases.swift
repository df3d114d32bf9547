import DBClientCore

/// Conditions on the related values that a value holds.
enum RelatedConditionCases {
    private static let marvel = Studio(1, "Marvel", founded: 1939)
    private static let image = Studio(2, "Image")

    static let artists = [
        Artist(
            1,
            "Kirby",
            studio: marvel,
            debut: Issue("Bolt", 1, title: "x"),
            skills: [Skill("ink", 2), Skill("pencil", 9)],
            tags: [Skill("fast", 1)]
        ),
        Artist(2, "Liefeld", studio: image, former: marvel, skills: [Skill("feet", 0)]),
        Artist(3, "Lee", studio: marvel, mentor: 1, friends: [1, 2]),
        Artist(4, "Nobody", mentor: 3),
        Artist(5, "Doubled", skills: [Skill("ink", 2), Skill("ink", 2), Skill("feet", 0)]),
    ]

    /// Returns a case that asks for artists by a condition and expects those with some keys.
    static func finds(
        _ name: String,
        _ expected: [Int],
        _ condition: @escaping @Sendable (Fields<Artist>) -> Condition<Artist>
    ) -> ConformanceCase {
        promise(.relationships, "condition: \(name)") { client in
            try expectEqual(try await client.fetch(Artist.where(condition)), [], "before any")
            try await client.insert(artists)
            try expectEqual(try await client.fetch(Artist.where(condition)).map(\.id), expected)
            try expectEqual(try await client.count(Artist.where(condition)), expected.count)
            try expectEqual(
                try await client.fetch(Artist.where { !condition($0) }).map(\.id),
                artists.map(\.id).filter { !expected.contains($0) },
                "the opposite"
            )
        }
    }

    static let all: [ConformanceCase] = [
        finds("a field of what is held", [1, 3]) { $0.studio.name == "Marvel" },
        finds("its opposite takes nil for a value", [2, 4, 5]) { $0.studio.name != "Marvel" },
        finds("a field that is nil, or that nothing has", [2, 4, 5]) { $0.studio.founded == nil },
        finds("a field that is not nil", [1, 3]) { $0.studio.founded != nil },
        finds("an order", [1, 3]) { $0.studio.founded < 1990 },
        finds("a range", [1, 3]) { $0.studio.founded.isBetween(1930...1940) },
        finds("a text", [1, 2, 3]) { $0.studio.name.contains("a") },
        finds("a list of values", [2]) { $0.studio.name.isIn(["Image", "DC"]) },
        finds("a key that is at hand", [1, 3]) { $0.studio.id == 1 },
        finds("a value", [2]) { $0.studio == image },
        finds("another value", [1, 3, 4, 5]) { $0.studio != image },
        finds("nothing", [4, 5]) { $0.studio == nil },
        finds("two relationships to one model", [2]) {
            $0.studio.name == "Image" && $0.former.name == "Marvel"
        },
        finds("a value with a key of several fields", [1]) { $0.debut == Issue("Bolt", 1) },
        finds("a field behind a key of several fields", [1]) { $0.debut.title == "x" },
        finds("a part of a key of several fields", [1]) { $0.debut.number >= 1 },
        finds("through two relationships", [3]) { $0.mentor.studio.name == "Marvel" && $0.id < 4 },
        finds("through a relationship to its own kind", [4]) { $0.mentor.mentor == Reference(1) },
        finds("an element", [1]) { $0.skills.contains { $0.level > 3 } },
        finds("an element by two of its fields", []) {
            $0.skills.contains { $0.level > 3 && $0.code == "ink" }
        },
        finds("an element by its value", [1, 5]) { $0.skills.contains(Skill("ink")) },
        finds("no element", [3, 4]) { $0.skills.isEmpty },
        finds("every element", [1, 3, 4]) { $0.skills.allSatisfy { $0.level > 0 } },
        finds("the number of elements", [5]) { $0.skills.count > 2 },
        finds("the number of elements, none among them", [2, 3, 4]) { $0.skills.count < 2 },
        finds("the number of some elements", [5]) {
            $0.skills.count(where: { $0.code == "ink" }) == 2
        },
        finds("an element of a set", [1]) { $0.tags.contains { $0.code == "fast" } },
        finds("an element that is referred to", [3]) {
            $0.friends.contains { $0.studio.name == "Image" }
        },
        finds("an element of what is held", [3]) {
            $0.mentor.skills.contains { $0.level == 9 }
        },
        finds("no element of what is held, or nothing held", [1, 2, 4, 5]) {
            $0.mentor.skills.isEmpty
        },
        finds("any of several", [1, 2, 3, 5]) {
            $0.studio.name.hasPrefix("I") || $0.skills.count >= 2 || $0.friends.count == 2
        },
        promise(.relationships, "conditions through relationships stand deep in each other") {
            client in
            try await client.insert(
                (0...30).map { id in
                    let next = id < 30 ? id + 1 : nil
                    return Artist(id, "\(id)", mentor: next, friends: next.map { [$0] } ?? [])
                }
            )
            func deep(
                _ levels: Int,
                _ level: (Fields<Artist>, Condition<Artist>) -> Condition<Artist>
            ) -> FetchRequest<Artist> {
                let end = Artist.condition { $0.name == "30" }
                return Artist.all.filter(
                    (0..<levels).reduce(end) { inner, _ in Artist.condition { level($0, inner) } }
                )
            }
            let held = deep(30) { artist, inner in artist.friends.contains { _ in inner } }
            try expectEqual(try await client.fetch(held).map(\.id), [0])
            try expectEqual(try await client.count(held.limit(2)), 1)
            let mixed = deep(10) { artist, inner in
                (artist.id == -1 || artist.friends.contains { _ in inner }) && artist.id != 99
            }
            try expectEqual(try await client.fetch(mixed).map(\.id), [20])
            let every = deep(10) { artist, inner in
                !artist.friends.contains { _ in !inner } && artist.id < 99
            }
            try expectEqual(try await client.fetch(every).map(\.id), Array(20...30))
            let counted = deep(10) { artist, inner in
                artist.friends.count(where: { _ in inner }) == 1
            }
            try expectEqual(try await client.fetch(counted).map(\.id), [20])
            let added = deep(10) { artist, inner in
                artist.friends.sum(\.id, where: { _ in inner }) > 0
            }
            try expectEqual(try await client.fetch(added).map(\.id), [20])
            let chain = Artist.where {
                $0.mentor.mentor.mentor.mentor.mentor.mentor.mentor.mentor.mentor.mentor
                    .mentor.mentor.mentor.mentor.mentor.name == "30" && $0.id > 0
            }
            try expectEqual(try await client.fetch(chain).map(\.id), [15])
            try expectEqual(try await client.update(mixed) { $0.set(\.name, to: "found") }, 1)
            try expectEqual(try await client.find(Artist.self, key: 20)?.name, "found")
            try expectEqual(try await client.delete(held), 1)
        },
        promise(.relationships, "the inverse of a relationship is asked for") { client in
            try await client.insert(artists)
            let employed = marvel.inverse(of: \Artist.studio)
            try expectEqual(try await client.fetch(employed).map(\.id), [1, 3])
            try expectEqual(
                try await client.count(employed.filter { $0.name == "Lee" }),
                1
            )
            try expectEqual(
                try await client.fetch(Skill("ink").inverse(of: \Artist.skills)).map(\.id),
                [1, 5]
            )
            try expectEqual(
                try await client.fetch(artists[0].inverse(of: \Artist.mentor)).map(\.id),
                [3]
            )
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(marvel.inverse(of: \Artist.name))
            }
        },
        promise(.relationships, "values are changed and deleted by what they hold") { client in
            try await client.insert(artists)
            let changed = try await client.update(
                Artist.where { $0.studio.name == "Marvel" && $0.skills.isEmpty }
            ) { $0.set(\.name, to: "found") }
            try expectEqual(changed, 1)
            try expectEqual(try await client.find(Artist.self, key: 3)?.name, "found")
            try expectEqual(try await client.delete(Artist.where { $0.studio.name == "Marvel" }), 2)
            try expectEqual(try await client.findAll(Artist.self).map(\.id), [2, 4, 5])
            try expectEqual(
                try await client.delete(Skill.where { $0.level > 3 && $0.code == "pencil" }),
                1
            )
        },
        promise(.relationships, "a window is cut from what a condition finds") { client in
            try await client.insert(artists)
            let held = Artist.where { $0.studio.name.contains("a") }
                .sorted { $0.name.descending }
            try expectEqual(try await client.fetch(held.limit(2)).map(\.id), [2, 3])
            try expectEqual(try await client.fetch(held.offset(2)).map(\.id), [1])
            try expectEqual(try await client.delete(held.limit(1)), 1)
            try expectEqual(try await client.count(held), 2)
        },
        promise(.relationships, "a sort reaches through relationships") { client in
            let byStudio = Artist.all.sorted { [$0.studio.name, $0.id.descending] }
            try expectEqual(try await client.fetch(byStudio), [])
            try await client.insert(artists)
            try expectEqual(try await client.fetch(byStudio).map(\.id), [5, 4, 2, 3, 1])
            func order(_ terms: (Fields<Artist>) -> [any SortTerm<Artist>]) async throws -> [Int] {
                try await client.fetch(Artist.all.sorted(terms)).map(\.id)
            }
            try expectEqual(try await order { [$0.studio.name.descending] }, [1, 3, 2, 4, 5])
            try expectEqual(
                try await order { [$0.studio.name.ascending.nilsLast, $0.name] },
                [2, 1, 3, 5, 4]
            )
            try expectEqual(
                try await order { [$0.mentor.studio.name.descending] },
                [3, 4, 1, 2, 5]
            )
            try expectEqual(
                try await order { [$0.debut.title.descending, $0.former.id.descending] },
                [1, 2, 3, 4, 5]
            )
            try expectEqual(
                try await order { [$0.studio.name.ascending.caseInsensitive.nilsLast] },
                [2, 1, 3, 4, 5]
            )
            try expectEqual(
                try await client.fetch(byStudio.offset(1).limit(3)).map(\.id),
                [4, 2, 3]
            )
            try expectEqual(
                try await client.fetch(
                    byStudio.filter { $0.studio.name == "Marvel" }.limit(1)
                ).map(\.id),
                [3]
            )
            try expectEqual(try await client.delete(byStudio.limit(2)), 2)
            try expectEqual(try await client.fetch(byStudio).map(\.id), [2, 3, 1])
        },
        promise(.relationships, "a function is computed over what values hold") { client in
            try expectEqual(
                try await client.aggregate(.maximum, of: Artist.all) { $0.studio.founded },
                .null
            )
            try await client.insert(artists)
            let all = Artist.all
            try expectEqual(
                try await client.aggregate(.sum, of: all) { $0.studio.founded },
                .integer(2 * 1939)
            )
            try expectEqual(
                try await client.aggregate(.average, of: all) { $0.studio.founded },
                .real(1939)
            )
            try expectEqual(
                try await client.aggregate(.maximum, of: all) { $0.studio.name },
                .text("Marvel")
            )
            try expectEqual(
                try client.blocking.aggregate(.minimum, of: all.filter { $0.id > 2 }) {
                    $0.mentor.studio.name
                },
                .text("Marvel")
            )
            try expectEqual(
                try await client.aggregate(.sum, of: all.offset(1).limit(2)) {
                    $0.studio.founded
                },
                .integer(1939)
            )
            try expectEqual(
                try await client.aggregate(.maximum, of: all) { $0.name },
                .text("Nobody")
            )
            try await expectError(.invalidRequest) {
                _ = try await client.aggregate(.sum, of: Artist.all) { $0.studio.name }
            }
        },
        promise(.relationships, "a to-many relationship has no value to compare") { client in
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Artist.all.sorted { $0.skills })
            }
        },
    ]
}
