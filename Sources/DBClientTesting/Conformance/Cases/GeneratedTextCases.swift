import DBClientCore

/// Made-up text that is hostile, in every place that text can be, against plain functions of its bytes.
///
/// A failure names its seed; `DBCLIENT_SEED` runs it again, and `DBCLIENT_HOSTILE_ROUNDS` runs more.
enum GeneratedTextCases {
    static let all: [ConformanceCase] = [
        drawn("made-up text is compared by its bytes") { client, random in
            let heroes = try await insertHeroes(client, random)
            for needle in needles(in: heroes, random) {
                for comparison in comparisons {
                    for order in [TextOrder.binary, .caseInsensitive] {
                        try await check(
                            client,
                            heroes,
                            "\(comparison) \(order) \(needle.debugDescription)",
                            { try .field($0, comparison, needle, text: order) },
                            { text in
                                guard let text else { return comparison == .notEqual }
                                return comparison.holds(for: compare(text, needle, order))
                            }
                        )
                    }
                }
                try await check(
                    client,
                    heroes,
                    "is in \(needle.debugDescription)",
                    { try .field($0, isIn: [needle, "\u{301}"]) },
                    { text in
                        text.map {
                            bytes($0) == bytes(needle) || $0.utf8.elementsEqual("\u{301}".utf8)
                        } ?? false
                    }
                )
            }
        },
        drawn("made-up text is found literally, with case and without") { client, random in
            let heroes = try await insertHeroes(client, random)
            for needle in needles(in: heroes, random) {
                for (kind, find) in searches {
                    for ignoresCase in [false, true] {
                        let wanted = OracleText.bytes(needle, ignoringCase: ignoresCase)
                        let pattern = TextPattern(kind, needle, ignoresCase: ignoresCase)
                        try await check(
                            client,
                            heroes,
                            "\(kind) \(needle.debugDescription), \(ignoresCase)",
                            { try .field($0, matches: pattern) },
                            { text in
                                text.map {
                                    find(OracleText.bytes($0, ignoringCase: ignoresCase), wanted)
                                } ?? false
                            }
                        )
                    }
                }
            }
        },
        drawn("made-up text is found by its folding") { client, random in
            let heroes = try await insertHeroes(client, random)
            for needle in needles(in: heroes, random) {
                let wanted = OracleText.foldedBytes(needle)
                for match in TextFolding.Match.allCases {
                    try await check(
                        client,
                        heroes,
                        "folded \(match) \(needle.debugDescription)",
                        { try .field($0, folding: match, needle) },
                        { $0.map { match.holds(OracleText.foldedBytes($0), wanted) } ?? false }
                    )
                }
            }
        },
        drawn("made-up text is literal among wildcards", requires: [.wildcards]) { client, random in
            let heroes = try await insertHeroes(client, random)
            for needle in needles(in: heroes, random) {
                let text = HostileText.pattern(of: needle, random)
                for ignoresCase in [false, true] {
                    let pattern = TextPattern(.wildcard, text, ignoresCase: ignoresCase)
                    try await check(
                        client,
                        heroes,
                        "like \(text.debugDescription), \(ignoresCase)",
                        { try .field($0, matches: pattern) },
                        {
                            $0.map { OracleText.isLike($0, text, ignoringCase: ignoresCase) }
                                ?? false
                        }
                    )
                }
            }
        },
        drawn(
            "made-up text is sorted, told apart and grouped by its bytes",
            requires: [.aggregates]
        ) {
            client,
            random in
            let heroes = try await insertHeroes(client, random)
            for order in [TextOrder.binary, .caseInsensitive, .natural] {
                let expected = heroes.sorted { left, right in
                    let result = compare(left.name, right.name, order)
                    return result == 0 ? left.id < right.id : result < 0
                }
                let sorted = Hero.all.sorted {
                    switch order {
                    case .binary: $0.name.ascending
                    case .caseInsensitive: $0.name.ascending.caseInsensitive
                    case .natural: $0.name.ascending.natural
                    }
                }
                try expectEqual(
                    try await client.fetch(sorted).map(\.id),
                    expected.map(\.id),
                    "\(order):"
                )
                let middle = expected[expected.count / 2]
                try expectEqual(
                    try await client.fetch(sorted.offset(5).limit(9)).map(\.id),
                    Array(expected[5..<14].map(\.id)),
                    "\(order):"
                )
                try expectEqual(
                    try await client.fetch(sorted.after(middle)).map(\.id),
                    Array(expected[(expected.count / 2 + 1)...].map(\.id)),
                    "\(order) after \(middle.name.debugDescription):"
                )
            }
            let names = heroes.map(\.name).sorted { compare($0, $1, .binary) < 0 }
            try expectSameText(try await client.distinct(\.name, of: Hero.all), names)
            try expectSameText(
                [
                    try await client.min(\.name, of: Hero.all) ?? "nil",
                    try await client.max(\.name, of: Hero.all) ?? "nil",
                ],
                [names[0], names[names.count - 1]]
            )
            let groups = try await client.fetch(Hero.all.grouped(by: \.name).select(.count))
            try expectSameText(groups.map(\.key), names)
            try expect(groups.allSatisfy { $0.values == 1 }, "a group has two texts")
        },
        drawn("made-up text is a key and nothing but itself") { client, random in
            let codes = HostileText.texts(40, upTo: 400, random)
            try await client.insert(codes.map { TextKeyed($0, $0) })
            let sorted = codes.sorted { compare($0, $1, .binary) < 0 }
            try expectSameText(try await client.findAll(TextKeyed.self).map(\.code), sorted)
            for code in codes {
                try expectSameText(
                    [try await client.find(TextKeyed.self, key: code)?.note ?? "nil"],
                    [code]
                )
                try await expectError(.duplicateKey) { try await client.insert(TextKeyed(code)) }
                let other = HostileText.texts(1, upTo: 400, random)[0]
                let isThere = codes.contains { bytes($0) == bytes(other) }
                try expectEqual(
                    try await client.find(TextKeyed.self, key: other) != nil,
                    isThere,
                    "\(other.debugDescription):"
                )
            }
            let some = Array(codes[..<20])
            try expectSameText(
                try await client.find(TextKeyed.self, keys: some).map(\.code),
                some
            )
            try expectEqual(try await client.delete(TextKeyed.self, keys: some), 20)
            try expectSameText(
                try await client.findAll(TextKeyed.self).map(\.code),
                sorted.filter { code in !some.contains { bytes($0) == bytes(code) } }
            )
        },
        drawn(
            "made-up text comes back from lists, and is an element of them",
            requires: [.listElements]
        ) {
            client,
            random in
            let texts = HostileText.texts(40, random)
            var value = EveryType(1)
            value.tags = texts
            try await client.insert([value, EveryType(2)])
            try expectSameText(try await client.find(EveryType.self, key: 1)?.tags ?? [], texts)
            for text in texts + HostileText.texts(20, random) {
                let isThere = texts.contains { bytes($0) == bytes(text) }
                let found = try await client.fetch(EveryType.where { $0.tags.contains(text) })
                try expectEqual(found.map(\.id), isThere ? [1] : [], "\(text.debugDescription):")
            }
        },
        drawn("made-up text with NUL is refused in every place") { client, random in
            try await client.insert([Hero(1), Hero(2)])
            try await client.insert(TextKeyed("a"))
            for _ in 0..<10 {
                let bad = HostileText.textWithNUL(random)
                let calls: [@Sendable () async throws -> Void] = [
                    { try await client.insert(Hero(3, bad)) },
                    { try await client.insert([Hero(3), Hero(4, bio: bad)]) },
                    { try await client.upsert([Hero(1, "new"), Hero(2, bad)]) },
                    { try await client.update(Hero(1, bad)) },
                    { try await client.update(Hero.self, key: 1) { $0.set(\.name, to: bad) } },
                    { try await client.update(Hero.all) { $0.set(\.bio, to: bad) } },
                    { _ = try await client.fetch(Hero.where { $0.bio.hasSuffix(bad) }) },
                    { _ = try await client.count(Hero.where { $0.name.equalsIgnoringCase(bad) }) },
                    { _ = try await client.fetch(Hero.where { $0.bio.isIn([bad, nil]) }) },
                    { try await client.delete(Hero.where { $0.name != bad }) },
                    { _ = try await client.find(TextKeyed.self, keys: ["a", bad]) },
                    { try await client.delete(TextKeyed.self, keys: ["a", bad]) },
                    { try await client.delete(TextKeyed.self, key: bad) },
                    {
                        try await client.update(TextKeyed.self, key: bad) { $0.set(\.note, to: "") }
                    },
                ]
                for call in calls { try await expectError(.invalidValue, call) }
            }
            try expectSame(try await client.findAll(Hero.self), [Hero(1), Hero(2)])
            try expectEqual(try await client.count(TextKeyed.all), 1)
        },
    ]

