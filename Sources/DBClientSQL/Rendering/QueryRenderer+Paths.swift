import DBClientCore

// Fields of the rows that rows lead to.
extension QueryRenderer {
    /// Returns what appends a field of the rows, or of those that a path leads to.
    mutating func reading(
        _ field: FieldSchema,
        through path: [RelatedRows]
    ) -> (inout SQLText) -> Void {
        let root = Scope(entity: entity, name: table.name)
        let aliases = path.map { _ in nextAlias() }
        return { text in
            Self.append(field, through: path[...], aliases[...], from: root, to: &text)
        }
    }

    /// Appends a field of the row that a path leads to: a subquery for each hop, of at most one row.
    static func append(
        _ field: FieldSchema,
        through path: ArraySlice<RelatedRows>,
        _ aliases: ArraySlice<String>,
        from outer: Scope,
        to text: inout SQLText
    ) {
        guard let hop = path.first, let alias = aliases.first else {
            return text.append(column: field.name)
        }
        let inner = Scope(entity: hop.entity, name: alias)
        text.append("(SELECT ")
        append(field, through: path.dropFirst(), aliases.dropFirst(), from: inner, to: &text)
        text.append(" FROM ")
        text.append(identifier: text.dialect.tableName(of: hop.entity))
        text.append(" AS ")
        text.append(identifier: alias)
        var conjunction = " WHERE "
        for (column, matching) in zip(hop.columns, hop.matching) {
            text.append(conjunction)
            append(column, of: inner, equals: matching, of: outer, to: &text)
            conjunction = " AND "
        }
        text.append(")")
    }

    static func append(
        _ column: Int,
        of inner: Scope,
        equals matching: Int,
        of outer: Scope,
        to text: inout SQLText
    ) {
        text.append(identifier: inner.name)
        text.append(".")
        text.append(column: inner.entity.fields[column].name)
        text.append(" = ")
        text.append(identifier: outer.name)
        text.append(".")
        text.append(column: outer.entity.fields[matching].name)
    }
}
