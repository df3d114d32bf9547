import DBClientCore

/// Text that a careless engine takes for something else, in every place that text can be.
enum HostileTextCases {
    static let all: [ConformanceCase] = [
        promise(.hostileText, "comes back byte for byte") { client in
            try await client.insert(texts.enumerated().map { Hero($0, $1, bio: $1) })
            let found = try await client.findAll(Hero.self)
            try expectSameText(found.map(\.name), texts)
            try expectSameText(found.compactMap(\.bio), texts)
        },
        promise(.hostileText, "is a key") { client in
            try await client.insert(texts.map { TextKeyed($0, $0) })
            for text in texts {
                let found = try await client.find(TextKeyed.self, key: text)
                try expectSameText([found?.note ?? "missing"], [text])
                try await client.update(TextKeyed.self, key: text) { $0.set(\.note, to: "new") }
                try expectEqual(try await client.delete(TextKeyed.self, key: text), true)
            }
            try expectEqual(try await client.count(TextKeyed.all), 0)
        },
        searching("is equal to itself alone", { text in { $0.name == text } }, { $0 == $1 }),
        searching("is one of a list", { text in { $0.name.isIn([text, text]) } }, { $0 == $1 }),
        searching(
            "is a prefix, literally",
            { text in { $0.name.hasPrefix(text) } },
            { $0.starts(with: $1) }
        ),
        searching(
            "is a suffix, literally",
            { text in { $0.name.hasSuffix(text) } },
            { $0.reversed().starts(with: $1.reversed()) }
        ),
        searching("is contained, literally", { text in { $0.name.contains(text) } }, contains),
        searching(
            "is contained ignoring case, literally",
            { text in { $0.name.contains(text, ignoringCase: true) } },
            { contains($0.map(lowered), $1.map(lowered)) }
        ),
        searching(
            "is less than what sorts after it",
            { text in { $0.name < text } },
            { $0.lexicographicallyPrecedes($1) }
        ),
        promise(.hostileText, "is literal beside wildcards", requires: [.wildcards]) { client in
            let plain = texts.filter { !$0.utf8.contains(0x2A) && !$0.utf8.contains(0x3F) }
            try await client.insert(plain.enumerated().map { Hero($0, "<\($1)>") })
            for (id, text) in plain.enumerated() {
                let found = try await client.fetch(Hero.where { $0.name.isLike("?\(text)>*") })
                try expectEqual(found.map(\.id), [id], "\(text.debugDescription):")
            }
        },
        promise(.hostileText, "is an element of a list", requires: [.listElements]) { client in
            var value = EveryType(1)
            value.tags = texts
            try await client.insert([value, EveryType(2)])
            try expectSameText(try await client.find(EveryType.self, key: 1)?.tags ?? [], texts)
            for text in texts {
                let found = try await client.fetch(EveryType.where { $0.tags.contains(text) })
                try expectEqual(found.map(\.id), [1], "\(text.debugDescription):")
            }
        },
        promise(.hostileText, "sorts by its bytes and is told apart") { client in
            try await client.insert(texts.enumerated().map { Hero($0, $1) })
            let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            try expectSameText(
                try await client.fetch(Hero.all.sorted { $0.name }).map(\.name),
                sorted
            )
            try expectSameText(try await client.distinct(\.name, of: Hero.all), sorted)
            try expectSameText(
                [try await client.max(\.name, of: Hero.all) ?? ""],
                [sorted[sorted.count - 1]]
            )
        },
        promise(.hostileText, "is written by partial updates and upserts") { client in
            try await client.insert(Hero(1))
            for text in texts {
                try await client.update(Hero.where { $0.id == 1 }) { $0.set(\.bio, to: text) }
                try expectSameText([try await client.find(Hero.self, key: 1)?.bio ?? "nil"], [text])
                try await client.upsert(Hero(1, text))
                try expectSameText(
                    [try await client.find(Hero.self, key: 1)?.name ?? "nil"],
                    [text]
                )
            }
        },
    ]

    /// Texts that differ in their bytes.
    static let texts = [
        "'", "\"", "`", "\\", "''", "\"\"", "\\'", "%", "_", "%%", "*", "?", "[", "]", "[a-z]", "^",
        "$",
        "; DROP TABLE \"Hero\"; --", "' OR '1'='1", "\" OR \"\"=\"", "/* */", "--", "#", ":name",
        "$1",
        "?1", "@x", "{}", "[]", "null", "NULL", "true", "0", "-0", "1e999", "NaN", "0x7f", "\n",
        "\r\n",
        "\t", " ", "  ", "\u{1}", "\u{7F}", "\u{80}", "\u{A0}", "\u{AD}", "\u{200B}", "\u{202E}abc",
        "\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "é", "e\u{301}",
        "É", "ß",
        "ss", "İ", "i", "I", "ı", "ﬁ", "Å", "\u{212B}", "A\u{30A}", "한", "\u{1112}\u{1161}\u{11AB}",
        "🦸", "🦸‍♀️",
        "👨‍👩‍👧‍👦", "🇩🇪", "a\u{300}\u{301}\u{302}", "'\u{301}", "\"\u{301}", "[\u{301}", "]\u{301}",
        "%\u{301}", "*\u{301}",
        "?\u{301}", "\\\u{301}", "\r", "\n\u{301}", "\u{301}", "\u{FE0F}", "日本語", "עברית",
        "<script>", "&amp;", "\\u0041", "%00",
        "a", "A", "aa", "ab", "b",
    ]

    private typealias Bytes = [UInt8]

    /// Checks for each text that a condition finds those texts for which a function of bytes is true.
    private static func searching(
        _ name: String,
        _ condition: @escaping @Sendable (String) -> (Fields<Hero>) -> Condition<Hero>,
        _ expected: @escaping @Sendable (Bytes, Bytes) -> Bool
    ) -> ConformanceCase {
        promise(.hostileText, name) { client in
            try await client.insert(texts.enumerated().map { Hero($0, $1) })
            for text in texts {
                let found = try await client.fetch(Hero.where(condition(text))).map(\.id)
                let matching = texts.indices.filter {
                    expected(Array(texts[$0].utf8), Array(text.utf8))
                }
                try expectEqual(found, matching, "\(text.debugDescription):")
            }
        }
    }

    private static func contains(_ text: Bytes, _ needle: Bytes) -> Bool {
        text.count >= needle.count
            && (0...text.count - needle.count).contains {
                text[$0..<$0 + needle.count].elementsEqual(needle)
            }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte + 32 : byte
    }
}
