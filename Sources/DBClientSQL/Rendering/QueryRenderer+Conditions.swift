import DBClientCore

// What a row must fulfil.
extension QueryRenderer {
    mutating func append(_ condition: RowCondition) throws {
        switch condition {
        case .constant(let value): text.append(value ? "TRUE" : "FALSE")
        case .compare(let column, let comparison, _, let order):
            appendComparison(column, comparison, order)
        case .compareFields(let column, let comparison, let other):
            appendComparison(scope.entity.fields[column], comparison, scope.entity.fields[other])
        case .isIn(let column, let values):
            if values.isEmpty { return text.append("FALSE") }
            append(try text.dialect.form(ofMembers: values), column)
        case .areIn(let columns, let keys): try append(keys, columns)
        case .related(let rows): try append(rows)
        case .isNil(let column):
            text.append(column: scope.entity.fields[column].name)
            text.append(" IS NULL")
        case .matches(let column, let pattern):
            append(text.dialect.form(of: pattern), column)
        case .hasElement(let column, let json):
            append(text.dialect.form(ofElement: json), column)
        case .elementCount(let column, let comparison, let number):
            append(text.dialect.form(ofElementCount: comparison, number), column)
        case .not(.isNil(let column)):
            text.append(column: scope.entity.fields[column].name)
            text.append(" IS NOT NULL")
        case .not(let operand):
            // SQL's unknown counts as false, so its negation is true.
            text.append("(")
            try append(operand)
            text.append(") IS NOT TRUE")
        case .all(let operands):
            try append(operands[...], " AND ", ofNone: "TRUE") { try $0.append($1) }
        case .any(let operands):
            try append(operands[...], " OR ", ofNone: "FALSE") { try $0.append($1) }
        }
    }

    private mutating func append(_ keys: [[StorageValue]], _ columns: [Int]) throws {
        if keys.isEmpty { return text.append("FALSE") }
        let form = try text.dialect.form(ofKeys: keys)
        appendColumns(columns)
        text.append(" IN ")
        let types = columns.map { scope.entity.fields[$0].type }
        text.dialect.appendKeys(form, of: types, to: &text)
    }

    /// Appends operands as a balanced tree, since a parser nests a flat chain as deep as it is long.
    mutating func append<Operand>(
        _ operands: ArraySlice<Operand>,
        _ separator: String,
        ofNone: String,
        _ appendOne: (inout QueryRenderer, Operand) throws -> Void
    ) throws {
        if operands.isEmpty { return text.append(ofNone) }
        text.append("(")
        if operands.count > 32 {
            let middle = operands.startIndex + operands.count / 2
            try append(operands[..<middle], separator, ofNone: ofNone, appendOne)
            text.append(separator)
            try append(operands[middle...], separator, ofNone: ofNone, appendOne)
        } else {
            for (index, operand) in operands.enumerated() {
                if index > 0 { text.append(separator) }
                try appendOne(&self, operand)
            }
        }
        text.append(")")
    }

    private mutating func append(_ form: SQLForm, _ column: Int) {
        let field = scope.entity.fields[column]
        text.dialect.append(
            form,
            on: SQLColumn(
                table: scope.name,
                name: text.dialect.columnName(of: field.name),
                type: field.type
            ),
            to: &text
        )
    }

    private mutating func appendComparison(
        _ column: Int,
        _ comparison: Comparison,
        _ order: TextOrder
    ) {
        let field = scope.entity.fields[column]
        let isOrdered = order != .binary && field.type.slotKind == .text
        if isOrdered {
            text.dialect.append({ $0.append(column: field.name) }, in: order, to: &text)
        } else {
            text.dialect.appendComparable(
                { $0.append(column: field.name) },
                of: field.type,
                to: &text
            )
        }
        append(comparison)
        if isOrdered {
            text.dialect.append(
                { $0.appendParameter(comparedWith: field.type) },
                in: order,
                to: &text
            )
        } else {
            text.appendParameter(comparedWith: field.type)
        }
    }

    private mutating func appendComparison(
        _ left: FieldSchema,
        _ comparison: Comparison,
        _ right: FieldSchema
    ) {
        // Absent ones are equal, of which SQL's equality knows nothing.
        let isNegated = comparison == .equal && left.isOptional && right.isOptional
        if isNegated { text.append("NOT (") }
        text.dialect.appendComparable({ $0.append(column: left.name) }, of: left.type, to: &text)
        append(isNegated ? .notEqual : comparison)
        text.dialect.appendComparable({ $0.append(column: right.name) }, of: right.type, to: &text)
        // The columns of an adopted table may each have a collation of bytes of its own.
        if right.type.slotKind == .text, right.type != .json {
            text.append(" COLLATE \(text.dialect.byteCollation)")
        }
        if isNegated { text.append(")") }
    }

    mutating func append(_ comparison: Comparison) {
        switch comparison {
        case .equal: text.append(" = ")
        case .notEqual: text.append(" \(text.dialect.isDistinctFrom) ")
        case .less: text.append(" < ")
        case .lessOrEqual: text.append(" <= ")
        case .greater: text.append(" > ")
        case .greaterOrEqual: text.append(" >= ")
        }
    }
}
