import DBClientCore

extension QueryRenderer {
    /// How deep subqueries stand in each other before one is named.
    static var maximumDepth: Int { 4 }

    /// Appends a condition on related rows: membership in a subquery that stands alone, which an index
    /// of either side serves, or a number that one of the row's own rows comes to.
    ///
    /// What stands alone is named once it is deep, where the database's parser would not take it.
    mutating func append(_ rows: RelatedRows) throws {
        let outer = scope
        let inner = Scope(entity: rows.entity, name: nextAlias())
        let isCorrelated = rows.count != nil || rows.total != nil
        let outerDepth = depth
        let naming = isCorrelated || depth < Self.maximumDepth ? nil : text.dialect.subqueryNaming
        var outerText = ""
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
            if naming != nil { outerText = text.beginPart() }
            text.append("SELECT ")
            let fields = rows.entity.fields
            text.append(rows.columns) { $0.append(column: fields[$1].name) }
        }
        text.append(" FROM ")
        text.append(identifier: text.dialect.tableName(of: rows.entity))
        text.append(" AS ")
        text.append(identifier: inner.name)
        scope = inner
        // A total takes two.
        depth = naming != nil ? 1 : depth + (rows.total == nil ? 1 : 2)
        var conjunction = " WHERE "
        if isCorrelated {
            for (column, matching) in zip(rows.columns, rows.matching) {
                text.append(conjunction)
                Self.append(column, of: inner, equals: matching, of: outer, to: &text)
                conjunction = " AND "
            }
        }
        if rows.condition != .constant(true) {
            text.append(conjunction)
            try append(rows.condition)
        }
        scope = outer
        depth = outerDepth
        if let naming {
            let name = naming.namePrefix + inner.name
            namedSubqueries.append((name, text.endPart(outerText)))
            text.append("SELECT * FROM ")
            text.append(identifier: name)
        }
        if rows.total != nil { text.append(text.dialect.fence) }
        text.append(")")
        if let total = rows.total {
            text.append(" AS \"rows\")")
            appendComparison(total, of: rows.entity)
        }
        guard let count = rows.count else { return }
        if count.comparison == .notEqual { text.append(" <> ") } else { append(count.comparison) }
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
