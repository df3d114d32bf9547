/// What is searched for: words, phrases and their combinations, as a person types them.
///
/// ```swift
/// let query = SearchQuery(searchField.text, asYouType: true)
/// let notes = try await client.fetch(Note.matching(query))
/// ```
///
/// | written | finds values that have |
/// |---|---|
/// | `iron man` | both words, anywhere |
/// | `"iron man"` | the words one after another, in one field |
/// | `ir*` | a word that begins so |
/// | `-iron`, `NOT iron` | not the word |
/// | `iron OR man`, `iron \| man` | either; `AND`, which may be left out, binds more tightly |
/// | `(iron OR steel) man` | one of two words, and another |
/// | `"man iron"~3` | the words in any order, with at most three others among them |
/// | `title:iron` | the word in one field, by its stored name |
///
/// Case, accents and the width of letters do not count; see ``TextFolding``. What is written without a space and is several
/// words, such as `e-mail`, is a phrase. Signs without a word are passed over, as are parentheses, operators and quotes
/// that have no partner: no text is an error, unless it is asked for with ``init(strict:asYouType:)``. A name of a field
/// that a model does not search is a word like any other.
///
/// A query without words finds nothing; one that only excludes words finds the values without them.
public struct SearchQuery: Hashable, Sendable {
    /// The greatest number of words of a query.
    ///
    /// What is beyond it is passed over, or refused where errors are asked for.
    public static let maximumWords = 256

    /// How many other words the words of `"…"~n` may have among them at most.
    static let maximumDistance = 10_000

    let tree: SearchTree
    let terms: [SearchQueryTerm]
    /// Whether fields that are not searched are errors.
    let isStrict: Bool

    /// Creates a query of what a person has typed, which is never an error.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - asYouType: Whether the word that the text ends with is the beginning of one, since it may not be complete. A
    ///     space behind it completes it.
    public init(_ text: String, asYouType: Bool = false) {
        var parser = SearchParser(text, asYouType: asYouType, isStrict: false)
        parser.parse()
        self.init(parser)
    }

    /// Creates a query of a text that must be written without mistakes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - asYouType: Whether the word that the text ends with is the beginning of one.
    /// - Throws: `.invalidRequest` that says what must be, what was found, and at which character, counted from 1: for
    ///   a quote or a parenthesis without a partner, an operator without an operand, a field without a word, a sign
    ///   without a word, and too many words. The call that uses the query throws for a field that is not searched.
    public init(strict text: String, asYouType: Bool = false) throws {
        var parser = SearchParser(text, asYouType: asYouType, isStrict: true)
        parser.parse()
        if let failure = parser.failure { throw failure }
        self.init(parser)
    }

    private init(_ parser: SearchParser) {
        tree = parser.tree
        terms = parser.terms
        isStrict = parser.isStrict
    }

    /// Whether the query has no word, so that it finds nothing.
    public var isEmpty: Bool { terms.isEmpty }
}

extension SearchQuery: ExpressibleByStringLiteral {
    /// Creates a query of a text, which is never an error.
    public init(stringLiteral text: String) { self.init(text) }
}

/// A term of a query, before it is known which fields are searched.
struct SearchQueryTerm: Hashable, Sendable {
    var term: SearchTerm
    /// The name of the field that is looked at; nil for all of them.
    var field: String?
    /// Where the term begins, counted in characters from 1.
    var position: Int
}

extension SearchQuery {
    /// Returns the search of fields with names.
    ///
    /// - Throws: `.invalidRequest` for a field that is not among them, where the query was made to be strict.
    func plan(searching fields: [String], weights: [Double], of entity: String) throws -> SearchPlan
    {
        let terms = try terms.map { term in
            guard let name = term.field else { return term.term }
            var found = term.term
            found.field = fields.firstIndex { $0.utf8.elementsEqual(name.utf8) }
            if found.field != nil { return found }
            guard isStrict else {
                found.words = SearchWords.words(of: name) + found.words
                return found
            }
            throw DBClientError(
                .invalidRequest,
                "A field of a search must be one that is searched; got \(name) at character \(term.position).",
                entity: entity,
                hint: "The fields are \(fields.joined(separator: ", "))."
            )
        }
        return SearchPlan(tree: tree, terms: terms, weights: weights)
    }
}
