import DBClientCore

/// A grouping as a statement has it.
struct RenderedGrouping {
    let grouping: RowGrouping
    /// Whether the condition on a group is part of the statement.
    let isFiltered: Bool
    /// Whether integers are summed by the database's own function, which fails where the sum leaves
    /// `Int64`, also on its way.
    let hasCheckedSums: Bool
    /// What is computed of each row, or looked up, before the rows are grouped.
    let derived: [RowGrouping.Key]
    /// Those of them whose rows the database counts.
    private let counted: [RowGrouping.Key]

    init(_ grouping: RowGrouping, isFiltered: Bool, hasCheckedSums: Bool) {
        self.grouping = grouping
        self.isFiltered = isFiltered
        self.hasCheckedSums = hasCheckedSums
        derived = grouping.derivedFields
        counted = derived.isEmpty ? [] : grouping.countedFields
    }

    /// Whether a term counts the rows that fulfil a condition.
    func counts(_ term: RowGrouping.Term) -> Bool {
        term.operand.map(counted.contains) ?? false
    }

    /// Returns what is computed for a field; nil for one that is looked up.
    func expression(of field: RowGrouping.Key) -> RowExpression? {
        counted.contains(field) ? RowGrouping.count(of: field) : field.expression
    }

    /// Whether a sum of reals is over what is computed: its text names that many times.
    fileprivate var computesReals: Bool {
        let entity = grouping.query.entity
        return grouping.allTerms.contains {
            $0.operand?.isOwnField == false && $0.addsReals(of: entity)
        }
    }
}

extension RowGrouping.Term {
    /// The type of the values of a sum that is exact, of decimals or, unless they are left out, integers; nil
    /// for what is none.
    func exactSumType(
        of entity: EntitySchema,
        besidesIntegers: Bool = false
    ) -> FieldType? {
        guard let function, let operand else { return nil }
        let type = operand.field(of: entity).type
        if besidesIntegers && type.slotKind == .integer { return nil }
        return function.isExactSum(of: type) ? type : nil
    }

    /// Whether it is a sum or an average of reals.
    func addsReals(of entity: EntitySchema) -> Bool {
        guard let function, let operand else { return false }
        return function.addsReals(of: operand.field(of: entity).type)
    }

    /// What a constant is that is compared with the term.
    func type(in entity: EntitySchema) -> FieldType {
        guard let function, let operand else { return .integer(bits: 64, signed: true) }
        return function == .average ? .double : operand.field(of: entity).type
    }
}

extension RowGrouping {
    /// Whether the database can decide which groups are wanted: unless the condition asks for an exact sum.
    ///
    /// The other values of a group are compared as they are returned, so `HAVING` means the same. A sum that
    /// leaves `Int64`, or `Decimal`, is an error on every engine, also where it is only compared: there SQLite
    /// fails while it adds integers up, in an order of its own, and PostgreSQL goes on with wider numbers and
    /// silently keeps or drops the group.
    var isFilteredByDatabase: Bool {
        var hasExactSum = false
        let counted = countedFields
        condition.visitTerms { term in
            if let operand = term.operand, counted.contains(operand) { return }
            if term.exactSumType(of: query.entity) != nil { hasExactSum = true }
        }
        return !hasExactSum
    }
}

extension QueryRenderer {
    /// Begins a select of groups: their keys, then their aggregates.
    mutating func begin(_ rendered: RenderedGrouping) throws {
        let grouping = rendered.grouping
        groupsNamedColumns = isNested(rendered)
        self.rendered = rendered
        groupsAllRows = grouping.keys.isEmpty
        text.append("SELECT ")
        appendKeys(of: rendered)
        var needsComma = !grouping.keys.isEmpty
        for term in grouping.terms {
            if needsComma { text.append(", ") }
            needsComma = true
            append(term, hasCheckedSums: rendered.hasCheckedSums)
        }
        if groupsNamedColumns {
            text.append(" FROM (SELECT ")
            try appendRows(of: grouping)
        }
        appendFrom()
    }

    /// Whether the rows are those of a subquery.
    func isNested(_ rendered: RenderedGrouping) -> Bool {
        query.hasWindow || !rendered.derived.isEmpty
    }

