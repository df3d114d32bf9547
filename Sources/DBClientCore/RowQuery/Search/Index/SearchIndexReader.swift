/// What an index tells of one search: the values that are found, the figures of all, and scores.
///
/// How often a value has a term, and whether it is found, is decided by ``SearchProgram`` from the places that the index has
/// of its words, as it is from its text.
package final class SearchIndexReader {
    let program: SearchProgram
    private let fieldCount: Int
    private let makeCursor: () throws -> any SearchCursor
    /// What was found for a term that is no word alone.
    private var known: [Int: FoundTermWalk.Found] = [:]
    /// How many values have a word, for terms that are one.
    private var counts: [Int: Int] = [:]
    /// The walks over terms that a score takes from those of the search itself.
    private var shared: [Int: TermWalk] = [:]

    /// Creates a reader of an index; nil for a search that an index does not tell: one with a word of which it keeps the
    /// beginning alone.
    init?(_ program: SearchProgram, makeCursor: @escaping () throws -> any SearchCursor) {
        self.program = program
        self.makeCursor = makeCursor
        fieldCount = program.plan.weights.count
        let words = program.plan.terms.lazy.flatMap(\.words)
        if words.contains(where: { $0.utf8.count >= SearchIndexKey.wordLimit }) { return nil }
    }

    // MARK: What is found

    private enum Built {
        case found(DocumentWalk)
        /// All values but those of the walk.
        case others(DocumentWalk)
    }

    /// Returns a walk over the values that are found; nil where these are all but some.
    func makeWalk(isSharing: Bool = false) throws -> DocumentWalk? {
        shared = [:]
        let isFlat = isSharing && program.plan.tree.isFlat
        guard case .found(let walk) = try build(program.plan.tree, isFlat) else { return nil }
        return walk
    }

    private func build(_ tree: SearchTree, _ isSharing: Bool) throws -> Built {
        switch tree {
        case .term(let term):
            if let walk = shared[term] { return .found(walk) }
            let walk = try makeWalk(of: term)
            if isSharing { shared[term] = walk }
            return .found(walk)
        case .not(let operand):
            switch try build(operand, false) {
            case .found(let walk): return .others(walk)
            case .others(let walk): return .found(walk)
            }
        case .all(let operands):
            let (found, others) = try build(operands, isSharing)
            if found.isEmpty { return .others(UnitedWalk(others)) }
            return .found(try CommonWalk(found, excluding: others))
        case .any(let operands):
            let (found, others) = try build(operands, isSharing)
            if others.isEmpty { return .found(UnitedWalk(found)) }
            return .others(try CommonWalk(others, excluding: found))
        }
    }

    /// Returns the walks over what operands find, and those over what they exclude.
    private func build(
        _ operands: [SearchTree],
        _ isSharing: Bool
    ) throws -> (found: [DocumentWalk], others: [DocumentWalk]) {
        var found: [DocumentWalk] = []
        var others: [DocumentWalk] = []
        for operand in operands {
            switch try build(operand, isSharing) {
            case .found(let walk): found.append(walk)
            case .others(let walk): others.append(walk)
            }
        }
        return (found, others)
    }

    private func makeWalk(of term: Int) throws -> TermWalk {
        let plan = program.plan.terms[term]
        if plan.words.count == 1, !plan.isPrefix, plan.field == nil {
            let walk = WordWalk(plan.words[0].utf8, try makeCursor(), fieldCount: fieldCount)
            walk.known = counts[term]
            counts[term] = try walk.count()
            return walk
        }
        let found = try known[term] ?? find(term)
        known[term] = found
        return FoundTermWalk(found, fieldCount: fieldCount)
    }

    // MARK: Terms

    /// A walk over the values that have a word of a term, with its places.
    private enum Words {
        case word(WordWalk)
        case beginning(OccurrenceWalk)

        var walk: DocumentWalk {
            switch self {
            case .word(let walk): walk
            case .beginning(let walk): walk
            }
        }

        var length: Int {
            switch self {
            case .word(let walk): walk.length
            case .beginning(let walk): walk.length
            }
        }

        func visit(_ body: (Int, Int) -> Void) {
            switch self {
            case .word(let walk): walk.visit(body)
            case .beginning(let walk): walk.visit(body)
            }
        }
    }

    /// Finds the values that have a term, by the places of its words.
    private func find(_ term: Int) throws -> FoundTermWalk.Found {
        var found = FoundTermWalk.Found()
        let plan = program.plan.terms[term]
        var walks: [Int: Words] = [:]
        for (index, word) in zip(program.words(of: term), plan.words) where walks[index] == nil {
            let bytes = word.utf8
            walks[index] =
                program.isPrefix(index)
                ? .beginning(
                    OccurrenceWalk(
                        try OccurrenceList(
                            wordsFrom: bytes,
                            makeCursor(),
                            fieldCount: fieldCount
                        )
                    )
                )
                : .word(WordWalk(bytes, try makeCursor(), fieldCount: fieldCount))
        }
        guard let first = walks.values.first else { return found }
        let common = try CommonWalk(walks.values.map(\.walk), excluding: [])
        var counts = [Int](repeating: 0, count: fieldCount)
        var target: UInt64 = 0
        while let document = try common.advance(to: target) {
            for field in counts.indices { counts[field] = 0 }
            if walks.count == 1, program.words(of: term).count == 1 {
                first.visit { field, _ in counts[field] += 1 }
                if let only = plan.field {
                    for field in counts.indices where field != only { counts[field] = 0 }
                }
            } else {
                count(term, walks, &counts)
            }
            if counts.contains(where: { $0 > 0 }) {
                found.documents.append(document)
                found.lengths.append(first.length)
                for count in counts { found.counts.append(Int32(clamping: count)) }
            }
            if document == .max { break }
            target = document + 1
        }
        return found
    }

    /// Counts how often each field of a value has a term of several words.
    private func count(_ term: Int, _ walks: [Int: Words], _ counts: inout [Int]) {
        let none = [[Int]](repeating: [], count: program.wordCount)
        var places = [[[Int]]](repeating: none, count: fieldCount)
        for (word, walk) in walks { walk.visit { places[$0][word].append($1) } }
        let found = places.map { FoundWords(places: $0) }
        for field in counts.indices {
            program.visit(term, in: found, field: field) { _ in counts[field] += 1 }
        }
    }

    // MARK: Figures and scores

    /// Returns the figures of all values.
    func figures() throws -> SearchFigures {
        let all = try SearchIndexFigures(in: makeCursor())
        var figures = SearchFigures(terms: program.scoredTerms.count)
        figures.values = all.values
        figures.words = all.words
        for (index, term) in program.scoredTerms.enumerated() {
            figures.valuesWithTerm[index] = try makeWalk(of: term).count()
        }
        return figures
    }

    /// Calls a function with each value that is found and its score, ascending by their numbers; does nothing where these
    /// are all but some.
    func score(_ rank: SearchRank, _ body: (UInt64, Double) throws -> Void) throws {
        guard let walk = try makeWalk(isSharing: true) else { return }
        let isShared = program.plan.tree.isFlat
        let terms = try program.scoredTerms.map { term in
            try isShared ? shared[term] ?? makeWalk(of: term) : makeWalk(of: term)
        }
        let weights = program.plan.weights
        var present: [(Int, Double)] = []
        var target: UInt64 = 0
        while let document = try walk.advance(to: target) {
            var length = 0
            present.removeAll(keepingCapacity: true)
            for (index, term) in terms.enumerated()
            where try term.advance(to: document) == document {
                length = term.length
                present.append((index, term.frequency(weights)))
            }
            var score = rank.score(length: length)
            for (index, frequency) in present { score.add(index, frequency) }
            try body(document, score.sum)
            if document == .max { return }
            target = document + 1
        }
    }
}

extension SearchTree {
    /// Whether it is terms, and terms that are excluded, in one list.
    fileprivate var isFlat: Bool {
        switch self {
        case .term: true
        case .not, .all([]): false
        case .all(let operands): operands.allSatisfy { $0.isTerm || $0.isExcludedTerm }
        case .any(let operands): operands.allSatisfy(\.isTerm)
        }
    }

    private var isTerm: Bool { if case .term = self { true } else { false } }

    private var isExcludedTerm: Bool {
        if case .not(let operand) = self { operand.isTerm } else { false }
    }
}
