import DBClientCore

/// A grouping as a statement has it.
struct RenderedGrouping {
    let grouping: RowGrouping
    /// Whether the condition on a group is part of the statement.
    let isFiltered: Bool

    init(_ grouping: RowGrouping, isFiltered: Bool) {
        self.grouping = grouping
        self.isFiltered = isFiltered
    }

    /// Returns how many columns the sum of integers takes in a row.
    func sumWidth(in columnCount: Int) -> Int {
        let entity = grouping.query.entity
        let sums = grouping.terms.count { $0.isIntegerSum(of: entity) }
        let others = grouping.keys.count + grouping.terms.count - sums
        return sums == 0 ? 0 : (columnCount - others) / sums
    }
}

extension RowGrouping.Term {
    func isIntegerSum(of entity: EntitySchema) -> Bool {
        guard case .function(.sum, let column) = self else { return false }
        return entity.fields[column].type.slotKind == .integer
    }

    /// What a constant is that is compared with the term.
    func type(in entity: EntitySchema) -> FieldType {
        guard case .function(_, let column) = self else { return .integer(bits: 64, signed: true) }
        return entity.fields[column].type
    }

    /// The bytes that tell the term from others in a statement's shape.
    var code: [Int] {
        switch self {
        case .count: [0]
        case .function(.minimum, let column): [1, column]
        case .function(.maximum, let column): [2, column]
        case .function(.sum, let column): [3, column]
        case .function(.average, let column): [4, column]
        }
    }
}

extension RowGrouping {
    /// Whether the condition asks only for what every database tells in the field's own type: neither
    /// a sum nor an average.
    var hasPlainCondition: Bool {
        var isPlain = true
        condition.visitTerms { term in
            switch term {
            case .function(.sum, _), .function(.average, _): isPlain = false
            default: break
            }
        }
        return isPlain
    }
}

extension QueryShape {
    /// Takes keys and terms apart.
    mutating func add(_ rendered: RenderedGrouping) {
        key.add(.group)
        key.add(rendered.isFiltered ? 1 : 0 as UInt8)
        key.add(rendered.grouping.keys.count)
        for column in rendered.grouping.keys { key.add(column) }
        key.add(rendered.grouping.terms.count)
        for term in rendered.grouping.terms { add(term) }
    }

    /// Takes the condition on a group apart.
    mutating func add(_ condition: RowGroupCondition, _ arena: RowBuffer) {
        switch condition {
        case .constant(let value): key.add(value ? .always : .never)
        case .compare(let term, let comparison, let value):
            key.add(.compare)
            add(term)
            key.add(comparison.rawValue)
            parameters.append(value.slot(in: arena))
        case .isNil(let term):
            key.add(.isNil)
            add(term)
        case .not(let operand):
            key.add(.not)
            add(operand, arena)
        case .all(let operands), .any(let operands):
            if case .all = condition { key.add(.all) } else { key.add(.any) }
            key.add(operands.count)
            for operand in operands { add(operand, arena) }
        }
    }

    mutating func add(_ term: RowGrouping.Term) {
        for number in term.code { key.add(number) }
    }
}

extension QueryRenderer {
    /// Appends the select of groups.
    mutating func append(_ rendered: RenderedGrouping) throws {
        let grouping = rendered.grouping
        let keys = grouping.keys
        text.append("SELECT ")
        appendKeys(keys)
        for term in grouping.terms {
            text.append(", ")
            append(term)
        }
        text.append(" FROM ")
        if hasWindow {
            text.append("(SELECT ")
            table.appendColumns(grouping.columns.isEmpty ? keys : grouping.columns, to: &text)
            text.append(" FROM ")
            text.append(identifier: table.name)
            try appendWhere()
            appendOrder()
            appendWindow()
            text.append(") AS \"rows\"")
        } else {
            text.append(identifier: table.name)
            try appendWhere()
        }
        text.append(" GROUP BY ")
        appendKeys(keys)
        if rendered.isFiltered, grouping.condition != .constant(true) {
            text.append(" HAVING ")
            append(grouping.condition)
        }
        text.append(" ORDER BY ")
        appendKeys(keys, isOrder: true)
    }

    private mutating func appendKeys(_ keys: [Int], isOrder: Bool = false) {
        let entity = entity
        text.append(keys) { text, column in
            let field = entity.fields[column]
            text.dialect.appendComparable(
                { $0.append(column: field.name) },
                of: field.type,
                to: &text
            )
            if isOrder, field.isOptional {
                text.dialect.appendNulls(RowOrdering(column: column), to: &text)
            }
        }
    }

    private mutating func append(_ term: RowGrouping.Term) {
        guard case .function(let function, let column) = term else {
            return text.append("COUNT(*)")
        }
        let field = entity.fields[column]
        if term.isIntegerSum(of: entity) {
            text.dialect.appendIntegerSum(of: { $0.append(column: field.name) }, to: &text)
        } else {
            text.dialect.append(
                function,
                of: { $0.append(column: field.name) },
                field.type,
                to: &text
            )
        }
    }

    private mutating func append(_ condition: RowGroupCondition) {
        switch condition {
        case .constant(let value): text.append(value ? "TRUE" : "FALSE")
        case .compare(let term, let comparison, _):
            append(term)
            append(comparison)
            text.appendParameter(comparedWith: term.type(in: entity))
        case .isNil(let term):
            append(term)
            text.append(" IS NULL")
        case .not(let operand):
            // SQL's unknown counts as false, so its negation is true.
            text.append("(")
            append(operand)
            text.append(") IS NOT TRUE")
        case .all(let operands): append(operands, " AND ", ofNone: "TRUE")
        case .any(let operands): append(operands, " OR ", ofNone: "FALSE")
        }
    }

    private mutating func append(
        _ operands: [RowGroupCondition],
        _ separator: String,
        ofNone: String
    ) {
        if operands.isEmpty { return text.append(ofNone) }
        text.append("(")
        for (index, operand) in operands.enumerated() {
            if index > 0 { text.append(separator) }
            append(operand)
        }
        text.append(")")
    }
}
