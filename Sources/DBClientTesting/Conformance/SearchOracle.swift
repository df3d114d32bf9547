import Foundation

/// What searches mean, by plain evaluation over lists of words: it takes no text apart and shares no code with the library.
///
/// Texts are made of pieces whose words are known, so the oracle never looks at a text.
enum SearchOracle {
    /// A piece of a text, and the words that it is.
    struct Piece: Sendable {
        let text: String
        let words: [String]

        init(_ text: String, _ words: [String]? = nil) {
            self.text = text
            self.words = (words ?? [text]).map(SearchOracle.folded)
        }
    }

    /// A query before it is written.
    indirect enum Query: Sendable {
        case words(Piece, field: Int?)
        case prefix(Piece, String, field: Int?)
        case phrase([Piece], field: Int?)
        case near([Piece], Int, field: Int?)
        case not(Query)
        case all([Query])
        case any([Query])
    }

    /// The fields of a value, as lists of words, with their weights.
    struct Value: Sendable {
        let id: Int
        let fields: [[String]]
    }

    static let names = ["title", "body", "origin_place"]
    static let weights = [3, 1, 0.5]

    /// Returns a word as it is compared: without case, accents and width, and with plain apostrophes.
    static func folded(_ word: String) -> String {
        String(decoding: OracleText.foldedBytes(word), as: UTF8.self)
            .replacingOccurrences(of: "\u{2019}", with: "'", options: .literal)
    }

    /// Returns the query as a person writes it.
    static func written(_ query: Query, isInside: Bool = false) -> String {
        func named(_ field: Int?, _ text: String) -> String {
            field.map { "\(names[$0]):\(text)" } ?? text
        }
        switch query {
        case .words(let piece, let field): return named(field, piece.text)
        case .prefix(_, let start, let field): return named(field, start + "*")
        case .phrase(let pieces, let field):
            return named(field, "\"" + pieces.map(\.text).joined(separator: " ") + "\"")
        case .near(let pieces, let others, let field):
            let words = pieces.map(\.text).joined(separator: " ")
            return named(field, "\"\(words)\"~\(others)")
        case .not(let other): return "-" + written(other, isInside: true)
        case .all(let operands):
            let text = operands.map { written($0, isInside: true) }.joined(separator: " ")
            return isInside ? "(\(text))" : text
        case .any(let operands):
            let text = operands.map { written($0, isInside: true) }.joined(separator: " OR ")
            return isInside ? "(\(text))" : text
        }
    }

    static func holds(_ query: Query, _ value: Value) -> Bool {
        switch query {
        case .not(let other): !holds(other, value)
        case .all(let operands): operands.allSatisfy { holds($0, value) }
        case .any(let operands): operands.contains { holds($0, value) }
        default: value.fields.indices.contains { count(query, value, $0) > 0 }
        }
    }

    /// Returns the score of each value that is found.
    static func scores(_ query: Query, _ values: [Value]) -> [Int: Double] {
        let filled = values.filter { $0.fields.contains { !$0.isEmpty } }
        let lengths = filled.map { $0.fields.reduce(0) { $0 + $1.count } }
        let average = Double(lengths.reduce(0, +)) / Double(max(filled.count, 1))
        var terms: [Query] = []
        insertTerms(of: query, into: &terms)
        var scores: [Int: Double] = [:]
        for value in values where holds(query, value) {
            let length = Double(value.fields.reduce(0) { $0 + $1.count })
            var score = 0.0
            for term in terms {
                let having = Double(filled.count { holds(term, $0) })
                let weight = log(1 + (Double(filled.count) - having + 0.5) / (having + 0.5))
                let frequency = value.fields.indices.reduce(0.0) {
                    $0 + weights[$1] * Double(count(term, value, $1))
                }
                if frequency == 0 { continue }
                score +=
                    weight * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / average))
            }
            scores[value.id] = score
        }
        return scores
    }

    /// Adds the terms that are not excluded, each once.
    private static func insertTerms(of query: Query, into terms: inout [Query]) {
        switch query {
        // Two signs in a row are none.
        case .not(.not(let other)): insertTerms(of: other, into: &terms)
        case .not: return
        case .all(let operands), .any(let operands):
            for operand in operands { insertTerms(of: operand, into: &terms) }
        default:
            if !terms.contains(where: { isSame($0, query) }) { terms.append(query) }
        }
    }

    /// Whether two terms ask for the same words in the same way.
    private static func isSame(_ left: Query, _ right: Query) -> Bool {
        switch (left, right) {
        case (.prefix(_, let start, let field), .prefix(_, let other, let otherField)):
            return folded(start) == folded(other) && field == otherField
        case (.near(let pieces, let others, let field), .near(let more, let count, let otherField)):
            return pieces.flatMap(\.words) == more.flatMap(\.words) && others == count
                && field == otherField
        case (.prefix, _), (_, .prefix), (.near, _), (_, .near): return false
        default: return phrase(left) == phrase(right) && field(left) == field(right)
        }
    }

    private static func phrase(_ query: Query) -> [String] {
        switch query {
        case .words(let piece, _): piece.words
        case .phrase(let pieces, _), .near(let pieces, _, _): pieces.flatMap(\.words)
        default: []
        }
    }

    private static func field(_ query: Query) -> Int? {
        switch query {
        case .words(_, let field), .prefix(_, _, let field), .phrase(_, let field),
            .near(_, _, let field):
            field
        default: nil
        }
    }

    /// Returns how often a field has a term.
    private static func count(_ term: Query, _ value: Value, _ field: Int) -> Int {
        if let only = Self.field(term), only != field { return 0 }
        let words = value.fields[field]
        switch term {
        case .prefix(_, let start, _):
            return words.count { $0.utf8.starts(with: folded(start).utf8) }
        case .near(let pieces, let others, _):
            let wanted = pieces.flatMap(\.words)
            if wanted.count == 1 { return words.count { $0 == wanted[0] } }
            return words.indices.count { start in
                guard wanted.contains(words[start]) else { return false }
                let part = words[start..<min(start + wanted.count + others, words.count)]
                return wanted.allSatisfy { word in
                    part.count { $0 == word } >= wanted.count { $0 == word }
                }
            }
        default:
            let wanted = phrase(term)
            guard words.count >= wanted.count else { return 0 }
            return (0...words.count - wanted.count).count {
                Array(words[$0..<$0 + wanted.count]) == wanted
            }
        }
    }
}
