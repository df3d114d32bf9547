public import DBClientCore

// Rows that are walked to, of which the database makes one recursive statement.
extension SQLTransaction {
    /// Whether the database walks: unless it lacks a table of links, of which none may be there, or an order of text.
    public func canWalk(_ query: RowQuery) throws -> Bool {
        guard let walk = query.walk, traits.walkDepth != nil, !isComputedHere(query) else {
            return false
        }
        for step in walk.steps where step.entity !== walk.entity {
            if tables.table(of: step.entity, isWriting: false) != nil { continue }
            try enterCall(isOne: false)
            if try table(reading: step.entity) == nil { return false }
        }
        return true
    }

    /// Returns what the rows of a walk are read from; nil where their table is not there yet.
    func source(of query: RowQuery, walking walk: RowWalk) throws -> TableSQL? {
        guard let table = try table(reading: walk.entity) else { return nil }
        if let known = joins[ObjectIdentifier(query.entity)], known.parts[0] === table.sql {
            return known.sql
        }
        let sql = TableSQL(query.entity, dialect, as: "walked")
        if !table.sql.forms.isEmpty { sql.forms = table.sql.forms + [.own] }
        joins[ObjectIdentifier(query.entity)] = ([table.sql], sql)
        return sql
    }
}
