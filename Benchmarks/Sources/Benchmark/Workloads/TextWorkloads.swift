extension Workload {
    /// Searches of texts of twenty words, as many as there are rows.
    static let texts = [
        Workload(
            "search-load",
            "load texts of 20 words with an index of words",
            .rowsPerSecond,
            warmsUp: false,
            contestants: searching
        ) { session, _ in
            let passages = session.passages
            let store = try session.beginTexts()
            let duration = try session.measureWrite { try store.insert(passages) }
            return Sample(duration, .rowsPerSecond, per: passages.count, answer: 0)
        },
        Workload(
            "search-words",
            "search two words, the best 20",
            .milliseconds,
            contestants: searching
        ) { session, _ in
            let store = try session.texts()
            return try measure(session, pairs) { try store.search($0, asYouType: false) }
        },
        Workload(
            "search-typed",
            "search a word and the beginning of one, the best 20",
            .milliseconds,
            contestants: searching
        ) { session, _ in
            let store = try session.texts()
            let typed = pairs.map { String($0.dropLast(3)) }
            return try measure(session, typed) { try store.search($0, asYouType: true) }
        },
        Workload(
            "search-insert",
            "insert a text with an index of words",
            .microseconds,
            contestants: searching
        ) { session, round in
            let store = try session.texts()
            let start = 100_000_000 + round * 1_000
            let passages = (0..<100).map { Passage(start + $0) }
            let duration = try session.measure {
                for passage in passages { try store.insert([passage]) }
            }
            return Sample(duration, .microseconds, per: passages.count, answer: 0)
        },
        Workload(
            "search-insert-plain",
            "insert a text without one",
            .microseconds,
            contestants: searching
        ) { session, round in
            let store = try session.texts()
            let start = 100_000_000 + round * 1_000
            let passages = (0..<100).map { Passage(start + $0) }
            let duration = try session.measure {
                for passage in passages { try store.insertPlain(passage) }
            }
            return Sample(duration, .microseconds, per: passages.count, answer: 0)
        },
        Workload(
            "search-size",
            "size of a store of texts with an index of words",
            .megabytes,
            contestants: searching
        ) { session, _ in
            _ = try session.texts()
            return Sample(try session.sizeOfTexts())
        },
    ]

    private static let searching: Set<ContestantKind> = [.objectStore, .rawSQLite]

    /// Two words each, of which the first is in every eleventh text or in every second, the other one in fewer.
    private static let pairs = [
        (20, 90), (5, 400), (50, 60), (30, 3_000), (9, 12), (100, 101), (200, 7), (40, 44),
    ].map { "\(Passage.word($0)) \(Passage.word($1))" }

    private static func measure(
        _ session: Session,
        _ searches: [String],
        _ search: (String) throws -> Int
    ) throws -> Sample {
        var answer = 0
        let duration = try session.measure { for words in searches { answer += try search(words) } }
        return Sample(duration, .milliseconds, per: searches.count, answer: answer)
    }
}
