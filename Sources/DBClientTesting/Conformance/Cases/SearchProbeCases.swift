import DBClientCore
import DBClientTestSupport

/// Random texts in many scripts and random queries, against a plain evaluation, and scores against those in memory.
///
/// A failure names its seed; `DBCLIENT_SEED` runs it again, and `DBCLIENT_HOSTILE_ROUNDS` runs more.
enum SearchProbeCases {
    static let all: [ConformanceCase] = [
        promise(.search, "made-up texts are found by made-up queries, with the same scores") {
            client in
            for seed in HostileText.seeds {
                do {
                    try await client.deleteAll(Memo.self)
                    try await probe(client, RandomSource(seed: seed))
                } catch {
                    throw ConformanceFailure("DBCLIENT_SEED=\(seed): \(error)")
                }
            }
        },
        promise(.search, "a text that is one long word, and one of many words") { client in
            let long = String(repeating: "ä", count: 100_000)
            let many = String(repeating: "iron man ", count: 20_000)
            try await client.insert([
                Memo(1, "x", long), Memo(2, "x", many), Memo(3, "x", long + "b"),
            ])
            func found(_ text: String) async throws -> [Int] {
                try await client.fetch(Memo.matching(SearchQuery(text))).map(\.id).sorted()
            }
            try expectEqual(try await found(String(repeating: "A", count: 100_000)), [1])
            try expectEqual(try await found(String(repeating: "A", count: 100_000) + "*"), [1, 3])
            try expectEqual(try await found("\"man iron man\""), [2])
            try expectEqual(try await found("\"man man man\"~3 -\"man man\""), [2])
        },
    ]

    private typealias Piece = SearchOracle.Piece

    private static let pieces: [Piece] = [
        Piece("iron"), Piece("Iron"), Piece("IRON"), Piece("irons"), Piece("man"), Piece("Mán"),
        Piece("mánge"),
        Piece("Café"), Piece("CAFE\u{301}"), Piece("ｃａｆé"), Piece("don\u{2019}t"), Piece("Don't"),
        Piece("straße"), Piece("STRASSE"), Piece("ﬁn"), Piece("Ёлка"), Piece("елка"),
        Piece("ΣΊΣΥΦΟΣ"),
        Piece("σισυφος"), Piece("שלום"), Piece("עברית"), Piece("العربية"), Piece("हिन्दी"),
        Piece("한국어"),
        Piece("e-mail", ["e", "mail"]), Piece("漢字", ["漢", "字"]), Piece("字"), Piece("カタカナ"),
        Piece("ｶﾀｶﾅ"),
        Piece("\u{1F600}"), Piece("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"),
        Piece("\u{1F1E9}\u{1F1EA}"),
        Piece("3.14"), Piece("1,000"), Piece("foo_bar"), Piece("a.b"), Piece("กข", ["ก", "ข"]),
        Piece("x2"),
        Piece("\u{1D400}\u{1D401}"), Piece("Æsir"), Piece("smørrebrød"),
    ]

    private static let separators = [
        " ", " ", " ", ", ", "\n", " \u{2014} ", "\u{3000}", "... ", "\t", " \u{200F}", "! (", ") ",
        " / ", "\u{2028}",
    ]

    /// Draws a piece, the first ones more often.
    private static func piece(_ random: RandomSource) -> Piece {
        pieces[random.chance(50) ? random.below(12) : random.below(pieces.count)]
    }

    private static func text(_ count: Int, _ random: RandomSource) -> Piece {
        var text = random.chance(20) ? separators[random.below(separators.count)] : ""
        var words: [String] = []
        for _ in 0..<count {
            let piece = piece(random)
            text += piece.text + separators[random.below(separators.count)]
            words += piece.words
        }
        return Piece(text, words)
    }

    private static func query(_ random: RandomSource, depth: Int = 0) -> SearchOracle.Query {
        let field = random.chance(25) ? random.below(3) : nil
        switch random.below(depth < 3 ? 9 : 6) {
        case 0, 1: return .words(piece(random), field: field)
        case 2:
            // A beginning of a piece that is one word, of scalars that fold each by itself.
            let piece = pieces[random.below(7)]
            return .prefix(
                piece,
                String(piece.text.prefix(random.below(piece.text.count) + 1)),
                field: field
            )
        case 3: return .phrase((0..<random.below(2) + 1).map { _ in piece(random) }, field: field)
        case 4:
            return .near(
                (0..<random.below(3) + 1).map { _ in piece(random) },
                random.below(4),
                field: field
            )
        case 5: return .not(query(random, depth: depth + 1))
        case 6: return .any((0..<random.below(3) + 2).map { _ in query(random, depth: depth + 1) })
        default: return .all((0..<random.below(2) + 2).map { _ in query(random, depth: depth + 1) })
        }
    }

    private static func probe(_ client: any DBClient, _ random: RandomSource) async throws {
        var memos: [Memo] = []
        var values: [SearchOracle.Value] = []
        for id in 0..<40 {
            let title = text(random.below(4), random)
            let body = random.chance(80) ? text(random.below(12), random) : nil
            let place = random.chance(50) ? text(random.below(3), random) : nil
            memos.append(
                Memo(
                    id,
                    title.text,
                    body?.text,
                    origin: place.map { MemoOrigin(place: $0.text, page: id) }
                )
            )
            values.append(
                SearchOracle.Value(
                    id: id,
                    fields: [title.words, body?.words ?? [], place?.words ?? []]
                )
            )
        }
        try await client.insert(memos)
        let memory = InMemoryDBClient()
        try await memory.insert(memos)
        for _ in 0..<40 {
            let query = query(random)
            let text = SearchOracle.written(query)
            let request = Memo.matching(try SearchQuery(strict: text))
            let expected = SearchOracle.scores(query, values)
            let plain = try await client.fetch(Memo.where { $0.matches(SearchQuery(text)) })
            try expectEqual(plain.map(\.id), expected.keys.sorted(), "\(text):")
            try expectEqual(try await client.count(request), expected.count, "count of \(text):")
            let hits = try await client.hits(request)
            try expectEqual(
                try await client.fetch(request.limit(7)).map(\.id),
                Array(hits.map(\.value.id).prefix(7)),
                "\(text):"
            )
            for hit in hits {
                let score = expected[hit.value.id] ?? -1
                try expect(abs(hit.score - score) < 1e-9, "\(text): \(hit.score) is not \(score)")
            }
            for (first, second) in zip(hits, hits.dropFirst()) {
                let isInOrder =
                    first.score > second.score
                    || first.score == second.score && first.value.id < second.value.id
                try expect(isInOrder, "\(text): \(first.value.id) stands before \(second.value.id)")
            }
            let others = try await memory.hits(request)
            try expectEqual(hits.map(\.value.id), others.map(\.value.id), "\(text):")
            try expectEqual(
                hits.map(\.score.bitPattern),
                others.map(\.score.bitPattern),
                "\(text):"
            )
            try expectEqual(hits.map(\.texts), others.map(\.texts), "\(text):")
        }
    }
}
