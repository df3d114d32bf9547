import DBClientCore

// The rows of a walk: a subquery that has the columns of their table and the depth, so that the rest of a statement is as
// for any other table. In it a recursive table holds the keys of what was reached.
extension QueryRenderer {
    /// Appends the beginning of the subquery, up to the condition of the rows that the walk starts from.
    mutating func beginWalk(_ walk: RowWalk) {
        let names = WalkNames(walk, self)
        text.append("(WITH RECURSIVE ")
        text.append(identifier: names.table)
        text.append(" (")
        text.append(identifier: names.depth)
        text.append(", ")
        names.node.appendColumns(walk.entity.primaryKey, to: &text)
        text.append(") AS (SELECT \(names.words.start), ")
        appendKey(of: names.node, as: nil)
        text.append(" FROM ")
        text.append(table: names.node.name)
        outerScope = scope
        scope = Scope(table: names.node, name: names.node.name)
    }

    /// Appends the recursive part up to the condition of what may be reached.
    mutating func beginSteps(of walk: RowWalk) {
        let names = WalkNames(walk, self)
        text.append(" UNION SELECT ")
        text.append(template: names.words.next, of: names.appendDepth)
        text.append(", ")
        appendKey(of: names.node, as: WalkNames.next)
        text.append(" FROM ")
        text.append(identifier: names.table)
        text.append(" AS ")
        text.append(identifier: WalkNames.reached)
        var from = Scope(table: names.node, name: WalkNames.reached)
        if walk.steps[0].matching != walk.entity.primaryKey {
            let node = Scope(table: names.node, name: "node")
            appendTable(of: node)
            appendMatch(walk.entity.primaryKey, of: node, walk.entity.primaryKey, of: from)
            from = node
        }
        if walk.steps.count > 1 {
            let links = Scope(table: table(of: walk.steps[0].entity), name: "link")
            if looksUp(walk.steps[0]) {
                text.append(" CROSS JOIN LATERAL (SELECT ")
                links.table.appendColumns(links.entity.fields.indices, to: &text)
                text.append(" FROM ")
                text.append(table: links.table.name)
                text.append(" WHERE ")
                appendLookup(walk.steps[0], of: links.table, from: from)
                text.append(") AS ")
                text.append(identifier: links.name)
            } else {
                appendTable(of: links)
                appendMatch(walk.steps[0].columns, of: links, walk.steps[0].matching, of: from)
            }
        }
        let looksUp = walk.steps.count == 1 && looksUp(walk.steps[0])
        text.append(looksUp ? " CROSS JOIN LATERAL " : " JOIN ")
        if walk.passing.isTrue && !looksUp {
            text.append(table: names.node.name)
        } else {
            text.append("(SELECT ")
            let columns = Set(walk.entity.primaryKey + walk.steps[walk.steps.count - 1].columns)
            names.node.appendColumns(columns.sorted(), to: &text)
            text.append(" FROM ")
            text.append(table: names.node.name)
            text.append(" WHERE ")
            if walk.passing.isTrue { text.append("TRUE") }
        }
    }

    /// Whether each row is looked up for itself, since an index serves that: a planner that knows little of a table may
    /// read all of it for each level instead.
    private func looksUp(_ hop: RelatedRows) -> Bool {
        let entity = hop.entity
        return !traits.fence.isEmpty && hop.columns != entity.primaryKey
            && (entity.primaryKey.starts(with: hop.columns)
                || entity.indexes.contains { $0.fields.starts(with: hop.columns) })
    }

    /// Appends that a row of a table is one that a hop leads to.
    private mutating func appendLookup(_ hop: RelatedRows, of table: TableSQL, from: Scope) {
        let rows = Scope(table: table, name: table.name)
        text.append(zip(hop.columns, hop.matching), separator: " AND ") { text, pair in
            Self.append(pair.0, of: rows, equals: pair.1, of: from, to: &text)
        }
        text.append(traits.fence)
    }