    private static let comparisons: [Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    private typealias Find = @Sendable (OracleText.Bytes, OracleText.Bytes) -> Bool
    private static let searches: [(TextPattern.Kind, Find)] = [
        (.prefix, { $0.starts(with: $1) }),
        (.suffix, { $0.suffix($1.count).elementsEqual($1) }),
        (.contains, { OracleText.contains($0, $1) }),
    ]

    /// Returns a case that runs once for each seed, each time on what the time before has left.
    private static func drawn(
        _ name: String,
        requires requirements: Set<Capability> = [],
        _ run: @escaping @Sendable (any DBClient, RandomSource) async throws -> Void
    ) -> ConformanceCase {
        promise(.hostileText, name, requires: requirements) { client in
            for seed in HostileText.seeds {
                do {
                    for type in [Hero.self, TextKeyed.self, EveryType.self] as [any Stored.Type] {
                        try await deleteAll(type, client)
                    }
                    try await run(client, RandomSource(seed: seed))
                } catch {
                    throw ConformanceFailure("DBCLIENT_SEED=\(seed): \(error)")
                }
            }
        }
    }

    private static func deleteAll<Model: Stored>(
        _ model: Model.Type,
        _ client: any DBClient
    ) async throws {
        try await client.deleteAll(model)
    }

    /// Inserts heroes with texts in a field with an index and in one without, some of which are absent.
    private static func insertHeroes(
        _ client: any DBClient,
        _ random: RandomSource
    ) async throws -> [Hero] {
        let names = HostileText.texts(40, random)
        let heroes = names.enumerated().map { id, name in
            Hero(id, name, bio: id % 8 == 7 ? nil : HostileText.text(random))
        }
        try await client.insert(heroes)
        return heroes
    }

    private static func needles(in heroes: [Hero], _ random: RandomSource) -> [String] {
        (0..<14).map { _ in
            HostileText.needle(in: heroes.map(\.name) + heroes.compactMap(\.bio), random)
        }
    }

    /// Checks which heroes a condition on either field finds.
    private static func check(
        _ client: any DBClient,
        _ heroes: [Hero],
        _ name: String,
        _ condition: (String) throws -> Condition<Hero>,
        _ isExpected: (String?) -> Bool
    ) async throws {
        let fields: [(String, (Hero) -> String?)] = [("name", { $0.name }), ("bio", { $0.bio })]
        for (field, text) in fields {
            let found = try await client.fetch(Hero.all.filter(try condition(field))).map(\.id)
            let expected = heroes.filter { isExpected(text($0)) }.map(\.id)
            try expectEqual(found, expected, "\(field) \(name):")
        }
    }

    private static func bytes(_ text: String) -> OracleText.Bytes { Array(text.utf8) }

    private static func compare(_ left: String, _ right: String, _ order: TextOrder) -> Int {
        switch order {
        case .natural:
            bytes(left).withUnsafeBytes { left in
                bytes(right).withUnsafeBytes { order.compare(left, $0) }
            }
        default:
            OracleText.order(
                OracleText.bytes(left, ignoringCase: order == .caseInsensitive),
                OracleText.bytes(right, ignoringCase: order == .caseInsensitive)
            )
        }
    }
}
