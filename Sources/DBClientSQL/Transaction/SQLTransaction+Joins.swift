public import DBClientCore

// Joined rows, of which the database makes one statement.
extension SQLTransaction {
    /// Whether the database puts the rows together: unless it lacks a table of which none may be there, or functions of the library.
    public func canJoin(_ query: RowQuery) throws -> Bool {
        guard let join = query.join, !isComputedHere(query) else { return false }
        for part in join.parts where part.isOptional {
            if tables.table(of: part.entity, isWriting: false) != nil { continue }
            try enterCall(isOne: false)
            if try table(reading: part.entity) == nil { return false }
        }
        return true
    }

    /// Returns what the rows of a query are read from; nil where a table is not there yet, so that there are none.
    func source(of query: RowQuery) throws -> TableSQL? {
        if let walk = query.walk { return try source(of: query, walking: walk) }
        guard let join = query.join else { return try table(reading: query.entity)?.sql }
        var parts: [TableSQL] = []
        for part in join.parts {
            guard let table = try table(reading: part.entity) else { return nil }
            parts.append(table.sql)
        }
        if let known = joins[ObjectIdentifier(query.entity)],
            known.parts.elementsEqual(parts, by: ===)
        {
            return known.sql
        }
        let sql = TableSQL(query.entity, dialect, as: "joined")
        if parts.contains(where: { !$0.forms.isEmpty }) {
            sql.forms = parts.flatMap { part in
                part.entity.fields.indices.map { part.form(of: $0) }
            }
        }
        joins[ObjectIdentifier(query.entity)] = (parts, sql)
        return sql
    }
}
