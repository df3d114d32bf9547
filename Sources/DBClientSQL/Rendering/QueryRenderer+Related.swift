import DBClientCore

extension QueryRenderer {
    /// How deep subqueries are nested before one is named.
    static var maximumDepth: Int { 4 }

    /// Appends a condition on related rows: membership in a subquery that stands alone, which an index
    /// of either side serves, that one of the row's own has no rows, or a number that such rows come to.
    ///
    /// An independent subquery is named once it is nested deep, where the database's parser would refuse it.
    mutating func beginRelated(_ rows: RelatedRows, isNegated: Bool) -> Outer {
        var outer = Outer(scope: scope, depth: depth, alias: nextAlias())
        let inner = Scope(table: table(of: rows.entity), name: outer.alias)
        let isCorrelated = isNegated || rows.count != nil || rows.total != nil
        outer.naming = isCorrelated || depth < Self.maximumDepth ? nil : traits.subqueryNaming
        if let total = rows.total {
            text.append("(SELECT ")
            appendSelected(total, of: rows.entity)
            text.append(" FROM (SELECT ")
            let hops = hops(of: total.path)
            Self.append(total.column, through: hops[...], from: inner, to: &text)
            text.append(" AS \"v\"")
        } else if rows.count != nil {
            text.append("(SELECT COUNT(*)")
        } else if isNegated {
            text.append("NOT EXISTS (SELECT 1")
        } else {
            if rows.matching.count > 1 { text.append("(") }
            // On this side, since a subquery's column does not say that its collation was asked for.
            text.append(zip(rows.matching, rows.columns)) { text, pair in
                outer.scope.table.append(
                    of: pair.0,
                    comparedWith: inner.table,
                    pair.1,
                    to: &text
                )
            }
            text.append(rows.matching.count > 1 ? ") IN (" : " IN (")
            if outer.naming != nil { outer.text = text.beginPart() }
            text.append("SELECT ")
            text.append(zip(rows.columns, rows.matching)) { text, pair in
                inner.table.append(pair.0, matching: outer.scope.table, pair.1, to: &text)
            }
        }
        text.append(" FROM ")
        text.append(table: inner.table.name)
        text.append(" AS ")
        text.append(identifier: inner.name)
        scope = inner
        // A total takes two.
        depth = outer.naming != nil ? 1 : depth + (rows.total == nil ? 1 : 2)
        appendWhere(rows, inner, belongingTo: isCorrelated ? outer.scope : nil)
        return outer
    }

    /// Appends what follows the table of related rows, up to the condition that they must fulfil.
    mutating func appendWhere(_ rows: RelatedRows, _ inner: Scope, belongingTo outer: Scope?) {
        var conjunction = " WHERE "
        if let outer {
            for (column, matching) in zip(rows.columns, rows.matching) {
                text.append(conjunction)
                Self.append(column, of: inner, equals: matching, of: outer, to: &text)
                conjunction = " AND "
            }
        }
        if !rows.condition.isTrue { text.append(conjunction) }
    }

    mutating func endRelated(_ rows: RelatedRows, _ outer: Outer) {
        scope = outer.scope
        depth = outer.depth
        if let naming = outer.naming {
            let name = naming.namePrefix + outer.alias
            namedSubqueries.append((name, text.endPart(outer.text)))
            text.append("SELECT * FROM ")
            text.append(identifier: name)
        }
        if rows.total != nil { text.append(traits.fence) }
        text.append(")")
        if rows.total != nil { text.append(" AS \"rows\")") }
    }

    mutating func count(_ count: RowCount) {
        append(count.comparison, differing: "<>")
        text.appendParameter()
    }

    /// Returns a name for a subquery's table that the statement's own table has not.
    mutating func nextAlias() -> String {
        aliasCount += 1
        let alias = "related\(aliasCount)"
        let isTaken = asciiFolded(dialect.parts(ofTable: table.name).name).elementsEqual(alias.utf8)
        return isTaken ? "held\(aliasCount)" : alias
    }

    /// Appends columns of the scope, a row of them when they are several.
    mutating func appendColumns(_ columns: [Int]) {
        if columns.count > 1 { text.append("(") }
        scope.table.appendValues(of: columns, to: &text)
        if columns.count > 1 { text.append(")") }
    }
}