    /// Appends the end of the recursive part and the rows of what was reached.
    mutating func endWalk(_ walk: RowWalk) {
        let names = WalkNames(walk, self)
        let reached = Scope(table: names.node, name: WalkNames.reached)
        let looksUp = walk.steps.count == 1 && looksUp(walk.steps[0])
        if looksUp {
            text.append(" AND ")
            appendLookup(walk.steps[0], of: names.node, from: reached)
        }
        if looksUp || !walk.passing.isTrue { text.append(")") }
        text.append(" AS ")
        text.append(identifier: WalkNames.next)
        let next = Scope(table: names.node, name: WalkNames.next)
        let last = walk.steps[walk.steps.count - 1]
        let before: Scope
        if walk.steps.count > 1 {
            before = Scope(table: table(of: walk.steps[0].entity), name: "link")
        } else if walk.steps[0].matching != walk.entity.primaryKey {
            before = Scope(table: names.node, name: "node")
        } else {
            before = reached
        }
        if !looksUp { appendMatch(last.columns, of: next, last.matching, of: before) }
        if walk.maximumDepth != nil {
            text.append(" WHERE ")
            text.append(template: names.words.value, of: names.appendDepth)
            text.append(" < ")
            text.appendParameter(comparedWith: .integer(bits: 64, signed: true))
        }
        let table = table
        text.append("\(names.words.order)) SELECT ")
        text.append(walk.entity.fields.indices) { text, column in
            text.append(column: names.node.columnName(column), of: WalkNames.next)
            text.append(" AS ")
            text.append(identifier: table.columnName(column))
        }
        text.append(", ")
        text.append(template: names.words.value, of: names.appendDepth)
        text.append(" AS ")
        text.append(identifier: table.columnName(walk.entity.fields.count))
        text.append(" FROM ")
        text.append(identifier: names.table)
        text.append(" AS ")
        text.append(identifier: WalkNames.reached)
        appendTable(of: next)
        appendMatch(walk.entity.primaryKey, of: next, walk.entity.primaryKey, of: reached)
        if !walk.includesStart {
            text.append(" WHERE ")
            text.append(template: names.words.value, of: names.appendDepth)
            text.append(" > 0")
        }
        if query.condition.canFail { appendFence() }
        text.append(") AS ")
        text.append(identifier: table.name)
        if let outerScope { scope = outerScope }
    }

    /// Appends the columns of a table's key as `UNION` compares them: by their bytes.
    private mutating func appendKey(of table: TableSQL, as alias: String?) {
        let bytes = " COLLATE \(traits.byteCollation)"
        text.append(table.entity.primaryKey) { text, column in
            text.append(column: table.columnName(column), of: alias)
            if table.form(of: column).value.contains(bytes) { text.append(bytes) }
        }
    }

    private mutating func appendTable(of scope: Scope) {
        text.append(" JOIN ")
        text.append(table: scope.table.name)
        text.append(" AS ")
        text.append(identifier: scope.name)
    }

    private mutating func appendMatch(
        _ columns: [Int],
        of inner: Scope,
        _ matching: [Int],
        of outer: Scope
    ) {
        text.append(" ON ")
        text.append(zip(columns, matching), separator: " AND ") { text, pair in
            Self.append(pair.0, of: inner, equals: pair.1, of: outer, to: &text)
        }
    }
}

/// What the tables and columns of a walk go by.
private struct WalkNames {
    /// The rows that a step leads to, and in the end those that were reached.
    static let next = "next"
    /// The recursive table where it is read.
    static let reached = "reached"

    /// The recursive table, whose name hides those of other tables.
    let table: String
    /// The column of that table that has the depth.
    let depth: String
    /// The table of the entity whose rows are walked.
    let node: TableSQL
    let words: SQLWalkDepth

    init(_ walk: RowWalk, _ renderer: QueryRenderer) {
        node = renderer.table(of: walk.entity)
        depth = renderer.unusedName("hop", in: walk.entity)
        words = renderer.traits.walkDepth ?? SQLWalkDepth(start: "0", next: "# + 1", value: "#")
        let dialect = renderer.dialect
        let taken = (renderer.related + [node]).map {
            Array(asciiFolded(dialect.parts(ofTable: $0.name).name))
        }
        var name = "walk"
        while taken.contains(Array(asciiFolded(name))) { name += "_" }
        table = name
    }

    func appendDepth(to text: inout SQLText) {
        text.append(column: depth, of: Self.reached)
    }
}
