import DBClientCore

/// Writes the statement of a verb over a query.
///
/// It walks the query as `QueryShape` does.
struct QueryRenderer {
    private let table: TableSQL
    private let query: RowQuery
    private var text: SQLText

    private init(_ table: TableSQL, _ query: RowQuery) {
        self.table = table
        self.query = query
        text = SQLText(table.dialect)
    }

    /// Returns the statement.
    static func render(_ verb: QueryVerb, _ query: RowQuery, _ table: TableSQL) throws -> String {
        var renderer = QueryRenderer(table, query)
        try renderer.append(verb)
        return renderer.text.sql
    }

    private var entity: EntitySchema { table.entity }
    private var hasWindow: Bool { query.limit != nil || query.offset > 0 }

    private mutating func append(_ verb: QueryVerb) throws {
        switch verb {
        case .scan:
            text.append("SELECT ")
            table.appendColumns(entity.fields.indices, to: &text)
            text.append(" FROM ")
            text.append(identifier: table.name)
            try appendCondition()
        case .count:
            // The order does not matter to how many there are.
            text.append(
                hasWindow ? "SELECT COUNT(*) FROM (SELECT 1 FROM " : "SELECT COUNT(*) FROM "
            )
            text.append(identifier: table.name)
            try appendWhere()
            appendWindow()
            if hasWindow { text.append(") AS \"rows\"") }
        case .aggregate(let function, let column):
            let type = entity.fields[column].type
            try appendValues(of: column) { text, operand in
                if function == .sum && type.slotKind == .integer {
                    text.dialect.appendIntegerSum(of: operand, to: &text)
                } else {
                    text.dialect.append(function, of: operand, type, to: &text)
                }
            }
        case .distinct(let column):
            let type = entity.fields[column].type
            try appendValues(of: column) { text, operand in
                text.append("DISTINCT ")
                text.dialect.appendComparable(operand, of: type, to: &text)
            }
            text.append(" ORDER BY 1")
            text.dialect.appendNulls(RowOrdering(column: column), to: &text)
        case .update(let columns):
            table.appendUpdate(columns, to: &text)
            try appendTarget()
        case .delete:
            text.append("DELETE FROM ")
            text.append(identifier: table.name)
            try appendTarget()
        }
    }

    /// Appends a select of something made from one column, over the window's rows if there is one.
    private mutating func appendValues(
        of column: Int,
        _ result: (inout SQLText, (inout SQLText) -> Void) -> Void
    ) throws {
        let name = entity.fields[column].name
        text.append("SELECT ")
        guard hasWindow else {
            result(&text) { $0.append(column: name) }
            text.append(" FROM ")
            text.append(identifier: table.name)
            return try appendWhere()
        }
        result(&text) { $0.append("\"v\"") }
        text.append(" FROM (SELECT ")
        text.append(column: name)
        text.append(" AS \"v\" FROM ")
        text.append(identifier: table.name)
        try appendWhere()
        appendOrder()
        appendWindow()
        text.append(") AS \"rows\"")
    }

    /// Appends which rows are written.
    ///
    /// A window picks them by their keys.
    private mutating func appendTarget() throws {
        guard hasWindow else { return try appendWhere() }
        let isComposite = entity.primaryKey.count > 1
        text.append(isComposite ? " WHERE (" : " WHERE ")
        table.appendColumns(entity.primaryKey, to: &text)
        text.append(isComposite ? ") IN (SELECT " : " IN (SELECT ")
        table.appendColumns(entity.primaryKey, to: &text)
        text.append(" FROM ")
        text.append(identifier: table.name)
        try appendCondition()
        text.append(")")
    }

    /// Appends condition, order and window.
    private mutating func appendCondition() throws {
        try appendWhere()
        appendOrder()
        appendWindow()
    }
}

extension QueryRenderer {
    fileprivate mutating func appendWhere() throws {
        if case .constant(true) = query.condition { return }
        text.append(" WHERE ")
        try append(query.condition)
    }

