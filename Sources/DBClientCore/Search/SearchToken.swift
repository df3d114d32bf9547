/// A part of a query as it is written.
struct SearchToken {
    enum Kind: Equatable {
        case open
        case close
        case and
        case or
        case not
        /// Words, with what stands before and behind them.
        case words(String, isPrefix: Bool, distance: Int?, field: String?)
    }

    var kind: Kind
    /// Where it begins, counted in characters from 1.
    var position: Int
    /// Whether the text ends with it, so that a word may not be complete.
    var isAtEnd = false
}

/// Takes the text of a query apart.
struct SearchLexer {
    private let text: [Character]
    private var position = 0
    /// What is wrong with the text and where, of which the first is told.
    private(set) var mistake: (message: String, position: Int)?

    init(_ text: String) { self.text = Array(text) }

    /// Returns the next part; nil at the end.
    mutating func next() -> SearchToken? {
        while let character = current, character.isWhitespace { position += 1 }
        guard let character = current else { return nil }
        let start = position
        switch character {
        case "(": return take(.open)
        case ")": return take(.close)
        case "|": return take(.or)
        case "&": return take(.and)
        case "-" where !isSpace(after: position): return take(.not)
        default: break
        }
        if Self.isQuote(character) { return quoted(field: nil, from: start) }
        return bare(from: start)
    }

    private var current: Character? { position < text.count ? text[position] : nil }

    private func isSpace(after position: Int) -> Bool {
        position + 1 >= text.count || text[position + 1].isWhitespace
    }

    private mutating func take(_ kind: SearchToken.Kind) -> SearchToken {
        position += 1
        return SearchToken(kind: kind, position: position)
    }

    /// Whether a character opens and closes a phrase: plain and typographic quotes, which keyboards write by themselves.
    private static func isQuote(_ character: Character) -> Bool {
        "\"\u{201C}\u{201D}\u{201E}\u{AB}\u{BB}\u{FF02}".contains(character)
    }

    private static func ends(_ character: Character) -> Bool {
        character.isWhitespace || isQuote(character) || "()|&".contains(character)
    }

    private mutating func quoted(field: String?, from start: Int) -> SearchToken {
        position += 1
        let first = position
        while let character = current, !Self.isQuote(character) { position += 1 }
        let words = String(text[first..<position])
        var isAtEnd = false
        if current == nil {
            note("A quote must have another that closes it; found one", start)
            isAtEnd = text.last.map { !$0.isWhitespace } ?? false
        } else {
            position += 1
        }
        var distance: Int?
        if current == "~" {
            let sign = position
            position += 1
            let digits = position
            while let character = current, character.isASCII, character.isNumber { position += 1 }
            if position == digits {
                note("A `~` must be followed by a number of words; found one", sign)
            } else {
                let number = Int(String(text[digits..<position])) ?? SearchQuery.maximumDistance
                distance = min(number, SearchQuery.maximumDistance)
            }
        }
        let isPrefix = takeStar()
        return SearchToken(
            kind: .words(
                words,
                isPrefix: isPrefix,
                distance: distance,
                field: field
            ),
            position: start + 1,
            isAtEnd: isAtEnd
        )
    }

    private mutating func bare(from start: Int) -> SearchToken? {
        while let character = current, !Self.ends(character) { position += 1 }
        var word = text[start..<position]
        var field: String?
        if let colon = word.firstIndex(of: ":"), Self.isName(word[..<colon]) {
            if colon + 1 < word.endIndex {
                field = String(word[..<colon])
                word = word[(colon + 1)...]
            } else if let character = current, Self.isQuote(character) {
                return quoted(field: String(word[..<colon]), from: start)
            } else {
                note("A field must be followed by a word or a phrase; found one", start)
            }
        }
        if field == nil, let kind = Self.operators[String(word)] {
            return SearchToken(kind: kind, position: start + 1)
        }
        let isPrefix = word.last == "*"
        if isPrefix { word.removeLast() }
        return SearchToken(
            kind: .words(
                String(word),
                isPrefix: isPrefix,
                distance: nil,
                field: field
            ),
            position: start + 1,
            isAtEnd: position == text.count
        )
    }

    private static let operators: [String: SearchToken.Kind] = [
        "AND": .and, "OR": .or, "NOT": .not,
    ]

    private mutating func takeStar() -> Bool {
        guard current == "*" else { return false }
        position += 1
        return true
    }

    /// Whether characters may be the name of a field.
    private static func isName(_ name: ArraySlice<Character>) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    }

    private mutating func note(_ message: String, _ start: Int) {
        if mistake == nil { mistake = (message, start + 1) }
    }
}
