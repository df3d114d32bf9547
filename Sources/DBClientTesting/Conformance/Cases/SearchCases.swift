import DBClientCore
import Foundation

/// Searching for words: which values are found.
enum SearchCases {
    static let all: [ConformanceCase] = [
        finding(
            "words stand anywhere, in any of the searched fields",
            [
                Memo(1, "Iron Man", "A suit of armour"), Memo(2, "Man of iron"),
                Memo(3, "Iron", "the man, the myth"), Memo(4, "Ironman"), Memo(5, "Human iron"),
                Memo(6, "", "iron", origin: MemoOrigin(place: "Isle of Man", page: 1)),
                Memo(7, "Steel", note: "iron man"),
            ],
            [
                ("iron man", [1, 2, 3, 6]), ("iron", [1, 2, 3, 5, 6]), ("IRON", [1, 2, 3, 5, 6]),
                ("iron AND man", [1, 2, 3, 6]), ("iron & man", [1, 2, 3, 6]), ("irons", []),
                ("steel OR ironman", [4, 7]), ("steel | ironman", [4, 7]),
                ("iron -man", [5]), ("iron NOT man", [5]), ("iron -(man OR human)", []),
                ("-iron", [4, 7]), ("--steel", [7]), ("(steel OR iron) man", [1, 2, 3, 6]),
                ("steel OR iron man", [1, 2, 3, 6, 7]), ("iron -suit -isle", [2, 3, 5]),
            ]
        ),
        finding(
            "phrases, prefixes, words that are near and fields",
            [
                Memo(1, "Iron Man", "the man of iron"), Memo(2, "man iron"), Memo(3, "Iron", "Man"),
                Memo(4, "iron and the man"), Memo(5, "Ironclad ships", "irony"),
                Memo(6, "man man iron iron"), Memo(7, "e-mail"), Memo(8, "mail e"),
            ],
            [
                ("\"iron man\"", [1]), ("\u{201C}iron man\u{201D}", [1]), ("\"man iron\"", [2, 6]),
                ("\"iron man", [1]), ("\"iron m\"*", [1]), ("ir*", [1, 2, 3, 4, 5, 6]),
                ("irony*", [5]), ("iron* -iron", [5]), ("\"man iron\"~0", [1, 2, 6]),
                ("\"iron man\"~1", [1, 2, 6]), ("\"iron man\"~2", [1, 2, 4, 6]),
                ("\"man man\"~2", [6]), ("\"man man iron iron\"~0", [6]),
                ("title:iron", [1, 2, 3, 4, 6]),
                ("body:iron", [1]), ("body:\"of iron\"", [1]), ("title:iron body:man", [1, 3]),
                ("-body:man iron", [2, 4, 6]), ("body:ir*", [1, 5]), ("origin_place:iron", []),
                ("e-mail", [7]), ("\"e mail\"", [7]), ("mail e", [7, 8]), ("e-mail mail", [7]),
            ]
        ),
        finding(
            "case, accents, width and the kind of an apostrophe do not count",
            [
                Memo(1, "Café"), Memo(2, "CAFE\u{301}"), Memo(3, "ｃａｆｅ"), Memo(4, "Straße"),
                Memo(5, "don\u{2019}t"), Memo(6, "DON'T"), Memo(7, "dont"), Memo(8, "Ёлка"),
                Memo(9, "ﬁn de siècle"), Memo(10, "\u{1F600}"),
            ],
            [
                ("cafe", [1, 2, 3]), ("CAFÉ", [1, 2, 3]), ("ＣＡＦＥ", [1, 2, 3]), ("caf*", [1, 2, 3]),
                ("strasse", [4]), ("STRASSE", [4]), ("don't", [5, 6]), ("don\u{2019}t", [5, 6]),
                ("елка", [8]), ("fin", [9]), ("siecle", [9]), ("\u{1F600}", [10]),
            ]
        ),
        finding(
            "words of scripts without spaces, numbers and signs",
            [
                Memo(1, "東京都庁"), Memo(2, "京都"), Memo(3, "3.14 1,000"), Memo(4, "foo_bar"),
                Memo(5, "a.b c. d"), Memo(6, "...!?"), Memo(7, ""), Memo(8, "カタカナ"),
            ],
            [
                ("京都", [1, 2]), ("東京", [1]), ("都京", []), ("3.14", [3]), ("3", []), ("1,000", [3]),
                ("foo", []), ("foo_bar", [4]), ("foo*", [4]), ("a.b", [5]), ("c", [5]),
                ("カタカナ", [8]), ("ｶﾀｶﾅ", [8]), ("-a.b -foo_bar", [1, 2, 3, 6, 7, 8]),
            ]
        ),
        finding(
            "no text of a user is an error, and without words it finds nothing",
            [Memo(1, "iron man"), Memo(2, "title steel"), Memo(3, "or and not near")],
            [
                ("", []), ("   ", []), ("!!! ...", []), ("-", []), ("\"", []), ("\"\"", []),
                ("()", []),
                ("((((iron", [1]), ("iron))))", [1]), ("iron OR", [1]), ("OR iron", [1]),
                ("AND AND iron NOT", [1]), ("- iron", [1]), ("*", []), ("iron *", [1]),
                ("iron ***", [1]),
                ("\"iron man\"~", [1]), ("\"iron man\"~99999999999999999999", [1]), ("title:", [2]),
                ("nothing:iron", []), ("title:steel", [2]), (":iron", [1]), ("iron:", [1]),
                ("or", [3]), ("not", [3]), ("iron\0man", [1]), ("'; DROP TABLE \"Memo\"; --", []),
                ("iron % _", [1]), ("iron \\", [1]), ("(iron OR (man", [1]), ("-(", []),
                ("NOT NOT iron", [1]),
                (String(repeating: "(", count: 500) + "iron", [1]),
                (String(repeating: "-", count: 500) + "iron", [1]),
                (String(repeating: "iron ", count: 5000), [1]),
            ]
        ),
        promise(.search, "the last word may be the beginning of one, as it is typed") { client in
            try await client.insert([Memo(1, "iron man"), Memo(2, "iron mask"), Memo(3, "iron")])
            let expected: [(String, [Int])] = [
                ("ir", [1, 2, 3]), ("iron", [1, 2, 3]), ("iron ma", [1, 2]), ("iron man", [1]),
                ("iron ma ", []), ("\"iron ma", [1, 2]), ("\"iron ma\"", []), ("iron (ma", [1, 2]),
                ("iron -ma", [3]), ("title:m", [1, 2]), ("", []),
            ]
            for (text, ids) in expected {
                let request = Memo.where { $0.matches(SearchQuery(text, asYouType: true)) }
                try expectEqual(try await client.fetch(request).map(\.id), ids, "\(text):")
            }
        },
        promise(.search, "a search goes with other conditions, sorts, pages and writes") { client in
            try await client.insert([
                Memo(1, "iron", "a"), Memo(2, "iron", isDone: true), Memo(3, "steel"),
                Memo(4, "x", "iron"), Memo(5, "y", nil), Memo(6, "iron iron"),
            ])
            let open = Memo.where { $0.matches("iron") && !$0.isDone }
            try expectEqual(try await client.fetch(open).map(\.id), [1, 4, 6])
            try expectEqual(try await client.count(open), 3)
            try expectEqual(try await client.exists(open.filter { $0.id > 6 }), false)
            try expectEqual(try await client.fetch(open.offset(1).limit(1)).map(\.id), [4])
            let byTitle = open.sorted { [$0.title.descending, $0.id] }
            try expectEqual(try await client.fetch(byTitle).map(\.id), [4, 6, 1])
            try expectEqual(try await client.fetch(open.after(key: 1)).map(\.id), [4, 6])
            try expectEqual(
                try await client.fetch(open.select(\.title)),
                ["iron", "x", "iron iron"]
            )
            let either = Memo.where { $0.matches("steel") || $0.body == nil && !$0.matches("iron") }
            try expectEqual(try await client.fetch(either).map(\.id), [3, 5])
            let negated = Memo.where { !$0.body.matches("iron") }
            try expectEqual(try await client.fetch(negated).map(\.id), [1, 2, 3, 5, 6])
            let none = Memo.where { $0.body.matches("-iron") }
            try expectEqual(try await client.fetch(none).map(\.id), [1, 2, 3, 5, 6])
            let computed = Memo.where {
                ($0.title + " " + ($0.body ?? "none")).matches("\"steel none\"")
            }
            try expectEqual(try await client.fetch(computed).map(\.id), [3])
            let counts = try await client.fetch(open.grouped(by: \.title).select(.count))
            try expectEqual(counts.map(\.key), ["iron", "iron iron", "x"])
            try expectEqual(try await client.update(open) { $0.set(\.isDone, to: true) }, 3)
            try expectEqual(try await client.fetch(open).count, 0)
            try expectEqual(try await client.delete(Memo.where { $0.matches("iron") }), 4)
            try expectEqual(try await client.findAll(Memo.self).map(\.id), [3, 5])
        },
        promise(.search, "fields of related values are searched, and joined ones") { client in
            try await client.insert([Studio(1, "Marvel Comics"), Studio(2, "Éclair")])
            let studios = try await client.findAll(Studio.self)
            try await client.insert([
                Artist(1, "José", studio: studios[0]), Artist(2, "Ana", studio: studios[1]),
                Artist(3, "Ana Comics", studio: nil),
            ])
            let found = Artist.where { $0.studio.name.matches("eclair OR comics") }
            try expectEqual(try await client.fetch(found).map(\.id), [1, 2])
            let pairs = Artist.join(Artist.self) { $0.id < $1.id }
                .filter { $0.name.matches("ana") && $1.name.matches("ana com*") }
            let ids = try await client.fetch(pairs.select { ($0.id, $1.id) })
            try expectEqual(ids.map { [$0, $1] }, [[2, 3]])
        },
        promise(.search, "fields are searched by their names") { client in
            try await client.insert([
                Memo(1, "iron", "man"), Memo(2, "iron", nil, note: "man"), Memo(3, "man"),
            ])
            let entity = try EntityCatalog([Memo.self]).entity(named: "Memo")
            let expected: [([String], String, [Int])] = [
                (["title", "body"], "iron man", [1]), (["title"], "man", [3]),
                (["note"], "m*", [2]),
                (["title", "note"], "note:man", [2]), (["title"], "-iron", [3]), ([], "iron", []),
            ]
            for (names, text, ids) in expected {
                let request = DynamicRequest(entity).filter(
                    .fields(names, matching: SearchQuery(text))
                )
                try expectEqual(
                    try await client.fetch(request).map { $0["id"] },
                    ids.map { .integer(Int64($0)) },
                    "\(names) \(text):"
                )
            }
            for name in ["isDone", "nothing"] {
                try await expectError(.invalidRequest) {
                    let request = DynamicRequest(entity)
                    _ = try await client.fetch(request.filter(.fields([name], matching: "iron")))
                }
            }
        },
        promise(.search, "what cannot be searched is refused, and a strict query is checked") {
            client in
            try await client.insert(Memo(1, "iron man"))
            let other = try SearchQuery(strict: "body:a")
            let refused: [@Sendable () async throws -> Void] = [
                { _ = try await client.fetch(Hero.matching("iron")) },
                { _ = try await client.fetch(Hero.where { $0.matches("iron") }) },
                { _ = try await client.fetch(Memo.matching("iron", in: \.id)) },
                { _ = try await client.fetch(Memo.matching("iron", in: \.origin)) },
                { _ = try await client.fetch(Memo.matching(SearchQuery(strict: "titel:iron"))) },
                { _ = try await client.fetch(Memo.where { $0.title.matches(other) }) },
                { _ = try await client.hits(Memo.all) },
                { _ = try await client.fetch(Memo.matching("iron").after(Memo(1, "iron man"))) },
                { for try await _ in client.stream(Memo.matching("iron")) {} },
            ]
            for (position, call) in refused.enumerated() {
                do { try await expectError(.invalidRequest, call) } catch {
                    throw ConformanceFailure("call \(position): \(error)")
                }
            }
            let strict = try SearchQuery(strict: "title:iron -body:steel")
            try expectEqual(try await client.fetch(Memo.matching(strict)).map(\.id), [1])
            let named = Hero.matching("iron", in: \.name, \.bio)
            try await client.insert([
                Hero(1, "iron"), Hero(2, bio: "iron"), Hero(3, realName: "iron"),
            ])
            try expectEqual(try await client.fetch(named).map(\.id), [1, 2])
        },
    ]

    /// Checks which of some memos each query finds.
    private static func finding(
        _ name: String,
        _ memos: [Memo],
        _ queries: [(String, [Int])]
    ) -> ConformanceCase {
        promise(.search, "found: \(name)") { client in
            try await client.insert(memos)
            for (text, expected) in queries {
                let query = SearchQuery(text)
                let shown = "\(text.prefix(60)):"
                let request = Memo.where { $0.matches(query) }
                try expectEqual(try await client.fetch(request).map(\.id), expected, shown)
                let ranked = try await client.fetch(Memo.matching(query))
                try expectEqual(ranked.map(\.id).sorted(), expected, "ranked \(shown)")
            }
        }
    }
}
