import DBClientCore
import Foundation

/// Searching in text: always literal, by bytes, with A to Z folded on demand and nothing else.
enum TextConditionCases {
    static let all: [ConformanceCase] = [
        searching(
            "prefix, suffix and contained text",
            ["iron", "Iron man", "tin iron", "ir", "", "IRON"],
            [
                ({ $0.name.hasPrefix("iron") }, [1]), ({ $0.name.hasPrefix("Iron") }, [2]),
                ({ $0.name.hasSuffix("iron") }, [1, 3]), ({ $0.name.contains("iron") }, [1, 3]),
                ({ $0.name.contains("ron m") }, [2]), ({ $0.name.hasPrefix("iron man!") }, []),
                ({ !$0.name.contains("iron") }, [2, 4, 5, 6]),
            ]
        ),
        searching(
            "the empty text is in every text",
            ["", "a", "é"],
            [
                ({ $0.name.hasPrefix("") }, [1, 2, 3]), ({ $0.name.hasSuffix("") }, [1, 2, 3]),
                ({ $0.name.contains("") }, [1, 2, 3]),
                ({ $0.name.hasPrefix("", ignoringCase: true) }, [1, 2, 3]),
                ({ $0.name.contains("", ignoringCase: true) }, [1, 2, 3]),
            ]
        ),
        searching(
            "case is ignored on demand, for A to Z alone",
            ["iron", "IRON MAN", "tin Iron", "ÉCLAIR", "éclair", "Éclair", "straße", "STRASSE"],
            [
                ({ $0.name.hasPrefix("iRoN", ignoringCase: true) }, [1, 2]),
                ({ $0.name.hasSuffix("iRoN", ignoringCase: true) }, [1, 3]),
                ({ $0.name.contains("iRoN", ignoringCase: true) }, [1, 2, 3]),
                ({ $0.name.hasPrefix("éCLAIR", ignoringCase: true) }, [5]),
                ({ $0.name.contains("éc", ignoringCase: true) }, [5]),
                ({ $0.name.equalsIgnoringCase("Éclair") }, [4, 6]),
                ({ $0.name.equalsIgnoringCase("irOn") }, [1]),
                ({ $0.name.contains("SS", ignoringCase: true) }, [8]),
            ]
        ),
        searching(
            "characters next to the letters are not folded",
            ["@", "`", "[", "{", "Z", "z", "k", "\u{212A}"],
            [
                ({ $0.name.equalsIgnoringCase("@") }, [1]),
                ({ $0.name.equalsIgnoringCase("[") }, [3]),
                ({ $0.name.equalsIgnoringCase("z") }, [5, 6]),
                ({ $0.name.contains("k", ignoringCase: true) }, [7]),
            ]
        ),
        searching(
            "signs of pattern languages are literal",
            ["100%", "100", "a_b", "axb", "a\\b", "a.b", "[a]"],
            [
                ({ $0.name.contains("%") }, [1]), ({ $0.name.hasSuffix("0%") }, [1]),
                ({ $0.name.contains("_") }, [3]), ({ $0.name.hasPrefix("a_") }, [3]),
                ({ $0.name.contains("\\") }, [5]), ({ $0.name.contains(".") }, [6]),
                ({ $0.name.contains("[a]") }, [7]), ({ $0.name.hasPrefix("%") }, []),
                ({ $0.name.contains("%", ignoringCase: true) }, [1]),
                ({ $0.name.hasPrefix("A_", ignoringCase: true) }, [3]),
            ]
        ),
        searching(
            "text is searched by bytes, not by canonical equivalence",
            ["caf\u{E9}", "cafe\u{301}", "cafe"],
            [
                ({ $0.name.hasSuffix("\u{E9}") }, [1]), ({ $0.name.contains("e\u{301}") }, [2]),
                ({ $0.name.hasPrefix("cafe") }, [2, 3]), ({ $0.name.hasSuffix("\u{301}") }, [2]),
                ({ $0.name.contains("e") }, [2, 3]), ({ $0.name.hasSuffix("e") }, [3]),
            ]
        ),
        searching(
            "a prefix at the end of the range of bytes",
            ["\u{10FFFF}", "\u{10FFFF}a", "\u{10FFFE}", "\u{FFFF}", "z"],
            [
                ({ $0.name.hasPrefix("\u{10FFFF}") }, [1, 2]),
                ({ $0.name.hasPrefix("\u{10FFFF}\u{10FFFF}") }, []),
                ({ $0.name.hasPrefix("\u{FFFF}") }, [4]),
            ]
        ),
        searching(
            "wildcards stand for any text and for any one scalar",
            ["", "a", "ab", "abc", "aXbXc", "é", "🦸", "e\u{301}"],
            [
                ({ $0.name.isLike("*") }, [1, 2, 3, 4, 5, 6, 7, 8]), ({ $0.name.isLike("") }, [1]),
                ({ $0.name.isLike("a*") }, [2, 3, 4, 5]), ({ $0.name.isLike("*c") }, [4, 5]),
                ({ $0.name.isLike("a*b*c") }, [4, 5]), ({ $0.name.isLike("a?b?c") }, [5]),
                ({ $0.name.isLike("?") }, [2, 6, 7]), ({ $0.name.isLike("??") }, [3, 8]),
                ({ $0.name.isLike("**?**") }, [2, 3, 4, 5, 6, 7, 8]),
                ({ $0.name.isLike("?*?") }, [3, 4, 5, 8]),
                ({ !$0.name.isLike("a*") }, [1, 6, 7, 8]),
            ],
            requires: [.wildcards]
        ),
        searching(
            "signs of other pattern languages are literal beside wildcards",
            ["100%", "100x", "a_b", "axb", "a\\b", "[a-c]", "b", "a^b", "{x}"],
            [
                ({ $0.name.isLike("100%") }, [1]), ({ $0.name.isLike("*%") }, [1]),
                ({ $0.name.isLike("a_?") }, [3]), ({ $0.name.isLike("a\\?") }, [5]),
                ({ $0.name.isLike("[a-c]") }, [6]), ({ $0.name.isLike("[*") }, [6]),
                ({ $0.name.isLike("[^a]*") }, []), ({ $0.name.isLike("{*}") }, [9]),
            ],
            requires: [.wildcards]
        ),
        searching(
            "wildcards ignore case on demand, for A to Z alone",
            ["Iron Man", "IRON", "Éa", "éa", "x*y", "x?y"],
            [
                ({ $0.name.isLike("iron*", ignoringCase: true) }, [1, 2]),
                ({ $0.name.isLike("iron*") }, []),
                ({ $0.name.isLike("é?", ignoringCase: true) }, [4]),
                ({ $0.name.isLike("X?Y", ignoringCase: true) }, [5, 6]),
            ],
            requires: [.wildcards]
        ),
        promise(.textConditions, "nil matches no text, and its negation is true") { client in
            try await client.insert([Hero(1), Hero(2, bio: ""), Hero(3, bio: "Abc")])
            let conditions: [(FetchRequest<Hero>, [Int])] = [
                (Hero.where { $0.bio.hasPrefix("") }, [2, 3]),
                (Hero.where { $0.bio.contains("b") }, [3]),
                (Hero.where { !$0.bio.contains("b") }, [1, 2]),
                (Hero.where { !$0.bio.hasSuffix("") }, [1]),
                (Hero.where { $0.bio.contains("a", ignoringCase: true) }, [3]),
                (Hero.where { !$0.bio.contains("a", ignoringCase: true) }, [1, 2]),
                (Hero.where { $0.bio.equalsIgnoringCase("aBC") }, [3]),
                (Hero.where { !$0.bio.equalsIgnoringCase("aBC") }, [1, 2]),
            ]
            for (position, (request, expected)) in conditions.enumerated() {
                let found = try await client.fetch(request).map(\.id)
                try expectEqual(found, expected, "condition \(position):")
            }
        },
        promise(.textConditions, "nil matches no wildcards", requires: [.wildcards]) { client in
            try await client.insert([Hero(1), Hero(2, bio: ""), Hero(3, bio: "a")])
            try expectEqual(
                try await client.fetch(Hero.where { $0.bio.isLike("*") }).map(\.id),
                [2, 3]
            )
            try expectEqual(
                try await client.fetch(Hero.where { !$0.bio.isLike("a") }).map(\.id),
                [1, 2]
            )
        },
        promise(.textConditions, "a search in a megabyte of text") { client in
            let long = String(repeating: "ab", count: 500_000)
            try await client.insert([Hero(1, bio: long + "X" + long), Hero(2, bio: long)])
            try expectEqual(
                try await client.fetch(Hero.where { $0.bio.contains("abXab") }).map(\.id),
                [1]
            )
            let folded = Hero.where { $0.bio.contains("BxA", ignoringCase: true) }
            try expectEqual(try await client.fetch(folded).map(\.id), [1])
            try expectEqual(try await client.fetch(Hero.where { $0.bio.hasPrefix(long) }).count, 2)
        },
    ]

    private typealias Search = @Sendable (Fields<Hero>) -> Condition<Hero>

    /// Checks which of some names, numbered from 1, each search finds.
    private static func searching(
        _ name: String,
        _ names: [String],
        _ searches: [(Search, [Int])],
        requires requirements: Set<Capability> = []
    ) -> ConformanceCase {
        promise(.textConditions, name, requires: requirements) { client in
            try await client.insert(names.enumerated().map { Hero($0 + 1, $1) })
            for (position, (search, expected)) in searches.enumerated() {
                let found = try await client.fetch(Hero.where(search)).map(\.id)
                try expectEqual(found, expected, "search \(position):")
            }
        }
    }
}
