import DBClientCore

/// Conditions on what comes of all that values hold, and pages of sorts through relationships.
enum RelatedTotalCases {
    private static func finds(
        _ name: String,
        _ expected: [Int],
        _ condition: @escaping @Sendable (Fields<Artist>) -> Condition<Artist>
    ) -> ConformanceCase {
        RelatedConditionCases.finds(name, expected, condition)
    }

    static let all: [ConformanceCase] = sums + ends + values + pages

    private static let sums: [ConformanceCase] = [
        finds("a sum", [1, 5]) { $0.skills.sum(\.level) > 3 },
        finds("a sum, of none zero", [2, 3, 4]) { $0.skills.sum(\.level) == 0 },
        finds("another sum", [1, 2, 3, 4]) { $0.skills.sum(\.level) != 4 },
        finds("a sum that may be of none", [2, 3, 4, 5]) { $0.skills.sum(\.level) <= 4 },
        finds("a sum of some", [5]) {
            $0.skills.sum(\.level, where: { $0.code == "ink" }) >= 4
        },
        finds("a sum that is always there", []) { $0.skills.sum(\.level) == nil },
        finds("a sum over a set", [1]) { $0.tags.sum(\.level) == 1 },
        finds("a sum over references", [3]) { $0.friends.sum(\.id) == 3 },
        finds("a sum over what is held", [3]) { $0.mentor.skills.sum(\.level) > 10 },
        finds("a sum over what is held, or of none", [1, 2, 4, 5]) {
            $0.mentor.skills.sum(\.level) < 10
        },
        finds("an average", [1, 5]) { $0.skills.average(\.level) > 1.3 },
        finds("an average, of none nil", [2, 5]) { $0.skills.average(\.level) < 1.4 },
        finds("no average", [3, 4]) { $0.skills.average(\.level) == nil },
        finds("another average", [1, 3, 4, 5]) { $0.skills.average(\.level) != 0 },
    ]

    private static let ends: [ConformanceCase] = [
        finds("a greatest value", [1]) { $0.skills.max(\.level) == 9 },
        finds("a greatest value under one", [2, 5]) { $0.skills.max(\.level) < 3 },
        finds("a greatest value up to one", [2]) { $0.skills.max(\.level) <= 0 },
        finds("a greatest value from one", [1, 5]) { $0.skills.max(\.level) >= 2 },
        finds("a greatest value over one", [1]) { $0.skills.max(\.level) > 2 },
        finds("another greatest value", [1, 2, 3, 4]) { $0.skills.max(\.level) != 2 },
        finds("no greatest value", [3, 4]) { $0.skills.max(\.level) == nil },
        finds("some greatest value", [1, 2, 5]) { $0.skills.max(\.level) != nil },
        finds("a least value", [2, 5]) { $0.skills.min(\.level) == 0 },
        finds("a least value over one", [1]) { $0.skills.min(\.level) > 1 },
        finds("a least value from one", [1, 2, 5]) { $0.skills.min(\.level) >= 0 },
        finds("a least value under one", [2, 5]) { $0.skills.min(\.level) < 1 },
        finds("a least value up to one", [1, 2, 5]) { $0.skills.min(\.level) <= 2 },
        finds("a greatest text", [1]) { $0.skills.max(\.code) == "pencil" },
        finds("a least text of some", [5]) {
            $0.skills.min(\.code, where: { $0.level < 2 }) == "feet" && $0.skills.count > 1
        },
        finds("a greatest value of what is held", [3]) { $0.mentor.skills.max(\.level) < 10 },
    ]

