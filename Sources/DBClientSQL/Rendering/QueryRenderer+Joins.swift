import DBClientCore

// The tables of a statement that reads: its own, and those that are joined to it.
extension QueryRenderer {
    /// Appends where rows come from and what they must fulfil.
    mutating func appendSource() throws {
        text.append(" FROM ")
        text.append(identifier: table.name)
        try appendSource(query.condition, depth: 0)
    }

    /// Appends what is joined to the scope's table, then what its rows must fulfil.
    private mutating func appendSource(_ condition: RowCondition, depth: Int) throws {
        let parts = JoinedCondition(condition, depth: depth, text.dialect)
        for rows in parts.joins { try appendJoin(rows, depth: depth) }
        try appendWhere(parts.rest, isWhole: depth == 0)
    }

    /// Appends a join with the keys of related rows, under names that no column of the scope has: what
    /// names a column without its table still means the scope's.
    private mutating func appendJoin(_ rows: RelatedRows, depth: Int) throws {
        let outer = scope
        let alias = nextAlias()
        let names = joinedNames(alias, rows.columns.count, in: outer.entity)
        text.append(" JOIN (SELECT ")
        text.append(zip(rows.columns, names)) { text, key in
            text.append(identifier: alias)
            text.append(".")
            text.append(column: rows.entity.fields[key.0].name)
            text.append(" AS ")
            text.append(identifier: key.1)
        }
        text.append(" FROM ")
        text.append(identifier: text.dialect.tableName(of: rows.entity))
        text.append(" AS ")
        text.append(identifier: alias)
        scope = Scope(entity: rows.entity, name: alias)
        self.depth += 1
        try appendSource(rows.condition, depth: depth + 1)
        self.depth -= 1
        scope = outer
        text.append(") AS ")
        text.append(identifier: alias)
        text.append(" ON ")
        text.append(zip(names, rows.matching), separator: " AND ") { text, key in
            text.append(identifier: alias)
            text.append(".")
            text.append(identifier: key.0)
            text.append(" = ")
            text.append(identifier: outer.name)
            text.append(".")
            text.append(column: outer.entity.fields[key.1].name)
        }
    }

    private func joinedNames(
        _ alias: String,
        _ count: Int,
        in entity: EntitySchema
    ) -> [String] {
        (1...max(count, 1)).map { unusedName("\(alias)_\($0)", in: entity) }
    }
}
