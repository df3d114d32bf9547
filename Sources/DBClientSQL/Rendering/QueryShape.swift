import DBClientCore

/// A query taken apart: its shape, a few bytes to look a statement up by, and its constants.
struct QueryShape {
    /// The shape: equal bytes render equal SQL.
    var key = ShapeKey()
    /// The constants in the order of the placeholders.
    private(set) var parameters: [Slot] = []
    /// The other entities that the condition reaches.
    private(set) var relatedEntities: [EntitySchema] = []
    /// How many conditions are inside one another.
    private(set) var nesting = 0
    let dialect: any SQLDialect
    let joinsRelatedRows: Bool
    let negatesByExistence: Bool
    let integerSum: SQLIntegerSum
    private var level = 0
    /// What a grouping computes or looks up beside the fields.
    private var derivedFields: [RowGrouping.Key] = []
    /// Holds the bytes of the constants until they are bound.
    private let arena = RowBuffer(.constant, columns: [])

    /// Creates a shape of nothing yet.
    init(_ dialect: any SQLDialect) {
        self.dialect = dialect
        let traits = dialect.traits
        joinsRelatedRows = traits.joinsRelatedRows
        negatesByExistence = traits.negatesByExistence
        integerSum = traits.integerSum
    }

    /// Takes a verb and a query apart, in place of what was taken apart before.
    mutating func read(
        _ verb: QueryVerb,
        _ query: RowQuery,
        setting assignments: RowAssignments? = nil
    ) throws {
        arena.removeAll()
        parameters.removeAll(keepingCapacity: true)
        relatedEntities.removeAll(keepingCapacity: true)
        nesting = 0
        level = 0
        try write(verb, query, setting: assignments)
    }

    mutating func bind(_ value: StorageValue) {
        parameters.append(value.slot(in: arena))
    }
}

extension QueryShape: StatementSink {
    mutating func begin(
        _ verb: QueryVerb,
        _ query: RowQuery,
        _ assignments: RowAssignments?
    ) throws {
        key.begin(query.entity)
        switch verb {
        case .scan: key.add(.scan)
        case .select(let columns):
            key.add(.select)
            add(counted: columns)
        case .group(let rendered): try add(rendered)
        case .annotate(let annotations):
            key.add(.annotate)
            key.add(annotations.count)
            for annotation in annotations { try write(annotation) }
        case .count: key.add(.count)
        case .aggregate(let function, let column, let path):
            key.add(.aggregate)
            key.add(UInt8(truncatingIfNeeded: function.code))
            key.add(column)
            add(path)
        case .distinct(let column):
            key.add(.distinct)
            key.add(column)
        case .update(let columns, let computations, let returns):
            key.add(.update)
            key.add(returns ? 1 : 0 as UInt8)
            add(counted: columns)
            key.add(computations.count)
            if let assignments {
                for column in columns { parameters.append(assignments.values[0, column]) }
            }
            for computation in computations {
                key.add(computation.column)
                try write(computation.expression)
            }
        case .delete(let returns):
            key.add(.delete)
            key.add(returns ? 1 : 0 as UInt8)
        case .insert(let table, let columns, let values):
            key.add(.insert)
            key.add(table.entity)
            add(counted: columns)
            for value in values { try write(value) }
        }
    }

    mutating func order(by query: RowQuery) throws {
        for ordering in query.orderings {
            key.add(.ordering)
            key.add(ordering.column)
            key.add(
                (ordering.isDescending ? 1 : 0) | (ordering.nilsFirst ? 2 : 0)
                    | ordering.text.rawValue << 2
            )
            add(ordering.path)
            if let expression = ordering.expression { try write(expression) }
        }
    }

    mutating func limit(to count: Int) {
        key.add(.limit)
        bind(.integer(Int64(count)))
    }

    mutating func offset(by count: Int, isLimited: Bool) {
        key.add(.offset)
        bind(.integer(Int64(count)))
    }

    mutating func end(_ verb: QueryVerb, _ query: RowQuery) {}
    mutating func beginGroups(_ rendered: RenderedGrouping) {}
    mutating func beginHaving() {}
    mutating func endGroups(_ rendered: RenderedGrouping) {}

    mutating func beginPart(_ part: RowJoin.Part) {
        key.add(.part)
        key.add(part.entity)
        key.add(part.isOptional ? 1 : 0 as UInt8)
        relatedEntities.append(part.entity)
    }

    mutating func endParts(of join: RowJoin) {
        relatedEntities.append(join.parts[0].entity)
    }

    mutating func beginSteps(of walk: RowWalk) {
        key.add(.walk)
        relatedEntities.append(walk.entity)
        for step in walk.steps { add(step) }
        key.add((walk.includesStart ? 1 : 0) | (walk.maximumDepth == nil ? 0 : 2) as UInt8)
        key.add((walk.passing.isTrue ? 1 : 0) | (walk.steps.count > 1 ? 2 : 0) as UInt8)
    }

    mutating func endWalk(_ walk: RowWalk) {
        if let depth = walk.maximumDepth { bind(.integer(Int64(depth))) }
    }

    mutating func beginJoin(_ rows: RelatedRows) {
        key.add(.join)
        add(rows)
    }

    mutating func endJoin(_ rows: RelatedRows, _ outer: Void) {}
    mutating func beginWhere(isTrue: Bool, isWhole: Bool) {}
    mutating func endWhere(isTrue: Bool, isWhole: Bool) {}