    /// Ends the subquery whose rows are grouped.
    mutating func endRows(of rendered: RenderedGrouping) {
        // An offset of the rows' own is a fence already.
        if rendered.computesReals && query.offset == 0 { text.append(traits.fence) }
        endRows()
    }

    mutating func beginGroups(_ rendered: RenderedGrouping) {
        // Of all rows there is one group, of none there is none.
        if groupsAllRows {
            return text.append(
                traits.filtersUngroupedRows ? " HAVING COUNT(*) > 0" : " GROUP BY 1 + 0"
            )
        }
        text.append(" GROUP BY ")
        appendKeys(of: rendered)
    }

    mutating func beginHaving() {
        text.append(groupsAllRows && traits.filtersUngroupedRows ? " AND " : " HAVING ")
    }

    mutating func endGroups(_ rendered: RenderedGrouping) {
        if groupsAllRows { return }
        text.append(" ORDER BY ")
        appendOrder(of: rendered.grouping.keys)
    }

    mutating func comparison(
        _ term: RowGrouping.Term,
        _ comparison: Comparison,
        _ value: StorageValue
    ) {
        append(term, isCompared: true)
        append(comparison)
        text.appendParameter(comparedWith: term.type(in: entity))
    }

    mutating func absence(of term: RowGrouping.Term) {
        append(term)
        text.append(" IS NULL")
    }

    /// Returns what a field goes by among the rows that are grouped: its column, or a name that no column has.
    private func name(of field: RowGrouping.Key) -> String {
        guard let place = rendered?.derived.firstIndex(of: field) else {
            return table.columnName(field.column)
        }
        return unusedName("derived\(place + 1)", in: entity)
    }

    /// Appends what is selected of the rows before they are grouped.
    private mutating func appendRows(of grouping: RowGrouping) throws {
        table.appendNamedValues(of: grouping.ownColumns, .ordered, to: &text)
        var needsComma = !grouping.ownColumns.isEmpty
        for field in rendered?.derived ?? [] {
            if needsComma { text.append(", ") }
            needsComma = true
            if let expression = rendered?.expression(of: field) {
                try append(expression, in: .binary)
            } else {
                reading(field.column, through: field.path)(&text)
            }
            text.append(" AS ")
            text.append(identifier: name(of: field))
        }
        // Rows of which nothing is wanted are counted.
        if !needsComma { text.append("1") }
    }

    private mutating func appendKeys(of rendered: RenderedGrouping) {
        let keys = rendered.grouping.keys
        let (table, isNamed) = (table, groupsNamedColumns)
        text.append(keys.map { ($0, name(of: $0)) }) { text, key in
            let (key, name) = key
            text.append(.comparable(key.field(of: table.entity).type)) { text in
                if isNamed { return text.append(identifier: name) }
                table.append(.ordered, of: key.column, to: &text)
            }
        }
    }

    /// Appends the keys by their places in the result: a name could mean that of a function as well, which
    /// the database gives to what the function returns.
    private mutating func appendOrder(of keys: [RowGrouping.Key]) {
        let entity = entity
        text.append(keys.enumerated()) { text, key in
            text.append("\(key.offset + 1)")
            if key.element.isOptional(in: entity) {
                text.appendNulls(RowOrdering(column: key.element.column))
            }
        }
    }

    private mutating func append(
        _ term: RowGrouping.Term,
        hasCheckedSums: Bool = false,
        isCompared: Bool = false
    ) {
        guard let field = term.operand else { return text.append("COUNT(*)") }
        let (table, isNamed, name) = (table, groupsNamedColumns, name(of: field))
        let operand: (inout SQLText) -> Void = { text in
            if isNamed { return text.append(identifier: name) }
            table.append(.ordered, of: field.column, to: &text)
        }
        let type = field.field(of: entity).type
        guard let function = term.function else {
            text.append("COUNT(DISTINCT ")
            text.append(.comparable(type), of: operand)
            return text.append(")")
        }
        if rendered?.counts(term) == true {
            text.append("COUNT(")
            operand(&text)
            text.append(")")
        } else if let type = term.exactSumType(of: entity, besidesIntegers: hasCheckedSums) {
            text.append(.exactSum(type), of: operand)
        } else {
            append(function, of: operand, type, isCompared: isCompared)
        }
    }
}