    private static let values: [ConformanceCase] = [
        promise(.relationships, "absent values are left out of totals, and others are real") {
            client in
            let leagues = [
                League(
                    1,
                    heroes: [Hero(1, power: 1.5), Hero(2, power: -0.25)],
                    studios: [Studio(1, "a", founded: 7), Studio(2, "b")]
                ),
                League(2, heroes: [Hero(3, power: .infinity)], studios: [Studio(2, "b")]),
                League(3, heroes: [Hero(3, power: .infinity), Hero(4, power: -.infinity)]),
            ]
            try await client.insert(leagues)
            func find(
                _ condition: (Fields<League>) -> Condition<League>
            ) async throws -> [Int] {
                try await client.fetch(League.where(condition)).map(\.id)
            }
            try expectEqual(try await find { $0.heroes.sum(\.power) == 1.25 }, [1])
            try expectEqual(try await find { $0.heroes.sum(\.power) > 1 }, [1, 2])
            // Opposite infinities come to no number.
            try expectEqual(try await find { $0.heroes.sum(\.power) != 0 }, [1, 2, 3])
            try expectEqual(try await find { $0.heroes.average(\.power) < 0.75 }, [1])
            try expectEqual(try await find { $0.heroes.average(\.power) >= 0 }, [1, 2])
            try expectEqual(try await find { $0.heroes.min(\.power) < 0 }, [1, 3])
            try expectEqual(try await find { $0.studios.sum(\.founded) == 7 }, [1])
            try expectEqual(try await find { $0.studios.average(\.founded) == 7 }, [1])
            try expectEqual(try await find { $0.studios.average(\.founded) == nil }, [2, 3])
            try expectEqual(try await find { $0.studios.max(\.founded) == nil }, [2, 3])
            try expectEqual(try await find { $0.studios.min(\.founded) <= 7 }, [1])
            try expectEqual(try await find { !($0.studios.sum(\.founded) > 0) }, [2, 3])
        },
        promise(.relationships, "an integer sum is exact, however large") { client in
            let large = [Skill("a", .max), Skill("b", .max)]
            let small = [Skill("c", .min), Skill("d", .min)]
            try await client.insert([
                Artist(1, skills: large), Artist(2, skills: small),
                Artist(3, skills: large + small), Artist(4, skills: [Skill("b", .max)]),
            ])
            func find(
                _ condition: (Fields<Artist>) -> Condition<Artist>
            ) async throws -> [Int] {
                try await client.fetch(Artist.where(condition)).map(\.id)
            }
            try expectEqual(try await find { $0.skills.sum(\.level) > .max }, [1])
            try expectEqual(try await find { $0.skills.sum(\.level) < .min }, [2])
            try expectEqual(try await find { $0.skills.sum(\.level) == -2 }, [3])
            try expectEqual(try await find { $0.skills.sum(\.level) == .max }, [4])
            try expectEqual(try await find { $0.skills.sum(\.level) != -2 }, [1, 2, 4])
        },
        promise(.relationships, "an average of integers is that of their exact sum") { client in
            try await client.insert([
                Artist(1, skills: [Skill("a", .max), Skill("b", 3), Skill("c", -.max)]),
                Artist(2, skills: [Skill("d", .min), Skill("e", .min)]),
                Artist(3, skills: [Skill("f", -1), Skill("b", 3)]),
            ])
            func find(
                _ condition: (Fields<Artist>) -> Condition<Artist>
            ) async throws -> [Int] {
                try await client.fetch(Artist.where(condition)).map(\.id)
            }
            try expectEqual(try await find { $0.skills.average(\.level) == 1 }, [1, 3])
            try expectEqual(try await find { $0.skills.average(\.level) == -0x1p63 }, [2])
            try expectEqual(try await find { $0.skills.average(\.level) > 0 }, [1, 3])
            // The nearest double to the exact quotient is another one.
            let large = [Skill("g", .max), Skill("h", .max), Skill("i", .max - 1_535)]
            try await client.insert(Artist(4, skills: large))
            try expectEqual(try await find { $0.skills.average(\.level) == 0x1p63 }, [4])
        },
        promise(.relationships, "only numbers have a sum") { client in
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Artist.where { $0.skills.average(\.code) > 1 })
            }
            let error = try await expectError(.invalidRequest) {
                _ = try await client.count(Artist.where { $0.skills.max(\Skill.doubled) > 1 })
            }
            try expectEqual(error.entity, "Skill")
        },
        promise(.relationships, "values are changed and deleted by totals") { client in
            try await client.insert(RelatedConditionCases.artists)
            try expectEqual(
                try await client.update(Artist.where { $0.skills.sum(\.level) == 4 }) {
                    $0.set(\.name, to: "four")
                },
                1
            )
            try expectEqual(try await client.find(Artist.self, key: 5)?.name, "four")
            try expectEqual(try await client.delete(Artist.where { $0.skills.max(\.level) > 1 }), 2)
            try expectEqual(try await client.findAll(Artist.self).map(\.id), [2, 3, 4])
        },
    ]

    private static let sorts: [@Sendable (Fields<Artist>) -> [any SortTerm<Artist>]] = [
        { [$0.studio.name, $0.id.descending] },
        { [$0.studio.name.descending] },
        { [$0.studio.name.ascending.nilsLast, $0.name] },
        { [$0.studio.founded.descending.nilsFirst, $0.former.name] },
        { [$0.studio.name.ascending.caseInsensitive, $0.debut.title.descending] },
    ]

    private static let pages: [ConformanceCase] = [
        promise(.relationships, "a request sorted through relationships continues after a value") {
            client in
            try await client.insert(RelatedConditionCases.artists)
            for sort in sorts {
                let request = Artist.all.sorted(sort)
                let expected = try await client.fetch(request)
                try expectEqual(expected.count, 5)
                for (index, artist) in expected.enumerated() {
                    try expectEqual(
                        try await client.fetch(request.after(artist)),
                        Array(expected[(index + 1)...])
                    )
                }
                let page = try await client.fetch(request.after(expected[1]).limit(2))
                try expectEqual(page, Array(expected[2...3]))
            }
            let byMentor = Artist.all.sorted { $0.mentor.name }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(byMentor.after(Artist(1)))
            }
        },
        promise(.relationships, "a stream is sorted through relationships and references") {
            client in
            try await client.insert(RelatedConditionCases.artists)
            let requests =
                sorts.map { Artist.all.sorted($0) } + [
                    Artist.all.sorted { [$0.mentor.name, $0.name] },
                    Artist.all.sorted { [$0.mentor.studio.name.descending] },
                ]
            for request in requests {
                for size in [1, 2, 5] {
                    var streamed: [Artist] = []
                    for try await artist in client.stream(request, batchSize: size) {
                        streamed.append(artist)
                    }
                    try expectEqual(streamed, try await client.fetch(request))
                }
            }
        },
    ]
}
