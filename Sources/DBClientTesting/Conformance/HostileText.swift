import Foundation

/// Made-up text of which a careless engine takes a part for something else: signs of languages, letters that
/// some rules of Unicode hold to be equal, and marks that cannot be seen.
enum HostileText {
    /// How many rounds of made-up text a case runs, by `DBCLIENT_HOSTILE_ROUNDS`, and the seed of each, counted
    /// up from `DBCLIENT_SEED`.
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["DBCLIENT_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["DBCLIENT_HOSTILE_ROUNDS"].flatMap { UInt64($0) } ?? 1
        return (0..<count).map { first &+ $0 }
    }()

    private static let fragments = [
        // Signs of SQL, of patterns, of placeholders and of formats.
        "'", "''", "\"", "`", "\\", "\\\\", "\\'", "%", "_", "%s", "%n", "%%", "$1", "$$", "$a$",
        ":a",
        "::text", "?", "?1", "@p", "*", "[", "]", "[^a]", "^", "{", "}", "(", ")", ",", ";", "--",
        "/*", "*/", "#", "'\u{301}", "\"\u{301}", "\\\u{301}", "$function$", "||", "E'\\n'",
        "U&'\\0041'", "X'41'", "'; DROP TABLE \"Hero\"; --",
        "' OR ''='",
        // Other values, and text that holds them.
        "NULL", "null", "TRUE", "0", "9", "10", "010", "1e9", "-0", "NaN", "{\"a\":[1,\"b\"]}",
        "[\"\"]", "\\u0000", "\\u0041", "\\x41", "&amp;", "%00", "\u{2400}",
        // White space, and what cannot be seen.
        " ", "  ", "\t", "\n", "\r\n", "\u{B}", "\u{85}", "\u{A0}", "\u{2028}", "\u{2029}",
        "\u{3000}", "\u{AD}", "\u{200B}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{202E}",
        "\u{2066}",
        "\u{FEFF}", "\u{1}", "\u{1A}", "\u{7F}", "\u{80}",
        // The ends of ranges.
        "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}",
        "\u{10000}", "\u{10FFFF}",
        // Forms of one character, and marks without one.
        "é", "e\u{301}", "ö", "o\u{308}", "Å", "\u{212B}", "A\u{30A}", "\u{301}", "\u{345}",
        "\u{FE0F}", "\u{1F3FD}", "한", "\u{1112}\u{1161}\u{11AB}", "ﬁ", "fi", "a\u{323}\u{307}",
        "a\u{307}\u{323}",
        // Cases that come in threes, in pairs of unequal length, or not at all.
        "ß", "ẞ", "ss", "SS", "İ", "I", "i", "ı", "i\u{307}", "Σ", "σ", "ς", "K", "\u{212A}", "k",
        "ſ", "s", "ǆ", "ǅ", "Ǆ", "É",
        // Scripts and signs of several scalars.
        "🦸", "🦸🏽‍♀️", "👨‍👩‍👧‍👦", "🇩🇪", "日本語", "עברית", "العربية", "a", "A", "b", "B", "Z", "z", "ab",
    ]

    /// Draws a text of a few fragments; now and then a long one.
    static func text(_ random: RandomSource) -> String {
        let text = random.list(upTo: 4) { fragments[$0.below(fragments.count)] }.joined()
        guard random.chance(6), !text.isEmpty else { return text }
        // Longer than what an index keeps, and like others in all of that.
        return String(repeating: text, count: 600 / text.utf8.count + 1)
            + fragments[random.below(fragments.count)]
    }

    /// Draws texts of which no two have the same bytes.
    static func texts(_ count: Int, upTo limit: Int = .max, _ random: RandomSource) -> [String] {
        var texts: [String] = []
        var seen = Set<[UInt8]>()
        while texts.count < count {
            let text = text(random)
            if text.utf8.count <= limit, seen.insert(Array(text.utf8)).inserted {
                texts.append(text)
            }
        }
        return texts
    }

    /// Draws what may be looked for in some texts: another text, or a part of one, perhaps in another case.
    static func needle(in texts: [String], _ random: RandomSource) -> String {
        guard random.chance(70), let text = random.pick(from: texts) else {
            return Self.text(random)
        }
        let scalars = Array(text.unicodeScalars)
        let start = random.chance(50) ? 0 : random.below(scalars.count + 1)
        let end =
            random.chance(50) ? scalars.count : start + random.below(scalars.count - start + 1)
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars[start..<end])
        switch random.below(6) {
        case 4: return String(part).lowercased()
        case 5: return String(part).uppercased()
        default: return String(part)
        }
    }

    /// Draws a pattern of what may be looked for, with wildcards in and about it.
    static func pattern(of needle: String, _ random: RandomSource) -> String {
        var pattern = String.UnicodeScalarView()
        for scalar in needle.unicodeScalars {
            pattern.append(random.chance(15) ? random.pick("?", "*") : scalar)
        }
        return random.pick("", "*", "?") + String(pattern) + random.pick("", "*", "?")
    }

    /// Draws a text with a NUL in it.
    static func textWithNUL(_ random: RandomSource) -> String { text(random) + "\0" + text(random) }

    /// Draws a name that differs from those of other numbers in more than case.
    static func name(_ number: Int, _ random: RandomSource) -> String {
        var name = String.UnicodeScalarView()
        for scalar in (text(random) + "\(number)" + text(random)).unicodeScalars {
            let scalars = String(name).utf8.count
            if scalars + String(scalar).utf8.count > 55 { break }
            name.append(scalar)
        }
        return String(name) + " \(number)"
    }
}
