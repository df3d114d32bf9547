import DBClientCore

/// Writes the statement of a verb over a query.
///
/// It walks the query as `QueryShape` does.
struct QueryRenderer {
    let table: TableSQL
    let query: RowQuery
    /// The tables of related rows.
    let related: [TableSQL]
    var text: SQLText
    /// The table whose rows the condition at hand is about.
    var scope: Scope
    /// How many subqueries were named.
    var aliasCount = 0
    /// In how many subqueries the condition at hand stands, in its part of the statement.
    var depth = 0
    /// The subqueries that stand before the statement, each before those that read it.
    var namedSubqueries: [(name: String, sql: String)] = []

    struct Scope {
        let entity: EntitySchema
        /// What the table goes by.
        let name: String
    }

    private init(_ table: TableSQL, _ query: RowQuery, _ related: [TableSQL]) {
        self.table = table
        self.query = query
        self.related = related
        text = SQLText(table.dialect)
        scope = Scope(entity: table.entity, name: table.name)
    }

    /// Returns the statement.
    static func render(
        _ verb: QueryVerb,
        _ query: RowQuery,
        _ table: TableSQL,
        _ related: [TableSQL]
    ) throws -> String {
        var renderer = QueryRenderer(table, query, related)
        if let naming = table.dialect.subqueryNaming, query.condition.nesting > maximumDepth {
            renderer.text.numberPlaceholders(after: naming.numberPrefix)
        }
        try renderer.append(verb)
        if renderer.namedSubqueries.isEmpty { return renderer.text.sql }
        var text = SQLText(table.dialect)
        text.append("WITH ")
        text.append(renderer.namedSubqueries) { text, subquery in
            text.append(identifier: subquery.name)
            text.append(" AS (\(subquery.sql))")
        }
        text.append(" ")
        return text.sql + renderer.text.sql
    }

    var entity: EntitySchema { table.entity }
    var hasWindow: Bool { query.limit != nil || query.offset > 0 }

    /// Returns a name for a result that no column of an entity has: in an order, a name alone means the
    /// result.
    func unusedName(_ base: String, in entity: EntitySchema) -> String {
        let dialect = text.dialect
        let taken = Set(entity.fields.map { Array(asciiFolded(dialect.columnName(of: $0.name))) })
        var name = base
        while taken.contains(Array(asciiFolded(name))) { name += "_" }
        return name
    }

    private mutating func append(_ verb: QueryVerb) throws {
        switch verb {
        case .scan: try appendSelect(entity.fields.indices)
        case .select(let columns): try appendSelect(columns)
        case .group(let rendered): try append(rendered)
        case .count:
            // The order does not matter to how many there are.
            text.append(hasWindow ? "SELECT COUNT(*) FROM (SELECT 1" : "SELECT COUNT(*)")
            try appendSource()
            appendWindow()
            if hasWindow { text.append(") AS \"rows\"") }
        case .aggregate(let function, let column, let path):
            let field = RowOrdering(column: column, path: path).field(of: entity)
            let type = field.type
            // What is named more than once is looked up once.
            let isNamed = !path.isEmpty && (function == .average || function.addsReals(of: type))
            try appendValues(of: field, through: path, isNamed: isNamed) { renderer, operand in
                if function.isExactSum(of: type) {
                    renderer.text.dialect.appendExactSum(of: operand, type, to: &renderer.text)
                } else {
                    renderer.append(function, of: operand, type)
                }
            }
        case .distinct(let column):
            let type = entity.fields[column].type
            try appendValues(of: entity.fields[column]) { renderer, operand in
                renderer.text.append("DISTINCT ")
                renderer.text.dialect.appendComparable(operand, of: type, to: &renderer.text)
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

    /// Appends a select of fields, in the order of the query.
    private mutating func appendSelect(_ columns: some Sequence<Int>) throws {
        text.append("SELECT ")
        table.appendColumns(columns, to: &text)
        try appendSource()
        appendOrder()
        appendWindow()
    }

    /// Appends a select of something made from one column, over the window's rows if there is one.
    private mutating func appendValues(
        of field: FieldSchema,
        through path: [RelatedRows] = [],
        isNamed: Bool = false,
        _ result: (inout QueryRenderer, @escaping (inout SQLText) -> Void) -> Void
    ) throws {
        let append = reading(field, through: path)
        text.append("SELECT ")
        guard hasWindow || isNamed else {
            result(&self, append)
            return try appendSource()
        }
        let name = unusedName("v", in: entity)
        result(&self) { $0.append(identifier: name) }
        text.append(" FROM (SELECT ")
        append(&text)
        text.append(" AS ")
        text.append(identifier: name)
        try appendSource()
        appendOrder()
        appendWindow()
        if !hasWindow { text.append(text.dialect.fence) }
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
        try appendWhere()
        appendOrder()
        appendWindow()
        text.append(")")
    }
}

extension QueryRenderer {
    private mutating func appendWhere() throws {
        try appendWhere(query.condition, isWhole: true)
    }

    /// Appends what rows must fulfil.
    ///
    /// - Parameters:
    ///   - condition: What they must fulfil.
    ///   - isWhole: Whether they are those of the statement, which also says what its tables must be.
    /// - Throws: What a condition throws that cannot be written.
    mutating func appendWhere(_ condition: RowCondition, isWhole: Bool) throws {
        let identities = isWhole ? ([table] + related).compactMap(\.identity) : []
        var isTrue = false
        if case .constant(true) = condition { isTrue = true }
        if isTrue && identities.isEmpty { return }
        text.append(" WHERE ")
        if !isTrue {
            if !identities.isEmpty { text.append("(") }
            try append(condition)
            if !identities.isEmpty { text.append(") AND ") }
        }
        text.append(identities, separator: " AND ") { $0.append($1.condition) }
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
                text.dialect.append(append, in: ordering.text, to: &text)
            }
            if ordering.isDescending { text.append(" DESC") }
            if field.isOptional || !ordering.path.isEmpty {
                text.dialect.appendNulls(ordering, to: &text)
            }
        }
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
}
