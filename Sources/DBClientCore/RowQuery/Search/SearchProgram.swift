import Synchronization

/// A search made ready to be asked of many rows.
final class SearchProgram: Sendable {
    /// A term by the positions of its words in the vocabulary.
    private struct Term: Sendable {
        let words: [Int]
        let order: SearchTerm.Order
        let field: Int?
    }

    let plan: SearchPlan
    private let vocabulary: SearchVocabulary
    private let terms: [Term]
    /// The terms that a score is the sum of.
    let scoredTerms: [Int]
    private let rank: SearchRank?

    init(_ plan: SearchPlan) {
        var vocabulary = SearchVocabulary()
        terms = plan.terms.map { term in
            let last = term.words.count - 1
            let words = term.words.enumerated().map { index, word in
                vocabulary.insert(word, isPrefix: term.isPrefix && index == last)
            }
            return Term(words: words, order: term.order, field: term.field)
        }
        self.plan = plan
        self.vocabulary = vocabulary
        scoredTerms = plan.scoredTerms
        rank = plan.figures.map { SearchRank($0) }
    }

    /// How many different words it asks for.
    var wordCount: Int { vocabulary.count }

    /// Returns the numbers of the words of a term.
    func words(of term: Int) -> [Int] { terms[term].words }

    /// Returns whether a word, by its number, is the beginning of one.
    func isPrefix(_ word: Int) -> Bool { vocabulary.isPrefix(word) }

    /// Finds the words of the search in the fields of a row; an absent one has none.
    func find(
        in fields: some Collection<Slot>,
        keepingRanges: Bool = false
    ) -> [FoundWords] {
        fields.prefix(plan.weights.count).map { field in
            let text =
                field.kind == .text ? field.bytes : UnsafeRawBufferPointer(start: nil, count: 0)
            return FoundWords(vocabulary, in: text, keepingRanges: keepingRanges)
        }
    }

    /// Returns whether a row is found.
    func holds(_ found: [FoundWords]) -> Bool {
        plan.tree.holds { has($0, in: found) }
    }

    /// Returns whether one of the fields has a term.
    func has(_ term: Int, in found: [FoundWords]) -> Bool {
        found.indices.contains { count(of: term, in: found, field: $0) > 0 }
    }

    /// Returns how often a field has a term.
    private func count(of term: Int, in found: [FoundWords], field: Int) -> Int {
        var count = 0
        visit(term, in: found, field: field) { _ in count += 1 }
        return count
    }

    /// Calls a function with the places of the words of each occurrence of a term in a field.
    func visit(_ term: Int, in found: [FoundWords], field: Int, _ body: ([Int]) -> Void) {
        let term = terms[term]
        if let only = term.field, only != field { return }
        found[field].visit(term.words, term.order, body)
    }

    /// Returns the score of a row; nil where the search has no figures.
    func score(_ found: [FoundWords]) -> Double? {
        guard let rank else { return nil }
        var score = rank.score(length: found.reduce(0) { $0 + $1.count })
        for (index, term) in scoredTerms.enumerated() {
            var frequency = 0.0
            for field in found.indices {
                let count = count(of: term, in: found, field: field)
                frequency += plan.weights[field] * Double(count)
            }
            score.add(index, frequency)
        }
        return score.sum
    }

    /// Adds what a row tells to figures of all rows.
    func add(_ found: [FoundWords], to figures: inout SearchFigures) {
        let words = found.reduce(0) { $0 + $1.count }
        if words == 0 { return }
        figures.values += 1
        figures.words += words
        for (index, term) in scoredTerms.enumerated() where has(term, in: found) {
            figures.valuesWithTerm[index] += 1
        }
    }
}

extension SearchProgram {
    private typealias Known = (constant: [UInt8], program: SearchProgram)

    /// The searches that were asked for last: a database calls the library row by row with the constant alone.
    private static let known = Mutex<[Known]>([])

    /// Returns the search that a constant holds, which is made once for many rows; nil where it holds none.
    static func known(_ constant: UnsafeRawBufferPointer) -> SearchProgram? {
        if let found = known.withLock({ known in
            known.first { constant.elementsEqual($0.constant) }?.program
        }) {
            return found
        }
        guard let plan = SearchPlan(constant) else { return nil }
        let program = SearchProgram(plan)
        known.withLock { known in
            known.insert((Array(constant), program), at: 0)
            if known.count > 8 { known.removeLast() }
        }
        return program
    }
}
