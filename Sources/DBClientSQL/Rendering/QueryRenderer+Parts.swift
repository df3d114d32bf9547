import DBClientCore

// The rows of a join: a subquery that has the columns of all tables, under the names of the joined entity's fields, so that
// the rest of a statement is as for any other table. Databases make one level of both.
extension QueryRenderer {
    /// Appends the beginning of the subquery, up to the first table.
    mutating func beginParts(of join: RowJoin) {
        text.append("(SELECT ")
        var needsComma = false
        for (index, part) in join.parts.enumerated() {
            let source = table(of: part.entity)
            let alias = "part\(index + 1)"
            for column in part.entity.fields.indices {
                if needsComma { text.append(", ") }
                needsComma = true
                text.append(column: source.columnName(column), of: alias)
                text.append(" AS ")
                text.append(identifier: table.columnName(part.offset + column))
            }
        }
        text.append(" FROM ")
        appendPart(join.parts[0], in: join)
        for (index, part) in join.parts.enumerated() {
            let source = table(of: part.entity)
            for column in part.entity.fields.indices {
                text.places[Array(table.columnName(part.offset + column).utf8)] = (
                    "part\(index + 1)", source.columnName(column)
                )
            }
        }
    }

    mutating func beginPart(_ part: RowJoin.Part) {
        guard let join = query.join else { return }
        joinedPart = part
        text.append(part.isOptional ? " LEFT JOIN " : " JOIN ")
        appendPart(part, in: join)
        text.append(" ON ")
    }

    mutating func endParts(of join: RowJoin) {
        text.places = [:]
        joinedPart = nil
        if query.condition.canFail { appendFence() }
        text.append(") AS ")
        text.append(identifier: table.name)
    }

    /// Ends a subquery so that what may have no answer is asked of its whole rows.
    mutating func appendFence() {
        if traits.fence.isEmpty, let unlimited = traits.unlimited {
            text.append(" LIMIT \(unlimited)")
        }
        text.append(traits.fence)
    }

    /// Whether a field of the rows at hand may be absent: those of a part are there while it is being joined.
    func isOptional(_ column: Int) -> Bool {
        if let part = joinedPart, part.columns ~= column {
            return part.entity.fields[column - part.offset].isOptional
        }
        return scope.entity.fields[column].isOptional
    }

    private mutating func appendPart(_ part: RowJoin.Part, in join: RowJoin) {
        text.append(table: table(of: part.entity).name)
        text.append(" AS ")
        text.append(identifier: "part\(join.part(of: part.offset) + 1)")
    }
}
