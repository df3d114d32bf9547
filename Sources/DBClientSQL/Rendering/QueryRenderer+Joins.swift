import DBClientCore

// What is joined to a table: the keys of related rows, under names that no column of the table has, so that what
// names a column without its table still means that one's.
extension QueryRenderer {
    mutating func beginJoin(_ rows: RelatedRows) -> Outer {
        let alias = nextAlias()
        let outer = Outer(scope: scope, depth: depth, alias: alias)
        let table = table(of: rows.entity)
        text.append(" JOIN (SELECT ")
        let pairs = zip(rows.columns, rows.matching)
        text.append(zip(pairs, joinedNames(rows, outer))) { text, key in
            let ((column, matching), name) = key
            table.append(column, as: alias, matching: scope.table, matching, to: &text)
            text.append(" AS ")
            text.append(identifier: name)
        }
        text.append(" FROM ")
        text.append(table: table.name)
        text.append(" AS ")
        text.append(identifier: alias)
        scope = Scope(table: table, name: alias)
        depth += 1
        return outer
    }

    mutating func endJoin(_ rows: RelatedRows, _ outer: Outer) {
        depth = outer.depth
        scope = outer.scope
        text.append(") AS ")
        text.append(identifier: outer.alias)
        text.append(" ON ")
        let table = table(of: rows.entity)
        let pairs = zip(rows.columns, rows.matching)
        text.append(zip(joinedNames(rows, outer), pairs), separator: " AND ") { text, key in
            let (name, (column, matching)) = key
            text.append(identifier: outer.alias)
            text.append(".")
            text.append(identifier: name)
            text.append(" = ")
            outer.scope.table.append(
                of: matching,
                as: outer.scope.name,
                comparedWith: table,
                column,
                to: &text
            )
        }
    }

    private func joinedNames(_ rows: RelatedRows, _ outer: Outer) -> [String] {
        (1...max(rows.columns.count, 1)).map {
            unusedName("\(outer.alias)_\($0)", in: outer.scope.entity)
        }
    }
}
