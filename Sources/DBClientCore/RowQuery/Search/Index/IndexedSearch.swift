/// The part of a query that an index of a search answers: which rows have what is searched for, and which are the best.
///
/// Used by one thread at a time.
package final class IndexedSearch {
    /// What else a row must fulfil.
    package let rest: RowCondition
    /// Whether the query wants the best rows first.
    package let isRanked: Bool
    /// About how many rows have what is searched for, at most.
    package let estimate: Int

    private let reader: SearchIndexReader
    /// The search whose score sorts the rows, as the query has it.
    private let rank: SearchPlan?

    /// Finds the search in a query whose condition is about the row alone.
    ///
    /// Nil where the condition does not ask for it of every row, where it searches other fields, and where the index does not
    /// tell: of a search that excludes words alone, and of very long words.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - fields: The fields of the index.
    ///   - makeCursor: Makes a cursor of the index's table.
    /// - Throws: `.corrupt` for a damaged index, and what the cursor throws.
    package init?(
        _ query: RowQuery,
        fields: [Int],
        makeCursor: @escaping () throws -> any SearchCursor
    ) throws {
        var conditions: [RowCondition] = []
        query.condition.insertConjuncts(into: &conditions)
        let operands = fields.map { RowExpression.field($0) }
        let place = conditions.firstIndex { $0.searchConstant(of: operands) != nil }
        guard let place, let constant = conditions[place].searchConstant(of: operands),
            let program = SearchProgram(constant: constant),
            program.plan.weights.count == fields.count,
            let reader = SearchIndexReader(program, makeCursor: makeCursor),
            let walk = try reader.makeWalk()
        else { return nil }
        conditions.remove(at: place)
        rest = conditions.isEmpty ? .constant(true) : .all(conditions)
        self.reader = reader
        estimate = try walk.estimate()
        rank = query.leadingRank(of: operands).flatMap { rank in
            rank.isSearch(as: program.plan) ? rank : nil
        }
        isRanked = rank != nil
    }

    /// Calls a function with the numbers of the rows that are found, ascending, until it returns false.
    package func visit(_ body: (UInt64) throws -> Bool) throws {
        guard let walk = try reader.makeWalk() else { return }
        var target: UInt64 = 0
        while let document = try walk.advance(to: target) {
            if try !body(document) || document == .max { return }
            target = document + 1
        }
    }

    /// Returns how many rows are found.
    package func count() throws -> Int {
        var count = 0
        try visit { _ in
            count += 1
            return true
        }
        return count
    }

    /// Calls a function with the numbers of the rows that are found, the best first, until it returns false.
    ///
    /// - Parameters:
    ///   - precedes: Whether the primary key of one row comes before that of another.
    ///   - body: The function.
    /// - Throws: `.corrupt` for a damaged index, and what the functions and the cursor throw.
    package func visitRanked(
        _ precedes: @escaping (UInt64, UInt64) throws -> Bool,
        _ body: (UInt64) throws -> Bool
    ) throws {
        guard let rank else { return }
        var found = RankedDocuments(precedes)
        let scores = SearchRank(try rank.figures ?? reader.figures())
        try reader.score(scores) { found.append($0, $1) }
        try found.sort()
        while let document = try found.popFirst() {
            if try !body(document) { return }
        }
    }
}

extension RowExpression {
    /// Returns the score of rows with the figures of all of them, which an index has; nil where it is that of a search of
    /// other fields, and where the index does not tell.
    package func withFigures(
        fields: [Int],
        makeCursor: @escaping () throws -> any SearchCursor
    ) throws -> RowExpression? {
        guard let (search, operands) = rankedSearch, search.figures == nil,
            operands == fields.map({ .field($0) }), search.weights.count == fields.count,
            let reader = SearchIndexReader(SearchProgram(search), makeCursor: makeCursor)
        else { return nil }
        var plan = search
        plan.figures = try reader.figures()
        return try .rank(plan, in: operands)
    }
}

extension SearchPlan {
    /// Whether it is the same search, whatever the figures.
    fileprivate func isSearch(as other: SearchPlan) -> Bool {
        tree == other.tree && terms == other.terms && weights == other.weights
    }
}

extension RowCondition {
    /// Adds the conditions that must all hold.
    fileprivate func insertConjuncts(into conditions: inout [RowCondition]) {
        switch self {
        case .constant(true): break
        case .all(let operands):
            for operand in operands { operand.insertConjuncts(into: &conditions) }
        default: conditions.append(self)
        }
    }

    /// The constant of a search of some fields; nil for another condition.
    fileprivate func searchConstant(of fields: [RowExpression]) -> RowExpression? {
        guard case .computed(let left, .equal, .constant(.integer(1), _)) = self,
            case .function(.search, _, let operands) = left, Array(operands.dropFirst()) == fields
        else { return nil }
        return operands.first
    }

    /// Whether a search is among the conditions that must all hold.
    package var hasSearch: Bool {
        switch self {
        case .all(let operands): operands.contains(where: \.hasSearch)
        case .computed(.function(.search, _, _), .equal, _): true
        default: false
        }
    }
}

extension RowQuery {
    /// The search of some fields whose score sorts the rows, those of one score by their primary keys; nil for another
    /// order.
    fileprivate func leadingRank(of fields: [RowExpression]) -> SearchPlan? {
        let order = totalOrder
        guard let first = order.first, first.isDescending, let expression = first.expression,
            let (plan, operands) = expression.rankedSearch, operands == fields,
            Array(order.dropFirst()) == entity.primaryKey.map({ RowOrdering(column: $0) })
        else { return nil }
        return plan
    }
}
