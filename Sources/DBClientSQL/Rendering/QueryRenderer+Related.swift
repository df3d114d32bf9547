import DBClientCore

extension QueryRenderer {
    /// How deep subqueries are nested before one is named.
    static var maximumDepth: Int { 4 }

    /// Appends a condition on related rows: membership in a subquery that stands alone, which an index
    /// of either side serves, or a number that one of the row's own rows comes to.
    ///
    /// An independent subquery is named once it is nested deep, where the database's parser would refuse it.
    mutating func beginRelated(_ rows: RelatedRows) -> Outer {
        var outer = Outer(scope: scope, depth: depth, alias: nextAlias())
        let inner = Scope(entity: rows.entity, name: outer.alias)
        let isCorrelated = rows.count != nil || rows.total != nil
        outer.naming = isCorrelated || depth < Self.maximumDepth ? nil : traits.subqueryNaming
        if let total = rows.total {
            text.append("(SELECT ")
            appendSelected(total, of: rows.entity)
            text.append(" FROM (SELECT ")
            let aliases = total.path.map { _ in nextAlias() }
            Self.append(
                total.field(of: rows.entity),
                through: total.path[...],
                aliases[...],
                from: inner,
                to: &text
            )
            text.append(" AS \"v\"")
        } else if rows.count != nil {
            text.append("(SELECT COUNT(*)")
        } else {
            appendColumns(rows.matching)
            text.append(" IN (")
            if outer.naming != nil { outer.text = text.beginPart() }
            text.append("SELECT ")
            let fields = rows.entity.fields
            text.append(rows.columns) { $0.append(column: fields[$1].name) }
        }
        text.append(" FROM ")
        text.append(identifier: dialect.tableName(of: rows.entity))
        text.append(" AS ")
        text.append(identifier: inner.name)
        scope = inner
        // A total takes two.
        depth = outer.naming != nil ? 1 : depth + (rows.total == nil ? 1 : 2)
        var conjunction = " WHERE "
        if isCorrelated {
            for (column, matching) in zip(rows.columns, rows.matching) {
                text.append(conjunction)
                Self.append(column, of: inner, equals: matching, of: outer.scope, to: &text)
                conjunction = " AND "
            }
        }
        if !rows.condition.isTrue { text.append(conjunction) }
        return outer
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
        let isTaken = asciiFolded(table.name).elementsEqual(alias.utf8)
        return isTaken ? "held\(aliasCount)" : alias
    }

    /// Appends columns of the scope, a row of them when they are several.
    mutating func appendColumns(_ columns: [Int]) {
        if columns.count > 1 { text.append("(") }
        let fields = scope.entity.fields
        text.append(columns) { $0.append(column: fields[$1].name) }
        if columns.count > 1 { text.append(")") }
    }
}
