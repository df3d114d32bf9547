extension TransactionCall {
    /// The call in one line: what, of which entity, and the shape of the request without its values.
    public var shape: String {
        line { _ in "?" }
    }

    /// The call in one line, the values of its request included, which may be secrets.
    ///
    /// Values that are written are not part of a call, so they are not shown.
    public var shapeWithValues: String {
        line(showing: \.shown)
    }

    private func line(showing show: (StorageValue) -> String) -> String {
        var words = [kind.rawValue]
        if let entity { words.append(entity) }
        if !fields.isEmpty { words.append(fields.joined(separator: ", ")) }
        if let givenCount { words.append("(\(givenCount))") }
        if let query { words += query.words(showing: show) }
        if let statement { words.append(statement) }
        return words.joined(separator: " ")
    }
}

extension RowQuery {
    /// The parts of the query in words for logs; `show` says how a constant is written, or hides it.
    fileprivate func words(showing show: (StorageValue) -> String) -> [String] {
        var words: [String] = []
        for part in join?.parts.dropFirst() ?? [] {
            words += [
                part.isOptional ? "left joined" : "joined",
                part.condition.text(in: entity, showing: show),
            ]
        }
        if let walk {
            let way = walk.steps.flatMap { hop in
                hop.columns.map { "\(hop.entity.name).\(hop.entity.fields[$0].name)" }
            }
            words += ["walked by", way.joined(separator: ", ")]
            words += ["from", walk.start.text(in: walk.entity, showing: show)]
            if walk.passing != .constant(true) {
                words += ["through", walk.passing.text(in: walk.entity, showing: show)]
            }
            if let depth = walk.maximumDepth {
                words.append("to depth \(show(.integer(Int64(depth))))")
            }
        }
        if condition != .constant(true) {
            words += ["where", condition.text(in: entity, showing: show)]
        }
        if !orderings.isEmpty {
            let keys = orderings.map { ordering in
                ordering.words(of: entity, showing: show)
                    + (ordering.isDescending ? " descending" : "")
            }
            words += ["by", keys.joined(separator: ", ")]
        }
        if offset > 0 { words.append("offset \(show(.integer(Int64(offset))))") }
        if let limit { words.append("limit \(show(.integer(Int64(limit))))") }
        return words
    }
}

extension RowOrdering {
    fileprivate func words(
        of entity: EntitySchema,
        showing show: (StorageValue) -> String
    ) -> String {
        guard let expression else { return field(of: entity).name }
        return expression.text(in: entity, showing: show) { $0.text(in: entity, showing: show) }
    }
}

extension RowCondition {
    fileprivate func text(
        in entity: EntitySchema,
        showing show: (StorageValue) -> String
    ) -> String {
        func name(_ column: Int) -> String { entity.fieldName(column) }
        func text(_ operand: RowCondition) -> String { operand.text(in: entity, showing: show) }
        switch self {
        case .constant(let value): return value ? "true" : "false"
        case .compare(let column, let comparison, let value, _):
            return "\(name(column)) \(comparison.sign) \(show(value))"
        case .compareFields(let column, let comparison, let other):
            return "\(name(column)) \(comparison.sign) \(name(other))"
        case .computed(let left, let comparison, let right):
            let words = [left, right].map { $0.text(in: entity, showing: show, text) }
            return words.joined(separator: " \(comparison.sign) ")
        case .guarded(let guarding, let guarded):
            return "\(text(guarding)) and then \(text(guarded))"
        case .areIn(let columns, let keys):
            let names = columns.map(name).joined(separator: ", ")
            return "(\(names)) in \(keys.flatMap { $0 }.list(show))"
        case .related(let rows):
            var words = "\(rows.entity.name) "
            words += rows.count.map { "count \($0.comparison.sign) ?" } ?? "is"
            if rows.slice != nil {
                let inner = rows.query.words(showing: show).joined(separator: " ")
                return "among (\(rows.entity.name) \(inner))"
            }
            if rows.condition == .constant(true) { return words }
            return words + " where (\(rows.condition.text(in: rows.entity, showing: show)))"
        case .isNil(let column): return "\(name(column)) is nil"
        case .field(let column, let test): return test.text(of: name(column), showing: show)
        case .not(let operand): return "not (\(text(operand)))"
        case .all(let operands): return operands.map(text).joined(separator: " and ")
        case .any(let operands): return "(" + operands.map(text).joined(separator: " or ") + ")"
        }
    }
}

extension StorageValue {
    /// The value as a log shows it.
    fileprivate var shown: String {
        switch self {
        case .null: "nil"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let text): text.debugDescription
        case .data(let bytes): "\(bytes.count) bytes"
        }
    }
}