    mutating func nest() {
        level += 1
        if level > nesting { nesting = level }
    }

    mutating func unnest() { level -= 1 }
    mutating func everyRow() { key.add(.always) }
    mutating func constant(_ value: Bool) { key.add(value ? .always : .never) }

    mutating func comparison(
        _ column: Int,
        _ comparison: Comparison,
        _ value: StorageValue,
        _ order: TextOrder
    ) {
        key.add(.compare)
        key.add(column)
        key.add(comparison.rawValue | order.rawValue << 4)
        bind(value)
    }

    mutating func fields(_ column: Int, _ comparison: Comparison, _ other: Int) {
        key.add(.compareFields)
        key.add(column)
        key.add(comparison.rawValue)
        key.add(other)
    }

    mutating func absence(of column: Int, isNegated: Bool) {
        if isNegated { key.add(.not) }
        key.add(.isNil)
        key.add(column)
    }

    mutating func form(_ form: SQLForm, of column: Int) {
        key.add(.form)
        key.add(Int(form.identifier))
        key.add(column)
        for constant in form.constants { bind(constant) }
    }

    mutating func keys(_ form: SQLForm, of columns: [Int]) {
        key.add(.areIn)
        add(counted: columns)
        key.add(Int(form.identifier))
        for constant in form.constants { bind(constant) }
    }

    mutating func beginNot() { key.add(.not) }
    mutating func endNot() {}

    mutating func beginList(_ conjunction: Conjunction, of count: Int) {
        key.add(conjunction == .and ? .all : .any)
        key.add(count)
    }

    mutating func openParenthesis() {}
    mutating func separate(_ conjunction: Conjunction) {}
    mutating func closeParenthesis() {}

    mutating func beginRelated(_ rows: RelatedRows, isNegated: Bool) {
        if isNegated { key.add(.not) }
        key.add(.related)
        add(rows)
        key.add(rows.count.map { $0.comparison.rawValue + 1 } ?? 0)
        key.add(rows.total.map { $0.comparison.rawValue + 1 } ?? 0)
        // Of a limit that follows, this says whose it is.
        key.add(
            rows.slice.map { ($0.limit == nil ? 1 : 3) | ($0.offset > 0 ? 4 : 0) } ?? 0 as UInt8
        )
        guard let total = rows.total else { return }
        key.add(total.function.code)
        key.add(total.column)
        add(total.path)
    }

    mutating func endRelated(_ rows: RelatedRows, _ outer: Void) {}

    mutating func beginAnnotation(_ annotation: RowAnnotation) {
        add(annotation.rows)
        key.add(annotation.term.function.map { $0.code + 1 } ?? 0)
        guard let operand = annotation.term.operand else { return }
        key.add(operand.column)
        add(operand.path)
    }

    mutating func endAnnotation(_ annotation: RowAnnotation, _ outer: Void) {}
    mutating func count(_ count: RowCount) { bind(.integer(Int64(count.number))) }

    mutating func total(_ total: RowTotal, of entity: EntitySchema, _ constants: [StorageValue]) {
        for constant in constants { bind(constant) }
    }

    mutating func comparison(
        _ term: RowGrouping.Term,
        _ comparison: Comparison,
        _ value: StorageValue
    ) {
        key.add(.compare)
        add(term)
        key.add(comparison.rawValue)
        bind(value)
    }

    mutating func absence(of term: RowGrouping.Term) {
        key.add(.isNil)
        add(term)
    }
}

extension QueryShape {
    private mutating func add(counted columns: [Int]) {
        key.add(columns.count)
        for column in columns { key.add(column) }
    }

    private mutating func add(_ path: [RelatedRows]) {
        key.add(path.count)
        for hop in path {
            relatedEntities.append(hop.entity)
            key.add(hop.entity)
            for column in hop.matching { key.add(column) }
            key.add(hop.shard == nil ? 0 : 1 as UInt8)
        }
        // The innermost row comes first in the text.
        for hop in path.reversed() {
            if let value = hop.shard?.value { bind(value) }
        }
    }

    /// Adds which rows belong to a row.
    private mutating func add(_ rows: RelatedRows) {
        relatedEntities.append(rows.entity)
        key.add(rows.entity)
        add(counted: rows.columns)
        for column in rows.matching { key.add(column) }
    }

    private mutating func add(_ rendered: RenderedGrouping) throws {
        let grouping = rendered.grouping
        key.add(.group)
        key.add((rendered.isFiltered ? 1 : 0) | (rendered.hasCheckedSums ? 2 : 0) as UInt8)
        derivedFields = rendered.derived
        key.add(grouping.keys.count)
        for field in grouping.keys { key.add(place(of: field)) }
        key.add(grouping.terms.count)
        for term in grouping.terms { add(term) }
        key.add(rendered.derived.count)
        for field in rendered.derived {
            if let expression = rendered.expression(of: field) {
                key.add(.computed)
                try write(expression)
            } else {
                key.add(field.column)
                add(field.path)
            }
        }
    }

    private mutating func add(_ term: RowGrouping.Term) {
        guard let operand = term.operand else { return key.add(0) }
        key.add(term.function.map { $0.code + 2 } ?? 1)
        key.add(place(of: operand))
    }

    /// Returns a number for a field of rows that are grouped: its column, or one that no column has.
    private func place(of field: RowGrouping.Key) -> Int {
        derivedFields.firstIndex(of: field).map { -1 - $0 } ?? field.column
    }
}
