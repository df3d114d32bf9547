// What a search has found, with scores and places.
extension ModelMapping {
    /// Returns the values of a request that searches, each with its score and where its words are.
    ///
    /// - Throws: `.invalidRequest` for a request that does not search.
    func hits(
        _ request: FetchRequest<Model>,
        in transaction: ReadTransaction
    ) throws -> [SearchHit<Model>] {
        guard let rank = request.rank else {
            throw DBClientError(
                .invalidRequest,
                "A request for hits must search; it has no query.",
                entity: Model.Storage.schema.entity.name,
                hint: "Use matching(_:in:)."
            )
        }
        var query = try transaction.resolving(.fetch, Model.self) { try rowQuery(request) }
        let ranking = request.sorted(by: [Ordering(row: RowOrdering(rank), failure: nil)])
        guard let unranked = try rowQuery(ranking).orderings.first?.expression else { return [] }
        let ranked = try transaction.reader()
            .expression(withFiguresFor: unranked, of: query.entity)
        // The figures are read once.
        for index in query.orderings.indices where query.orderings[index].expression == unranked {
            query.orderings[index].expression = ranked
        }
        let shapes = try transaction.intercept(.on(query, .fetch)) {
            try transaction.fetchStored(Shape.self, query)
        }
        let found = try FoundTexts(ranked, of: query, in: transaction)
        return zip(try models(shapes, in: transaction), found.rows).map { value, row in
            SearchHit(value: value, score: row.score, texts: row.texts)
        }
    }
}

/// The scores of the rows of a query, and the texts in which something was found.
private struct FoundTexts {
    private(set) var rows: [(score: Double, texts: [SearchedText])] = []

    init(_ rank: RowExpression, of query: RowQuery, in transaction: ReadTransaction) throws {
        guard let (plan, fields) = rank.rankedSearch else { throw DBClientError.rankMisplaced }
        let program = SearchProgram(plan)
        let columns = fields.compactMap { field -> Int? in
            if case .field(let column) = field { column } else { nil }
        }
        var rows = rows
        try transaction.select(columns.map { RowGrouping.Key($0) }, of: query) { batch in
            for row in 0..<batch.count {
                let slots = columns.indices.map { batch[row, $0] }
                let found = program.find(in: slots, keepingRanges: true)
                var texts: [SearchedText] = []
                for field in columns.indices {
                    let ranges = program.wantedRanges(in: found, field: field)
                    if ranges.isEmpty { continue }
                    let text = slots[field].text
                    texts.append(
                        SearchedText(
                            field: query.entity.fields[columns[field]].name,
                            text: text,
                            ranges: ranges.map { text.range(ofBytes: $0) }
                        )
                    )
                }
                rows.append((program.score(found) ?? 0, texts))
            }
            return true
        }
        self.rows = rows
    }
}

extension SearchProgram {
    /// Returns where the words of the terms that are wanted are in a field, ascending.
    fileprivate func wantedRanges(in found: [FoundWords], field: Int) -> [Range<Int>] {
        var places = Set<Int>()
        for term in scoredTerms {
            visit(term, in: found, field: field) { places.formUnion($0) }
        }
        return places.sorted().map { found[field].ranges[$0] }
    }
}
