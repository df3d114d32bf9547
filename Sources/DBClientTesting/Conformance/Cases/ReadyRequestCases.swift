import DBClientCore

/// Custom queries, and those that every model has.
enum ReadyRequestCases {
    static let all: [ConformanceCase] = [
        promise(.requests, "a query of one's own goes wherever a request goes") { client in
            try await client.insert(
                (1...6).map { Hero($0, publisherId: $0 % 2, power: Double($0)) }
            )
            let query = HeroQuery.publisher(1)
            try expectEqual(try await client.fetch(query).map(\.id), [5, 3, 1])
            try expectEqual(try await client.fetchOne(query)?.id, 5)
            try expectEqual(try await client.count(query), 3)
            try expectEqual(try await client.exists(query), true)
            try expectEqual(try client.blocking.fetch(query).map(\.id), [5, 3, 1])
            try expectEqual(try await client.read { try $0.fetch(query).map(\.id) }, [5, 3, 1])
            var streamed: [Int] = []
            for try await hero in client.stream(query, batchSize: 2) { streamed.append(hero.id) }
            try expectEqual(streamed, [5, 3, 1])
            let written = try await client.write { transaction in
                try transaction.update(query) { $0.set(\.realName, to: "odd") }
            }
            try expectEqual(written, 3)
            try expectEqual(try await client.delete(query), 3)
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [2, 4, 6])
        },
        promise(.requests, "a query stands on another and goes on from it") { client in
            try await client.insert(
                (1...6).map { Hero($0, publisherId: $0 % 2, power: Double($0)) }
            )
            let strong = StrongestHeroes(of: .publisher(1), atLeast: 2)
            try expectEqual(try await client.fetch(strong).map(\.id), [5, 3])
            try expectEqual(try await client.fetch(strong.limit(1).offset(1)).map(\.id), [3])
            let sorted = strong.filter { $0.id < 5 }.sorted { $0.id }
            try expectEqual(try await client.fetch(sorted).map(\.id), [3])
            let refused = try await expectError(.invalidRequest) {
                _ = try await client.fetch(StrongestHeroes(of: .publisher(1), atLeast: -1))
            }
            try expectEqual(refused.field, "power")
            try await expectError(.invalidRequest) {
                try await client.delete(StrongestHeroes(of: .publisher(1), atLeast: -1).limit(1))
            }
            try expectEqual(try await client.count(Hero.all), 6)
        },
        promise(.requests, "by key, by keys and by value") { client in
            try await client.insert((1...5).map { Hero($0) })
            try expectEqual(try await client.fetch(Hero.with(key: 3)).map(\.id), [3])
            try expectEqual(
                try await client.fetch(Hero.with(keys: [5, 9, 1, 5])).map(\.id),
                [1, 5]
            )
            try expectEqual(try await client.fetch(Hero.with(keys: [])), [])
            try expectEqual(try await client.fetch(Hero.stored(Hero(2, "other"))), [Hero(2)])
            try expectEqual(try await client.delete(Hero.stored([Hero(1), Hero(9)])), 1)
            try await client.insert([Issue("A", 1), Issue("A", 2), Issue("B", 1)])
            let key = Issue.PrimaryKey("A", 2)
            try expectEqual(try await client.fetch(Issue.with(key: key)), [Issue("A", 2)])
            let many = (3...40_000).map { Issue.PrimaryKey("A", $0) } + [key]
            try expectEqual(try await client.fetch(Issue.with(keys: many)), [Issue("A", 2)])
            let keys = [Issue.PrimaryKey("B", 1), key, Issue.PrimaryKey("B", 2)]
            try expectEqual(
                try await client.fetch(Issue.with(keys: keys)),
                [Issue("A", 2), Issue("B", 1)]
            )
            try expectEqual(try await client.delete(Issue.with(keys: keys)), 2)
        },
        promise(.requests, "by example, field by field as they are stored") { client in
            var values = (1...4).map { EveryType($0) }
            (values[1], values[3]) = (EveryType.full(2), EveryType.full(4))
            values[3].optionalPlace?.zip = nil
            try await client.insert(values)
            let example = EveryType.full(0)
            func found(_ fields: PartialKeyPath<EveryType>...) async throws -> [Int] {
                var ids: [Int]?
                for field in fields {
                    let request = EveryType.matching(example, fields: field)
                    let some = try await client.fetch(request).map(\.id)
                    try expect(ids == nil || ids == some, "\(field): \(some)")
                    ids = some
                }
                return ids ?? []
            }
            try expectEqual(
                try await found(
                    \.flag,
                    \.uint64,
                    \.float,
                    \.double,
                    \.text,
                    \.data,
                    \.date,
                    \.uuid,
                    \.url,
                    \.decimal,
                    \.mood,
                    \.tags,
                    \.numbers,
                    \.origin,
                    \.place,
                    \.optionalText,
                    \.optionalOrigin
                ),
                [2, 4]
            )
            try expectEqual(try await found(\.optionalPlace), [2])
            let absent = EveryType.matching(EveryType(0), fields: \.optionalPlace, \.optionalText)
            try expectEqual(try await client.fetch(absent).map(\.id), [1, 3])
            let none = EveryType.matching(example)
            try expectEqual(try await client.count(none), 4)
        },
        promise(.requests, "by example of what a value holds, in any way") { client in
            let (a, b) = (Skill("a", 1), Skill("b", 2))
            let held = Artist(
                1,
                "x",
                studio: Studio(1, "s"),
                debut: Issue("A", 1),
                skills: [a, b],
                tags: [a, b],
                mentor: 1,
                favourite: Issue.PrimaryKey("A", 1),
                friends: [1, 2]
            )
            var other = Artist(
                2,
                "x",
                studio: Studio(2, "s"),
                debut: Issue("A", 2),
                skills: [b, a],
                tags: [b],
                mentor: 2,
                favourite: Issue.PrimaryKey("A", 2),
                friends: [2, 1]
            )
            try await client.insert([held, other, Artist(3, "y")])
            func found(_ field: PartialKeyPath<Artist>, like example: Artist) async throws -> [Int]
            {
                try await client.fetch(Artist.matching(example, fields: field)).map(\.id)
            }
            try expectEqual(try await found(\.name, like: held), [1, 2])
            let fields: [PartialKeyPath<Artist>] = [
                \.studio, \.debut, \.skills, \.tags, \.mentor, \.favourite, \.friends,
            ]
            for field in fields {
                try expectEqual(try await found(field, like: held), [1], "\(field)")
                try expectEqual(try await found(field, like: other), [2], "\(field)")
                try expectEqual(try await found(field, like: Artist(9)), [3], "\(field)")
            }
            try expectEqual(try await found(\.former, like: held), [1, 2, 3])
            // The key tells the value, whatever else it has; a part of a list or a longer one is another.
            other.studio = Studio(1, "renamed")
            try expectEqual(try await found(\.studio, like: other), [1])
            for skills in [[a], [a, b, b], [a, a]] {
                try expectEqual(try await found(\.skills, like: Artist(9, skills: skills)), [])
            }
            try expectEqual(try await found(\.tags, like: Artist(9, tags: [a])), [])
            let both = Artist.matching(held, fields: \.name, \.skills, \.debut)
            try expectEqual(try await client.fetch(both).map(\.id), [1])
            try expectEqual(try await client.count(Artist.matching(held)), 3)
        },
        promise(.requests, "what is stored is compared with what it holds") { client in
            let stored = Artist(
                1,
                "x",
                studio: Studio(1, "s"),
                debut: Issue("A", 1, title: "t"),
                skills: [Skill("b", 1), Skill("a", 2), Skill("b", 1)],
                tags: [Skill("b", 1), Skill("a", 2)],
                mentor: 1,
                favourite: Issue.PrimaryKey("A", 1),
                friends: [1, 1]
            )
            try await client.insert(stored)
            try await client.expectStored(Artist.all, equal: [stored])
            var others = [Artist](repeating: stored, count: 6)
            others[0].studio?.name = "other"
            others[1].debut = nil
            others[2].skills[1].level = 3
            others[3].tags = [Skill("b", 1)]
            others[4].favourite = Reference(Issue.PrimaryKey("A", 2))
            others[5].friends.keys = [1]
            for other in others {
                let failure: StoreExpectationFailure?
                do {
                    try await client.expectStored(Artist.all, equal: [other])
                    failure = nil
                } catch let error as StoreExpectationFailure {
                    failure = error
                }
                try expect(failure != nil, "no difference from \(other)")
            }
            let shown = try await client.snapshot(of: Artist.all)
            let row = """
                Artist(skills: [Skill(code: "b", level: 1), Skill(code: "a", level: 2), \
                Skill(code: "b", level: 1)], id: 1, name: "x", \
                studio: Studio(id: 1, name: "s", founded: nil), former: nil, \
                debut: Issue(title: "t", series: "A", number: 1), \
                tags: [Skill(code: "a", level: 2), Skill(code: "b", level: 1)], \
                mentor: Reference(1), rival: nil, favourite: Reference("A", 1), \
                friends: [Reference(1), Reference(1)])
                """
            try expect(shown.hasSuffix("\n\(row)"), "not how it is shown: \(shown)")
            try await client.assertRequest(Artist.all) { shown }
        },
        promise(.requests, "by example of a property that is not stored") { client in
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.matching(Hero(1), fields: \.shout))
            }
        },
        promise(.requests, "page by page") { client in
            try await client.insert((1...5).map { Hero($0) })
            let request = Hero.all.sorted { $0.id.descending }
            try expectEqual(try await client.fetch(request.page(1, size: 2)).map(\.id), [5, 4])
            try expectEqual(try await client.fetch(request.page(3, size: 2)).map(\.id), [1])
            try expectEqual(try await client.fetch(request.page(4, size: 2)).map(\.id), [])
            for (number, size) in [(0, 2), (-1, 2), (.min, 2), (.min, .min), (1, -1), (.max, .max)]
            {
                try await expectError(.invalidRequest) {
                    _ = try await client.fetch(request.page(number, size: size))
                }
            }
        },
    ]
}

/// A request of an app's own type, with a parameter.
private enum HeroQuery: FetchRequestConvertible {
    case publisher(Int)

    var request: FetchRequest<Hero> {
        switch self {
        case .publisher(let id):
            Hero.where { $0.publisherId == id }.sorted { $0.power.descending }
        }
    }
}

/// A query on another that refuses some parameters.
private struct StrongestHeroes: FetchRequestConvertible {
    let base: HeroQuery
    let power: Double

    init(of base: HeroQuery, atLeast power: Double) {
        self.base = base
        self.power = power
    }

    var request: FetchRequest<Hero> {
        guard power >= 0 else {
            return FetchRequest(
                failing: DBClientError(
                    .invalidRequest,
                    "The power must not be negative; got \(power).",
                    entity: "Hero",
                    field: "power"
                )
            )
        }
        return base.filter { $0.power >= power }
    }
}
