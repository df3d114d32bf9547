// Requests for what is found by its words, the best first.
extension StoredConvertible {
    /// A request for the values whose searchable texts have what is searched for, the best first.
    ///
    /// ```swift
    /// let found = try await client.fetch(Note.matching("iron man").limit(20))
    /// ```
    ///
    /// The searchable texts are those that ``Searchable(weight:)`` marks, or those that are named. Words of a query may be in
    /// different ones. Values are sorted by their score, equal ones by primary key, until `sorted` says
    /// otherwise. A score is that of BM25 and equal on every engine; how it is computed is told in <doc:Search>.
    ///
    /// - Parameters:
    ///   - query: What is searched for: a literal, or a ``SearchQuery`` of what a person has typed.
    ///   - fields: The texts to look at; by default those that are declared as searchable.
    /// - Returns: The request, whose use throws `.invalidRequest` where no text is searchable, or a named field is no text.
    public static func matching(
        _ query: SearchQuery,
        in fields: PartialKeyPath<Storage>...
    ) -> FetchRequest<Self> {
        FetchRequest().searching(query, fields)
    }
}

extension FetchRequestConvertible {
    /// Returns a request for those of the values whose searchable texts have what is searched for, the best first.
    ///
    /// Scores are those among all values of the model, whatever the request's other conditions. Of two searches the later
    /// one sorts.
    ///
    /// - Parameters:
    ///   - query: What is searched for: a literal, or a ``SearchQuery`` of what a person has typed.
    ///   - fields: The texts to look at; by default those that are declared as searchable.
    /// - Returns: The request, whose use throws `.invalidRequest` where no text is searchable, or a named field is no text.
    public func matching(
        _ query: SearchQuery,
        in fields: PartialKeyPath<Model.Storage>...
    ) -> FetchRequest<Model> {
        request.searching(query, fields)
    }
}

extension FetchRequest {
    fileprivate func searching(
        _ query: SearchQuery,
        _ fields: [PartialKeyPath<Model.Storage>]
    ) -> FetchRequest {
        do {
            let search = try SearchedFields<Model>(fields)
            let plan = try search.plan(query)
            var copy = filter(Condition(try .searching(plan, in: search.expressions)))
            copy.sort(byRank: try .rank(plan, in: search.expressions))
            return copy
        } catch {
            var copy = self
            copy.note(DBClientError.wrapping(error))
            return copy
        }
    }
}

extension RowCondition {
    /// Returns the condition that texts have what a search asks for.
    static func searching(
        _ plan: SearchPlan,
        in fields: [RowExpression]
    ) throws -> RowCondition {
        .computed(try .search(plan, in: fields), .equal, .constant(.integer(1), .boolean))
    }
}
