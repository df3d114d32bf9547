import DBClientCore

/// Writes the statement of a verb over a query.
struct QueryRenderer {
    let table: TableSQL
    let query: RowQuery
    /// The tables of the entities of related rows that the query names.
    let related: [TableSQL]
    let traits: SQLTraits
    var text: SQLText
    /// The table whose rows the condition at hand is about.
    var scope: Scope
    /// The part of joined rows that is being joined.
    var joinedPart: RowJoin.Part?
    /// The scope behind the subquery of a walk, while that is written.
    var outerScope: Scope?
    /// The number of subqueries so far, from which each gets its name.
    var aliasCount = 0
    /// Whether what is grouped is a subquery's, under the names of the fields.
    var groupsNamedColumns = false
    /// Whether all rows are one group.
    var groupsAllRows = false
    /// The groups that the statement asks for, if it does.
    var rendered: RenderedGrouping?
    /// How many subqueries the current condition is nested in, in its part of the statement.
    var depth = 0
    /// The named subqueries that precede the statement, each before those that read it.
    var namedSubqueries: [(name: String, sql: String)] = []

    struct Scope {
        let table: TableSQL
        /// The name by which expressions refer to the table: its own, or an alias.
        let name: String

        var entity: EntitySchema { table.entity }
    }

    /// What is put aside while the parts of related rows are written.
    struct Outer {
        /// The table that the rows belong to.
        let scope: Scope
        let depth: Int
        /// What the table of the rows goes by.
        let alias: String
        /// The name of the subquery, where it precedes the statement, and what was written of that.
        var naming: SubqueryNaming?
        var text = ""
    }

    private init(_ table: TableSQL, _ query: RowQuery, _ related: [TableSQL]) {
        self.table = table
        self.query = query
        self.related = related
        traits = table.dialect.traits
        text = SQLText(table.dialect)
        scope = Scope(table: table, name: table.name)
    }

    /// Returns the text of a query's statement.
    static func render(
        _ verb: QueryVerb,
        _ query: RowQuery,
        _ table: TableSQL,
        _ related: [TableSQL]
    ) throws -> String {
        var renderer = QueryRenderer(table, query, related)
        let nesting = max(query.condition.nesting, query.walk?.passing.nesting ?? 0)
        if let naming = renderer.traits.subqueryNaming, nesting > maximumDepth {
            renderer.text.numberPlaceholders(after: naming.numberPrefix)
        }
        try renderer.write(verb, query)
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

    var dialect: any SQLDialect { text.dialect }
    var joinsRelatedRows: Bool { traits.joinsRelatedRows }
    var negatesByExistence: Bool { traits.negatesByExistence }
    var integerSum: SQLIntegerSum { traits.integerSum }
    var entity: EntitySchema { table.entity }

    /// Returns the table of an entity of the statement.
    func table(of entity: EntitySchema) -> TableSQL {
        if entity === table.entity { return table }
        return related.first { $0.entity === entity } ?? TableSQL(entity, dialect)
    }

    /// Returns a name for a result that no column of an entity has: in an order, a name alone means the
    /// result.
    func unusedName(_ base: String, in entity: EntitySchema) -> String {
        let dialect = text.dialect
        let taken = Set(entity.fields.map { Array(asciiFolded(dialect.columnName(of: $0.name))) })
        var name = base
        while taken.contains(Array(asciiFolded(name))) { name += "_" }
        return name
    }
}

extension QueryRenderer: StatementSink {
    mutating func begin(
        _ verb: QueryVerb,
        _ query: RowQuery,
        _ assignments: RowAssignments?
    ) throws {
        switch verb {
        case .scan: beginSelect(entity.fields.indices)
        case .select(let columns): beginSelect(columns)
        case .group(let rendered): try begin(rendered)
        case .annotate(let annotations):
            text.append("SELECT ")
            table.appendValues(of: entity.fields.indices, to: &text)
            for annotation in annotations {
                text.append(", ")
                try write(annotation)
            }
            appendFrom()
        case .count:
            text.append(query.hasWindow ? "SELECT COUNT(*) FROM (SELECT 1" : "SELECT COUNT(*)")
            appendFrom()
        case .aggregate(let function, let column, let path):
            let type = RowOrdering(column: column, path: path).type(of: entity)
            beginValues(of: column, through: path, isNamed: verb.isNamed(in: entity)) {
                renderer,
                operand in
                if function.isExactSum(of: type) {
                    renderer.text.append(.exactSum(type), of: operand)
                } else {
                    renderer.append(function, of: operand, type)
                }
            }
        case .distinct(let column):
            let type = entity.fields[column].type
            beginValues(of: column) { renderer, operand in
                renderer.text.append("DISTINCT ")
                renderer.text.append(.comparable(type), of: operand)
            }
        case .update(let columns, let computations, _):
            table.appendUpdate(columns, to: &text)
            for (index, computation) in computations.enumerated() {
                if index > 0 || !columns.isEmpty { text.append(", ") }
                text.append(column: entity.fields[computation.column].name)
                text.append(" = ")
                try write(computation.expression)
            }
            beginTarget()
        case .delete:
            text.append("DELETE FROM ")
            text.append(table: table.name)
            beginTarget()
        case .insert(let target, let columns, let values):
            text.append("INSERT INTO ")
            text.append(table: target.name)
            text.append(" (")
            target.appendColumns(columns, to: &text)
            text.append(") SELECT ")
            for (index, value) in values.enumerated() {
                if index > 0 { text.append(", ") }
                try write(value)
            }
            appendFrom()
        }
    }

