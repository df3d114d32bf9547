// Searches as conditions, beside others.
extension Fields {
    /// True when the searchable texts of the value have what is searched for.
    ///
    /// ```swift
    /// let open = Note.where { $0.matches("iron -man") && !$0.isDone }
    /// ```
    ///
    /// - Parameter query: What is searched for: a literal, or a ``SearchQuery`` of what a person has typed.
    /// - Returns: The condition, whose use throws `.invalidRequest` where no text of the model is searchable.
    public func matches(_ query: SearchQuery) -> Condition<Model> {
        Condition(scope: scope) {
            let search = try SearchedFields<Model>([])
            return try .searching(try search.plan(query), in: search.expressions)
        }
    }
}

extension ExpressionTerm where Value: ExpressionValue & TextValue {
    /// True when the text has what is searched for, whether it is declared as searchable or not.
    ///
    /// ```swift
    /// let found = Note.where { $0.title.matches("ir*") || $0.author.name.matches("stark") }
    /// ```
    ///
    /// - Parameter query: What is searched for: a literal, or a ``SearchQuery`` of what a person has typed.
    /// - Returns: The condition.
    public func matches(_ query: SearchQuery) -> Condition<Model> {
        let expression = fieldExpression
        return expression.condition { row in
            let entity = expression.entity
            var names: [String] = []
            if case .field(let column) = row { names.append(entity.fields[column].name) }
            let plan = try query.plan(searching: names, weights: [1], of: entity.name)
            return try .searching(plan, in: [row])
        }
    }
}
