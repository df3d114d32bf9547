import DBClientCore

/// Writes the statement of a verb over a query.
///
/// It walks the query as `QueryShape` does.
struct QueryRenderer {
    let table: TableSQL
    private let query: RowQuery
    var text: SQLText
    /// The table whose rows the condition at hand is about.
    private var scope: Scope
    /// How many subqueries were named.
    private var aliasCount = 0

    private struct Scope {
        let entity: EntitySchema
        /// What the table goes by.
        let name: String
    }

    private init(_ table: TableSQL, _ query: RowQuery) {
        self.table = table
        self.query = query
        text = SQLText(table.dialect)
        scope = Scope(entity: table.entity, name: table.name)
    }

    /// Returns the statement.
    static func render(_ verb: QueryVerb, _ query: RowQuery, _ table: TableSQL) throws -> String {
        var renderer = QueryRenderer(table, query)
        try renderer.append(verb)
        return renderer.text.sql
    }

    var entity: EntitySchema { table.entity }
    var hasWindow: Bool { query.limit != nil || query.offset > 0 }

    private mutating func append(_ verb: QueryVerb) throws {
        switch verb {
        case .scan:
            text.append("SELECT ")
            table.appendColumns(entity.fields.indices, to: &text)
            text.append(" FROM ")
            text.append(identifier: table.name)
            try appendCondition()
        case .select(let columns):
            text.append("SELECT ")
            table.appendColumns(columns, to: &text)
            text.append(" FROM ")
            text.append(identifier: table.name)
            try appendCondition()
        case .group(let rendered): try append(rendered)
        case .count:
            // The order does not matter to how many there are.
            text.append(
                hasWindow ? "SELECT COUNT(*) FROM (SELECT 1 FROM " : "SELECT COUNT(*) FROM "
            )
            text.append(identifier: table.name)
            try appendWhere()
            appendWindow()
            if hasWindow { text.append(") AS \"rows\"") }
        case .aggregate(let function, let column, let path):
            let field = RowOrdering(column: column, path: path).field(of: entity)
            let type = field.type
            try appendValues(of: field, through: path) { text, operand in
                if function == .sum && type.slotKind == .integer {
                    text.dialect.appendIntegerSum(of: operand, to: &text)
                } else {
                    text.dialect.append(function, of: operand, type, to: &text)
                }
            }
        case .distinct(let column):
            let type = entity.fields[column].type
            try appendValues(of: entity.fields[column]) { text, operand in
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
        of field: FieldSchema,
        through path: [RelatedRows] = [],
        _ result: (inout SQLText, (inout SQLText) -> Void) -> Void
    ) throws {
        let append = reading(field, through: path)
        text.append("SELECT ")
        guard hasWindow else {
            result(&text, append)
            text.append(" FROM ")
            text.append(identifier: table.name)
            return try appendWhere()
        }
        result(&text) { $0.append("\"v\"") }
        text.append(" FROM (SELECT ")
        append(&text)
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
    mutating func appendWhere() throws {
        if case .constant(true) = query.condition { return }
        text.append(" WHERE ")
        try append(query.condition)
    }

    mutating func appendOrder() {
        text.append(" ORDER BY ")
        for (index, ordering) in query.totalOrder.enumerated() {
            if index > 0 { text.append(", ") }
            let field = ordering.field(of: entity)
            let append = reading(field, through: ordering.path)
            if ordering.text == .binary {
                text.dialect.appendComparable(append, of: field.type, to: &text)
            } else {
                text.dialect.appendFolded(append, to: &text)
            }
            if ordering.isDescending { text.append(" DESC") }
            if field.isOptional || !ordering.path.isEmpty {
                text.dialect.appendNulls(ordering, to: &text)
            }
        }
    }

    /// Returns what appends a field of the rows, or of those that a path leads to.
    private mutating func reading(
        _ field: FieldSchema,
        through path: [RelatedRows]
    ) -> (inout SQLText) -> Void {
        let root = Scope(entity: entity, name: table.name)
        let aliases = path.map { _ in nextAlias() }
        return { text in
            Self.append(field, through: path[...], aliases[...], from: root, to: &text)
        }
    }

    /// Appends a field of the row that a path leads to: a subquery for each hop, of at most one row.
    private static func append(
        _ field: FieldSchema,
        through path: ArraySlice<RelatedRows>,
        _ aliases: ArraySlice<String>,
        from outer: Scope,
        to text: inout SQLText
    ) {
        guard let hop = path.first, let alias = aliases.first else {
            return text.append(column: field.name)
        }
        let inner = Scope(entity: hop.entity, name: alias)
        text.append("(SELECT ")
        append(field, through: path.dropFirst(), aliases.dropFirst(), from: inner, to: &text)
        text.append(" FROM ")
        text.append(identifier: text.dialect.tableName(of: hop.entity))
        text.append(" AS ")
        text.append(identifier: alias)
        var conjunction = " WHERE "
        for (column, matching) in zip(hop.columns, hop.matching) {
            text.append(conjunction)
            append(column, of: inner, equals: matching, of: outer, to: &text)
            conjunction = " AND "
        }
        text.append(")")
    }

    private static func append(
        _ column: Int,
        of inner: Scope,
        equals matching: Int,
        of outer: Scope,
        to text: inout SQLText
    ) {
        text.append(identifier: inner.name)
        text.append(".")
        text.append(column: inner.entity.fields[column].name)
        text.append(" = ")
        text.append(identifier: outer.name)
        text.append(".")
        text.append(column: outer.entity.fields[matching].name)
    }

    mutating func appendWindow() {
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
        case .areIn(let columns, let keys): appendKeys(columns, keys.count)
        case .related(let rows): try append(rows)
        case .isNil(let column):
            text.append(column: scope.entity.fields[column].name)
            text.append(" IS NULL")
        case .matches(let column, let pattern):
            append(text.dialect.form(of: pattern), column)
        case .hasElement(let column, let json):
            append(text.dialect.form(ofElement: json), column)
        case .not(.isNil(let column)):
            text.append(column: scope.entity.fields[column].name)
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

    private mutating func appendKeys(_ columns: [Int], _ count: Int) {
        if count == 0 { return text.append("FALSE") }
        appendColumns(columns)
        text.append(" IN ")
        let types = columns.map { scope.entity.fields[$0].type }
        text.dialect.appendKeys(SQLKeyList.placeholderRows(for: count), of: types, to: &text)
    }

    /// Appends columns of the scope, a row of them when they are several.
    private mutating func appendColumns(_ columns: [Int]) {
        if columns.count > 1 { text.append("(") }
        let fields = scope.entity.fields
        text.append(columns) { $0.append(column: fields[$1].name) }
        if columns.count > 1 { text.append(")") }
    }

    /// Appends a condition on related rows: membership in a subquery that stands alone, which an index
    /// of either side serves, or a count of the rows of one.
    private mutating func append(_ rows: RelatedRows) throws {
        let outer = scope
        let inner = Scope(entity: rows.entity, name: nextAlias())
        let tableName = text.dialect.tableName(of: rows.entity)
        if rows.count == nil {
            appendColumns(rows.matching)
            text.append(" IN (SELECT ")
            let fields = rows.entity.fields
            text.append(rows.columns) { $0.append(column: fields[$1].name) }
        } else {
            text.append("(SELECT COUNT(*)")
        }
        text.append(" FROM ")
        text.append(identifier: tableName)
        text.append(" AS ")
        text.append(identifier: inner.name)
        scope = inner
        var conjunction = " WHERE "
        if rows.count != nil {
            for (column, matching) in zip(rows.columns, rows.matching) {
                text.append(conjunction)
                Self.append(column, of: inner, equals: matching, of: outer, to: &text)
                conjunction = " AND "
            }
        }
        if rows.condition != .constant(true) {
            text.append(conjunction)
            try append(rows.condition)
        }
        scope = outer
        text.append(")")
        guard let count = rows.count else { return }
        switch count.comparison {
        case .equal: text.append(" = ")
        case .notEqual: text.append(" <> ")
        case .less: text.append(" < ")
        case .lessOrEqual: text.append(" <= ")
        case .greater: text.append(" > ")
        case .greaterOrEqual: text.append(" >= ")
        }
        text.appendParameter()
    }

    /// Returns a name for a subquery's table that the statement's own table has not.
    private mutating func nextAlias() -> String {
        aliasCount += 1
        let alias = "related\(aliasCount)"
        let isTaken = asciiFolded(table.name).elementsEqual(alias.utf8)
        return isTaken ? "held\(aliasCount)" : alias
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
        append(comparison)
        if isFolded {
            text.dialect.appendFolded(
                { $0.appendParameter(comparedWith: field.type) },
                to: &text
            )
        } else {
            text.appendParameter(comparedWith: field.type)
        }
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
