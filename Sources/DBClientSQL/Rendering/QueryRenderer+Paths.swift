import DBClientCore

// Fields of the rows that rows lead to.
extension QueryRenderer {
    /// Returns what appends a field of the rows, or of those that a path leads to, for an order or a function.
    mutating func reading(
        _ column: Int,
        through path: [RelatedRows]
    ) -> (inout SQLText) -> Void {
        let root = scope
        let hops = hops(of: path)
        return { text in
            Self.append(column, through: hops[...], from: root, to: &text)
        }
    }

    /// A step from rows to those that they lead to, with the table that these are in.
    struct Hop {
        let rows: RelatedRows
        let scope: Scope
    }

    /// Returns the steps of a path, each table under a name of its own.
    mutating func hops(of path: [RelatedRows]) -> [Hop] {
        path.map { Hop(rows: $0, scope: Scope(table: table(of: $0.entity), name: nextAlias())) }
    }

    /// Appends a field of the row that a path leads to: a subquery for each hop, of at most one row.
    static func append(
        _ column: Int,
        through path: ArraySlice<Hop>,
        from outer: Scope,
        to text: inout SQLText
    ) {
        guard let hop = path.first else {
            return outer.table.append(.ordered, of: column, to: &text)
        }
        text.append("(SELECT ")
        append(column, through: path.dropFirst(), from: hop.scope, to: &text)
        text.append(" FROM ")
        text.append(table: hop.scope.table.name)
        text.append(" AS ")
        text.append(identifier: hop.scope.name)
        var conjunction = " WHERE "
        for (column, matching) in zip(hop.rows.columns, hop.rows.matching) {
            text.append(conjunction)
            append(column, of: hop.scope, equals: matching, of: outer, to: &text)
            conjunction = " AND "
        }
        if let (column, _) = hop.rows.shard {
            text.append(conjunction)
            let type = hop.scope.entity.fields[column].type
            hop.scope.table.appendEquality(of: column, as: hop.scope.name, to: &text) {
                $0.appendParameter(comparedWith: type)
            }
        }
        text.append(")")
    }

    /// Appends what is computed from the row that a path leads to, or from absent fields where it leads nowhere: a
    /// subquery for each hop, of exactly one row.
    mutating func write(
        _ expression: RowExpression,
        through path: ArraySlice<RelatedRows>
    ) throws {
        guard let hop = path.first else { return try write(expression) }
        let outer = scope
        let inner = Scope(table: table(of: hop.entity), name: nextAlias())
        let row = nextAlias()
        text.append("(SELECT ")
        scope = inner
        try write(expression, through: path.dropFirst())
        scope = outer
        text.append(" FROM (SELECT 1 AS ")
        text.append(identifier: unusedName("one", in: hop.entity))
        text.append(") AS ")
        text.append(identifier: row)
        text.append(" LEFT JOIN ")
        text.append(table: inner.table.name)
        text.append(" AS ")
        text.append(identifier: inner.name)
        var conjunction = " ON "
        for (column, matching) in zip(hop.columns, hop.matching) {
            text.append(conjunction)
            Self.append(column, of: inner, equals: matching, of: outer, to: &text)
            conjunction = " AND "
        }
        text.append(")")
    }

    /// Appends that a column of a row equals one of the row that leads to it.
    static func append(
        _ column: Int,
        of inner: Scope,
        equals matching: Int,
        of outer: Scope,
        to text: inout SQLText
    ) {
        inner.table.append(column, as: inner.name, matching: outer.table, matching, to: &text)
        text.append(" = ")
        outer.table.append(
            of: matching,
            as: outer.name,
            comparedWith: inner.table,
            column,
            to: &text
        )
    }
}

extension RelatedRows {
    /// The shard key of rows that a path leads to, and its value, where that is known.
    var shard: (column: Int, value: StorageValue)? {
        if case .compare(let column, .equal, let value, _) = condition {
            (column, value)
        } else {
            nil
        }
    }
}