    /// Appends the end of a select whose rows are those of a subquery, as `begin` has made it.
    mutating func end(_ verb: QueryVerb, _ query: RowQuery) {
        switch verb {
        case .scan, .select, .annotate, .insert: break
        case .count: if query.hasWindow { endRows() }
        case .aggregate:
            if query.hasWindow { return endRows() }
            guard verb.isNamed(in: entity) else { return }
            text.append(traits.fence)
            endRows()
        case .distinct(let column):
            if query.hasWindow { endRows() }
            text.append(" ORDER BY 1")
            text.appendNulls(RowOrdering(column: column))
        case .group(let rendered): if isNested(rendered) { endRows(of: rendered) }
        case .update(_, _, let returns), .delete(let returns):
            if query.hasWindow { text.append(")") }
            guard returns else { return }
            text.append(" RETURNING ")
            table.appendValues(of: entity.fields.indices, to: &text)
        }
    }

    mutating func endRows() {
        text.append(") AS \"rows\"")
    }

    mutating func order(by query: RowQuery) throws {
        text.append(" ORDER BY ")
        for (index, ordering) in query.totalOrder.enumerated() {
            if index > 0 { text.append(", ") }
            if let expression = ordering.expression {
                try append(expression, in: ordering.text, through: ordering.path)
            } else {
                let append = reading(ordering.column, through: ordering.path)
                if ordering.text == .binary {
                    text.append(.comparable(ordering.type(of: query.entity)), of: append)
                } else {
                    text.append(in: ordering.text, append)
                }
            }
            if ordering.isDescending { text.append(" DESC") }
            if ordering.isOptional(of: query.entity) { text.appendNulls(ordering) }
        }
    }

    mutating func limit(to count: Int) {
        text.append(" LIMIT ")
        text.appendParameter()
    }

    mutating func offset(by count: Int, isLimited: Bool) {
        if !isLimited, let unlimited = traits.unlimited {
            text.append(" LIMIT ")
            text.append(unlimited)
        }
        text.append(" OFFSET ")
        text.appendParameter()
    }
}

extension QueryRenderer {
    mutating func appendFrom() {
        text.append(" FROM ")
        if let join = query.join { return beginParts(of: join) }
        if let walk = query.walk { return beginWalk(walk) }
        text.append(table: table.name)
    }

    /// Begins a select of fields, in the form in which a row is read.
    private mutating func beginSelect(_ columns: some Sequence<Int>) {
        text.append("SELECT ")
        table.appendValues(of: columns, to: &text)
        appendFrom()
    }

    /// Appends a select of something made from one column, over the rows that the limit and the offset leave.
    private mutating func beginValues(
        of column: Int,
        through path: [RelatedRows] = [],
        isNamed: Bool = false,
        _ result: (inout QueryRenderer, @escaping (inout SQLText) -> Void) -> Void
    ) {
        let append = reading(column, through: path)
        text.append("SELECT ")
        guard query.hasWindow || isNamed else {
            result(&self, append)
            return appendFrom()
        }
        let name = unusedName("v", in: entity)
        result(&self) { $0.append(identifier: name) }
        text.append(" FROM (SELECT ")
        append(&text)
        text.append(" AS ")
        text.append(identifier: name)
        appendFrom()
    }

    /// Appends which rows are written.
    ///
    /// A limit or an offset picks them by their keys.
    private mutating func beginTarget() {
        guard query.hasWindow else { return }
        let isComposite = entity.primaryKey.count > 1
        text.append(isComposite ? " WHERE (" : " WHERE ")
        table.appendValues(of: entity.primaryKey, to: &text)
        text.append(isComposite ? ") IN (SELECT " : " IN (SELECT ")
        table.appendValues(of: entity.primaryKey, to: &text)
        appendFrom()
    }
}

extension QueryVerb {
    /// Whether an aggregate names what it is of more than once, and that is better looked up once.
    fileprivate func isNamed(in entity: EntitySchema) -> Bool {
        guard case .aggregate(let function, let column, let path) = self, !path.isEmpty else {
            return false
        }
        let type = RowOrdering(column: column, path: path).type(of: entity)
        return function == .average || function.addsReals(of: type)
    }
}
