import DBClientCore
import Foundation

/// Searching in text whose case, accents and width do not count.
enum FoldingCases {
    static let all: [ConformanceCase] = [
        folding(
            "case, accents and width do not count",
            [
                "Café", "CAFE\u{301}", "cafe", "Le café noir", "Ｃａｆｅ", "caff", "",
                "c\u{327}afe\u{301}\u{323}",
            ],
            [
                ({ $0.name.containsFolding("cafe") }, [1, 2, 3, 4, 5, 8]),
                ({ $0.name.containsFolding("CAFE\u{301}") }, [1, 2, 3, 4, 5, 8]),
                ({ $0.name.equalsFolding("çAFÉ") }, [1, 2, 3, 5, 8]),
                ({ $0.name.hasPrefixFolding("CÁF") }, [1, 2, 3, 5, 6, 8]),
                ({ $0.name.hasSuffixFolding("E NOIR") }, [4]),
                ({ !$0.name.containsFolding("cafe") }, [6, 7]),
                ({ $0.name.folded() > "cafe" }, [4, 6]),
                ({ ("x" + $0.name).hasPrefixFolding("XÇ") }, [1, 2, 3, 5, 6, 8]),
            ]
        ),
        folding(
            "letters that no mark makes stay, and ligatures are their letters",
            [
                "straße", "STRASSE", "GRO\u{1E9E}", "ﬁn", "FIN", "smørrebrød", "smorrebrod",
                "Æsir", "Œuvre",
            ],
            [
                ({ $0.name.equalsFolding("strasse") }, [1, 2]),
                ({ $0.name.containsFolding("ß") }, [1, 2, 3]),
                ({ $0.name.containsFolding("fi") }, [4, 5]),
                ({ $0.name.hasPrefixFolding("ﬁ") }, [4, 5]),
                ({ $0.name.containsFolding("Ø") }, [6]),
                ({ $0.name.containsFolding("sm") }, [6, 7]),
                ({ $0.name.hasPrefixFolding("ae") }, []), ({ $0.name.hasPrefixFolding("æ") }, [8]),
                ({ $0.name.hasPrefixFolding("œ") }, [9]),
            ]
        ),
        folding(
            "no habit of one language counts",
            ["İstanbul", "ISTANBUL", "istanbul", "ıstanbul", "ΣΊΣΥΦΟΣ", "σισυφος", "Ёлка", "елка"],
            [
                ({ $0.name.equalsFolding("istanbul") }, [1, 2, 3]),
                ({ $0.name.equalsFolding("ISTANBUL") }, [1, 2, 3]),
                ({ $0.name.hasPrefixFolding("ı") }, [4]),
                ({ $0.name.equalsFolding("Σίσυφος") }, [5, 6]),
                ({ $0.name.equalsFolding("ёлка") }, [7, 8]),
            ]
        ),
        folding(
            "the empty text is in every text, and a mark alone stays itself",
            ["", "e", "e\u{301}", "\u{301}e", "%", "_", "100%", "1", "01"],
            [
                ({ $0.name.containsFolding("") }, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
                ({ $0.name.hasPrefixFolding("") }, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
                ({ $0.name.hasSuffixFolding("") }, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
                ({ $0.name.equalsFolding("") }, [1]), ({ $0.name.containsFolding("\u{301}") }, [4]),
                ({ $0.name.equalsFolding("e") }, [2, 3]), ({ $0.name.hasPrefixFolding("%") }, [5]),
                ({ $0.name.containsFolding("_") }, [6]), ({ $0.name.hasSuffixFolding("0%") }, [7]),
                // A number is the text of its digits here.
                ({ $0.name.equalsFolding("1") }, [8]),
            ]
        ),
        promise(.textConditions, "nil matches no folded text, and its negation is true") {
            client in
            try await client.insert([Hero(1), Hero(2, bio: ""), Hero(3, bio: "Ábc")])
            let conditions: [(FetchRequest<Hero>, [Int])] = [
                (Hero.where { $0.bio.containsFolding("") }, [2, 3]),
                (Hero.where { $0.bio.containsFolding("AB") }, [3]),
                (Hero.where { !$0.bio.containsFolding("AB") }, [1, 2]),
                (Hero.where { $0.bio.equalsFolding("abc") }, [3]),
                (Hero.where { !$0.bio.equalsFolding("") }, [1, 3]),
                (Hero.where { ($0.bio ?? "ABÇ").fieldExpression.hasPrefixFolding("abc") }, [1, 3]),
                (Hero.where { $0.bio.folded() == nil }, [1]),
            ]
            for (position, (request, expected)) in conditions.enumerated() {
                try expectEqual(
                    try await client.fetch(request).map(\.id),
                    expected,
                    "condition \(position):"
                )
            }
        },
        promise(.textConditions, "folded text with other conditions, sorts, pages and writes") {
            client in
            let names = ["Zoë", "zoe", "Ana", "ZOÉ", "Éva", "zo"]
            try await client.insert(
                names.enumerated().map { Hero($0 + 1, $1, power: Double(6 - $0)) }
            )
            let zoes = Hero.where { $0.name.hasPrefixFolding("zoe") }
            let byPower = zoes.sorted { $0.power }
            try expectEqual(try await client.fetch(byPower).map(\.id), [4, 2, 1])
            try expectEqual(try await client.fetch(byPower.offset(1).limit(1)).map(\.id), [2])
            try expectEqual(try await client.fetch(byPower.limit(0)).map(\.id), [])
            try expectEqual(try await client.count(zoes), 3)
            try expectEqual(try await client.count(zoes.limit(2)), 2)
            try expectEqual(try await client.fetch(byPower.select(\.id)), [4, 2, 1])
            try expectEqual(try await client.sum(\.power, of: zoes), 14)
            let either = Hero.where {
                $0.name.equalsFolding("eva") || $0.power == 4 || !$0.name.containsFolding("o")
            }
            try expectEqual(try await client.fetch(either).map(\.id), [3, 5])
            let sorted = Hero.all.sorted { [$0.name.folded(), $0.id.descending] }
            try expectEqual(try await client.fetch(sorted).map(\.id), [3, 5, 6, 4, 2, 1])
            try expectEqual(
                try await client.fetch(sorted.offset(2).limit(2)).map(\.id),
                [6, 4]
            )
            let groups = try await client.fetch(
                Hero.all.grouped { $0.name.folded() }.select(.count)
            )
            try expectEqual(groups.map(\.key), ["ana", "eva", "zo", "zoe"])
            try expectEqual(groups.map(\.values), [1, 1, 1, 3])
            let chosen = Hero.all.sorted {
                [$0.name.containsFolding("É").then(0, else: 1), $0.id]
            }
            try expectEqual(try await client.fetch(chosen).map(\.id), [1, 2, 4, 5, 3, 6])
            let count = try await client.update(zoes) { $0.set(\.bio) { $0.name.folded() } }
            try expectEqual(count, 3)
            let bios = try await client.fetch(Hero.all.select(\.bio))
            try expectEqual(bios, ["zoe", "zoe", nil, "zoe", nil, nil])
            try expectEqual(
                try await client.delete(Hero.where { $0.name.equalsFolding("ÉVA") }),
                1
            )
            try expectEqual(try await client.count(Hero.all), 5)
        },
        promise(.textConditions, "folded text through relationships and in joins") { client in
            try await client.insert([
                Studio(1, "Éclair"), Studio(2, "eclipse"), Studio(3, "Marvel"),
            ])
            let studios = try await client.findAll(Studio.self)
            try await client.insert([
                Artist(1, "José", studio: studios[0]), Artist(2, "ana", studio: studios[1]),
                Artist(3, "Ana", studio: nil), Artist(4, "jose", studio: studios[2]),
            ])
            let found = Artist.where { $0.studio.name.hasPrefixFolding("ECL") }
            try expectEqual(try await client.fetch(found).map(\.id), [1, 2])
            let others = Artist.where { !$0.studio.name.hasPrefixFolding("ECL") }
            try expectEqual(try await client.fetch(others).map(\.id), [3, 4])
            try expectEqual(try await client.count(found), 2)
            let pairs = Artist.join(Artist.self) { $0.id < $1.id }
                .filter { $0.name.containsFolding("é") && $1.name.equalsFolding("JOSÉ") }
            let ids = try await client.fetch(pairs.select { ($0.id, $1.id) })
            try expectEqual(ids.map { [$0, $1] }, [[1, 4]])
        },
        promise(.textConditions, "folded text by name") { client in
            try await client.insert([Hero(1, "Café"), Hero(2, "decaf"), Hero(3, "CAFÉS")])
            let entity = try EntityCatalog([Hero.self]).entity(named: "Hero")
            let expected: [(TextFolding.Match, [Int])] = [
                (.equals, [1]), (.hasPrefix, [1, 3]), (.hasSuffix, [1]), (.contains, [1, 3]),
            ]
            for (match, ids) in expected {
                let request = Hero.all.filter(try .field("name", folding: match, "CAFE"))
                try expectEqual(try await client.fetch(request).map(\.id), ids, "\(match):")
                let dynamic = DynamicRequest(entity).filter(
                    .field("name", folding: match, "cafe\u{301}")
                )
                try expectEqual(
                    try await client.fetch(dynamic).map { $0["id"] },
                    ids.map { .integer(Int64($0)) },
                    "\(match):"
                )
            }
            for name in ["power", "nothing"] {
                try await expectError(.invalidRequest) {
                    let request = DynamicRequest(entity)
                    _ = try await client.fetch(
                        request.filter(.field(name, folding: .contains, "a"))
                    )
                }
            }
        },
        promise(.textConditions, "a NUL is looked for in no folded text") { client in
            try await expectError(.invalidValue) {
                _ = try await client.fetch(Hero.where { $0.name.containsFolding("a\0") })
            }
        },
    ]

    private typealias Search = @Sendable (Fields<Hero>) -> Condition<Hero>

    /// Checks which of some names, numbered from 1, each search finds.
    private static func folding(
        _ name: String,
        _ names: [String],
        _ searches: [(Search, [Int])]
    ) -> ConformanceCase {
        promise(.textConditions, "folded text: \(name)") { client in
            try await client.insert(names.enumerated().map { Hero($0 + 1, $1) })
            for (position, (search, expected)) in searches.enumerated() {
                let found = try await client.fetch(Hero.where(search)).map(\.id)
                try expectEqual(found, expected, "search \(position):")
            }
        }
    }
}