    fileprivate mutating func appendOrder() {
        text.append(" ORDER BY ")
        let entity = entity
        text.append(query.totalOrder) { text, ordering in
            let field = entity.fields[ordering.column]
            if ordering.text == .binary {
                text.dialect.appendComparable(
                    { $0.append(column: field.name) },
                    of: field.type,
                    to: &text
                )
            } else {
                text.dialect.appendFolded({ $0.append(column: field.name) }, to: &text)
            }
            if ordering.isDescending { text.append(" DESC") }
            if field.isOptional { text.dialect.appendNulls(ordering, to: &text) }
        }
    }

    fileprivate mutating func appendWindow() {
        if query.limit != nil {
            text.append(" LIMIT ")
            text.appendParameter()
        } else if query.offset > 0, let unlimited = text.dialect.unlimited {
            text.append(" LIMIT ")
            text.append(unlimited)
        }
        if query.offset > 0 {
            text.append(" OFFSET ")
            text.appendParameter()
        }
    }

    private mutating func append(_ condition: RowCondition) throws {
        switch condition {
        case .constant(let value): text.append(value ? "TRUE" : "FALSE")
        case .compare(let column, let comparison, _, let order):
            appendComparison(column, comparison, order)
        case .isIn(let column, let values):
            if values.isEmpty { return text.append("FALSE") }
            append(try text.dialect.form(ofMembers: values), column)
        case .isNil(let column):
            text.append(column: entity.fields[column].name)
            text.append(" IS NULL")
        case .matches(let column, let pattern):
            append(text.dialect.form(of: pattern), column)
        case .hasElement(let column, let json):
            append(text.dialect.form(ofElement: json), column)
        case .not(.isNil(let column)):
            text.append(column: entity.fields[column].name)
            text.append(" IS NOT NULL")
        case .not(let operand):
            // SQL's unknown counts as false, so its negation is true.
            text.append("(")
            try append(operand)
            text.append(") IS NOT TRUE")
        case .all(let operands): try append(operands[...], " AND ", ofNone: "TRUE")
        case .any(let operands): try append(operands[...], " OR ", ofNone: "FALSE")
        }
    }

    /// Appends operands as a balanced tree, since a parser nests a flat chain as deep as it is long.
    private mutating func append(
        _ operands: ArraySlice<RowCondition>,
        _ separator: String,
        ofNone: String
    ) throws {
        if operands.isEmpty { return text.append(ofNone) }
        text.append("(")
        if operands.count > 32 {
            let middle = operands.startIndex + operands.count / 2
            try append(operands[..<middle], separator, ofNone: ofNone)
            text.append(separator)
            try append(operands[middle...], separator, ofNone: ofNone)
        } else {
            for (index, operand) in operands.enumerated() {
                if index > 0 { text.append(separator) }
                try append(operand)
            }
        }
        text.append(")")
    }

    private mutating func append(_ form: SQLForm, _ column: Int) {
        text.dialect.append(
            form,
            on: SQLColumn(
                table: table.name,
                name: text.dialect.columnName(of: entity.fields[column].name),
                type: entity.fields[column].type
            ),
            to: &text
        )
    }

    private mutating func appendComparison(
        _ column: Int,
        _ comparison: Comparison,
        _ order: TextOrder
    ) {
        let field = entity.fields[column]
        let isFolded = order == .caseInsensitive && field.type.slotKind == .text
        if isFolded {
            text.dialect.appendFolded({ $0.append(column: field.name) }, to: &text)
        } else {
            text.dialect.appendComparable(
                { $0.append(column: field.name) },
                of: field.type,
                to: &text
            )
        }
        switch comparison {
        case .equal: text.append(" = ")
        case .notEqual: text.append(" \(text.dialect.isDistinctFrom) ")
        case .less: text.append(" < ")
        case .lessOrEqual: text.append(" <= ")
        case .greater: text.append(" > ")
        case .greaterOrEqual: text.append(" >= ")
        }
        if isFolded {
            text.dialect.appendFolded(
                { $0.appendParameter(comparedWith: field.type) },
                to: &text
            )
        } else {
            text.appendParameter(comparedWith: field.type)
        }
    }
}
