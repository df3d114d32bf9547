import DBClientCore

// What an index over a column of another order cannot serve.
extension SQLTransaction {
    /// Returns a sentence for each field by which a request looks for rows or sorts them and which no index of its
    /// table serves, because its column is of another type or collation than the library's own.
    func indexAdvice(on query: RowQuery, in table: TableSQL, sorts: Bool) throws -> [String] {
        if table.forms.isEmpty || query.join != nil || query.walk != nil { return [] }
        var fields = table.rangesWithoutIndex(of: query.condition)
        if sorts, let first = query.totalOrder.first, first.isOwnField, first.text == .binary {
            fields.insert(first.column)
        }
        return try fields.sorted().compactMap { field in
            guard table.hasOtherOrder(field), try connection.lacksIndex(ordering: field, of: table)
            else { return nil }
            var text = SQLText(dialect)
            text.append("CREATE INDEX ON ")
            text.append(table: table.name)
            // A collation stands after a column as it is, an expression in parentheses.
            let isColumn = table.form(of: field).ordered != nil
            text.append(isColumn ? " (" : " ((")
            table.append(.ordered, of: field, to: &text)
            text.append(isColumn ? ");" : "));")
            let name = table.entity.fields[field].name
            return "No index has the order of \"\(name)\"; this one would: \(text.sql)"
        }
    }
}

extension TableSQL {
    /// Whether a field is a text or a UUID that statements put in order as something else than the bare column.
    fileprivate func hasOtherOrder(_ field: Int) -> Bool {
        let (form, type) = (form(of: field), entity.fields[field].type)
        let isOfOrder = type.slotKind == .text && type != .json || type == .uuid
        return isOfOrder && form.compared == nil && (form.ordered ?? form.value) != "#"
    }

    /// The fields that a condition finds by their order, or by their equality where the bare column is not asked.
    fileprivate func rangesWithoutIndex(of condition: RowCondition) -> Set<Int> {
        func asksForEquality(_ field: Int) -> Bool {
            let form = form(of: field)
            return form.equated == nil && form.value != "#"
        }
        switch condition {
        case .all(let operands), .any(let operands):
            return operands.reduce(into: []) { $0.formUnion(rangesWithoutIndex(of: $1)) }
        case .compare(let field, let comparison, _, .binary):
            if comparison == .notEqual { return [] }
            return comparison == .equal && !asksForEquality(field) ? [] : [field]
        case .field(let field, .isIn): return asksForEquality(field) ? [field] : []
        case .field(let field, .matches(let pattern)):
            return pattern.kind == .prefix && !pattern.ignoresCase ? [field] : []
        case .areIn(let fields, _): return Set(fields.filter(asksForEquality))
        default: return []
        }
    }
}
