/// What a text must have to be found, as a closed value: words, and how they are combined.
package indirect enum SearchTree: Hashable, Codable, Sendable {
    /// A term, by its position.
    case term(Int)
    /// True when all are; of none, true.
    case all([SearchTree])
    /// True when any is; of none, false.
    case any([SearchTree])
    /// True when the other is not.
    case not(SearchTree)

    /// Returns whether it is true, given which terms are found.
    func holds(_ isFound: (Int) -> Bool) -> Bool {
        switch self {
        case .term(let term): isFound(term)
        case .all(let operands): operands.allSatisfy { $0.holds(isFound) }
        case .any(let operands): operands.contains { $0.holds(isFound) }
        case .not(let operand): !operand.holds(isFound)
        }
    }

    /// Adds the terms that are wanted: those that are in no negation.
    func insertWanted(into terms: inout [Int]) {
        switch self {
        case .term(let term): terms.append(term)
        case .all(let operands), .any(let operands):
            for operand in operands { operand.insertWanted(into: &terms) }
        case .not: break
        }
    }
}

/// One or more words that a text must have in one of its fields.
package struct SearchTerm: Hashable, Codable, Sendable {
    /// How the words stand in the field.
    package enum Order: Hashable, Codable, Sendable {
        /// One directly after the other, in the order of the query.
        case phrase
        /// In any order, with at most so many other words among them.
        case near(Int)
    }

    /// The folded words, in the order of the query.
    package var words: [String]
    /// Whether the last word is the beginning of one.
    package var isPrefix: Bool
    package var order: Order
    /// The place of the one field that is looked at, among those that are searched; nil for all of them.
    package var field: Int?

    package init(
        _ words: [String],
        isPrefix: Bool = false,
        order: Order = .phrase,
        field: Int? = nil
    ) {
        self.words = words
        self.isPrefix = isPrefix
        self.order = order
        self.field = field
    }
}

/// A search of fields of rows, and what a score is computed from, as a constant of an expression.
package struct SearchPlan: Hashable, Codable, Sendable {
    package var tree: SearchTree
    package var terms: [SearchTerm]
    /// How much a word of each field counts in a score.
    package var weights: [Double]
    /// The figures of what is searched; nil until a score is asked for.
    package var figures: SearchFigures?

    package init(tree: SearchTree, terms: [SearchTerm], weights: [Double]) {
        self.tree = tree
        self.terms = terms
        self.weights = weights
    }

    /// The terms that a score is the sum of: those that are wanted, each once, in the order in which they are written.
    var scoredTerms: [Int] {
        var wanted: [Int] = []
        tree.insertWanted(into: &wanted)
        var seen = Set<SearchTerm>()
        return wanted.filter { seen.insert(terms[$0]).inserted }
    }
}

/// What is known of all values of a model, for the scores of some.
package struct SearchFigures: Hashable, Codable, Sendable {
    /// How many values have a word in the fields that are searched.
    package var values = 0
    /// How many words these have there.
    package var words = 0
    /// How many values have each of the terms that a score is the sum of.
    package var valuesWithTerm: [Int]

    package init(terms: Int) { valuesWithTerm = [Int](repeating: 0, count: terms) }
}
