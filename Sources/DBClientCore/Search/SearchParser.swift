/// Reads the text of a query: what is wrong with it is noted, and passed over.
struct SearchParser {
    private(set) var tree = SearchTree.any([])
    private(set) var terms: [SearchQueryTerm] = []
    let isStrict: Bool
    private let asYouType: Bool
    private var lexer: SearchLexer
    private var token: SearchToken?
    private var mistake: (message: String, position: Int)?
    private var wordCount = 0
    private var depth = 0

    /// How deep parentheses count; those inside are passed over.
    private static let maximumDepth = 32

    init(_ text: String, asYouType: Bool, isStrict: Bool) {
        lexer = SearchLexer(text)
        self.asYouType = asYouType
        self.isStrict = isStrict
    }

    /// The first mistake as an error.
    var failure: DBClientError? {
        let first = [mistake, lexer.mistake].compactMap { $0 }.min { $0.position < $1.position }
        guard let first else { return nil }
        return DBClientError(
            .invalidRequest,
            "\(first.message) at character \(first.position).",
            hint: "Without `strict:` such signs are passed over."
        )
    }

    /// Reads the whole text; signs that are not understood are passed over, or are the error of a strict query.
    mutating func parse() {
        advance()
        var found = disjunction()
        while let extra = token {
            note("A parenthesis must have another that opens it; found one", extra.position)
            advance()
            guard let more = disjunction() else { continue }
            found = found.map { .all([$0, more]) } ?? more
        }
        if terms.isEmpty { note("A search must have a word; found none", 1) }
        tree = found ?? .any([])
    }

    private mutating func advance() { token = lexer.next() }

    private mutating func disjunction() -> SearchTree? {
        var operands: [SearchTree] = []
        if let first = conjunction() { operands.append(first) }
        while let sign = token, sign.kind == .or {
            if operands.isEmpty {
                note("An operator must have a word before it; found one", sign.position)
            }
            advance()
            if let operand = conjunction() {
                operands.append(operand)
            } else {
                note("An operator must have a word behind it; found one", sign.position)
            }
        }
        return operands.count > 1 ? .any(operands) : operands.first
    }

    private mutating func conjunction() -> SearchTree? {
        var operands: [SearchTree] = []
        while let sign = token, sign.kind != .or, sign.kind != .close {
            if sign.kind == .and {
                if operands.isEmpty {
                    note("An operator must have a word before it; found one", sign.position)
                }
                advance()
                if token == nil || token?.kind == .or || token?.kind == .close
                    || token?.kind == .and
                {
                    note("An operator must have a word behind it; found one", sign.position)
                }
                continue
            }
            if let operand = negation() { operands.append(operand) }
        }
        return operands.count > 1 ? .all(operands) : operands.first
    }

    private mutating func negation() -> SearchTree? {
        var isNegated = false
        while let sign = token, sign.kind == .not {
            isNegated.toggle()
            advance()
            switch token?.kind {
            case .open, .words, .not: break
            default:
                note("An operator must have a word behind it; found one", sign.position)
                return nil
            }
        }
        return isNegated ? primary().map { .not($0) } : primary()
    }

    private mutating func primary() -> SearchTree? {
        guard let found = token else { return nil }
        advance()
        switch found.kind {
        case .open:
            if depth == Self.maximumDepth {
                note(
                    "Parentheses must be at most \(Self.maximumDepth) deep; found more",
                    found.position
                )
                return nil
            }
            depth += 1
            let inner = disjunction()
            depth -= 1
            if token?.kind == .close {
                advance()
            } else {
                note("A parenthesis must have another that closes it; found one", found.position)
            }
            if inner == nil {
                note("Parentheses must have a word inside; found none", found.position)
            }
            return inner
        case .words: return term(found)
        default: return nil
        }
    }

    private mutating func term(_ token: SearchToken) -> SearchTree? {
        guard case .words(let text, var isPrefix, let distance, let field) = token.kind
        else { return nil }
        let words = SearchWords.words(of: text)
        if words.isEmpty {
            note("A search must be made of words; found a sign", token.position)
            return nil
        }
        wordCount += words.count
        if wordCount > SearchQuery.maximumWords {
            note(
                "A search must have at most \(SearchQuery.maximumWords) words; found more",
                token.position
            )
            return nil
        }
        if asYouType, token.isAtEnd { isPrefix = true }
        let order = distance.map { SearchTerm.Order.near($0) } ?? .phrase
        terms.append(
            SearchQueryTerm(
                term: SearchTerm(words, isPrefix: isPrefix, order: order),
                field: field,
                position: token.position
            )
        )
        return .term(terms.count - 1)
    }

    private mutating func note(_ message: String, _ position: Int) {
        if mistake == nil || position < (mistake?.position ?? 0) { mistake = (message, position) }
    }
}
