import DBClientCore

/// A grouping as a statement has it.
struct RenderedGrouping {
    let grouping: RowGrouping
    /// Whether the condition on a group is part of the statement.
    let isFiltered: Bool
    /// Whether integers are summed by the database's own function, which fails where the sum leaves
    /// `Int64`, also on its way.
    let hasCheckedSums: Bool

    init(_ grouping: RowGrouping, isFiltered: Bool, hasCheckedSums: Bool) {
        self.grouping = grouping
        self.isFiltered = isFiltered
        self.hasCheckedSums = hasCheckedSums
    }
}

extension RowGrouping.Term {
    /// The type of the values of a sum that is exact, of decimals or, unless they are left out, integers; nil
    /// for what is none.
    func exactSumType(
        of entity: EntitySchema,
        besidesIntegers: Bool = false
    ) -> FieldType? {
        guard case .function(let function, let column) = self else { return nil }
        let type = entity.fields[column].type
        if besidesIntegers && type.slotKind == .integer { return nil }
        return function.isExactSum(of: type) ? type : nil
    }

    /// Whether it is a sum or an average of reals.
    func addsReals(of entity: EntitySchema) -> Bool {
        guard case .function(let function, let column) = self else { return false }
        return function.addsReals(of: entity.fields[column].type)
    }

    /// What a constant is that is compared with the term.
    func type(in entity: EntitySchema) -> FieldType {
        switch self {
        case .count, .heldFunction: .integer(bits: 64, signed: true)
        case .function(.average, _): .double
        case .function(_, let column): entity.fields[column].type
        }
    }

    /// The bytes that identify the term in a statement's shape.
    var code: [Int] {
        switch self {
        case .count, .heldFunction: [0]
        case .function(.minimum, let column): [1, column]
        case .function(.maximum, let column): [2, column]
        case .function(.sum, let column): [3, column]
        case .function(.average, let column): [4, column]
        }
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
        condition.visitTerms { if $0.exactSumType(of: query.entity) != nil { hasExactSum = true } }
        return !hasExactSum
    }
}

extension QueryRenderer {
    /// Appends the select of groups.
    mutating func begin(_ rendered: RenderedGrouping) {
        let grouping = rendered.grouping
        groupsNamedColumns = isNested(rendered)
        text.append("SELECT ")
        appendKeys(of: rendered)
        for term in grouping.terms {
            text.append(", ")
            append(term, hasCheckedSums: rendered.hasCheckedSums)
        }
        if groupsNamedColumns {
            text.append(" FROM (SELECT ")
            appendRows(of: grouping)
        }
        appendFrom()
    }

    /// Whether the rows are those of a subquery.
    func isNested(_ rendered: RenderedGrouping) -> Bool {
        query.hasWindow || rendered.grouping.reachesRelatedRows
    }

    mutating func beginGroups(_ rendered: RenderedGrouping) {
        text.append(" GROUP BY ")
        appendKeys(of: rendered)
    }

    mutating func beginHaving() { text.append(" HAVING ") }

    mutating func endGroups(_ rendered: RenderedGrouping) {
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

    /// Returns what each key goes by: its column, or a name that no column has.
    private func names(of keys: [RowGrouping.Key]) -> [String] {
        keys.enumerated().map { index, key in
            key.path.isEmpty
                ? text.dialect.columnName(of: entity.fields[key.column].name)
                : unusedName("key\(index + 1)", in: entity)
        }
    }

    /// Appends what is selected of the rows before they are grouped.
    private mutating func appendRows(of grouping: RowGrouping) {
        table.appendNamedValues(of: grouping.ownColumns, .ordered, to: &text)
        var needsComma = !grouping.ownColumns.isEmpty
        for (key, name) in zip(grouping.keys, names(of: grouping.keys)) where !key.path.isEmpty {
            if needsComma { text.append(", ") }
            needsComma = true
            reading(key.column, through: key.path)(&text)
            text.append(" AS ")
            text.append(identifier: name)
        }
    }

    private mutating func appendKeys(of rendered: RenderedGrouping) {
        let keys = rendered.grouping.keys
        let (table, isNamed) = (table, groupsNamedColumns)
        text.append(zip(keys, names(of: keys))) { text, key in
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
        guard case .function(let function, let column) = term else {
            return text.append("COUNT(*)")
        }
        let (table, isNamed) = (table, groupsNamedColumns)
        let operand: (inout SQLText) -> Void = { text in
            if isNamed { return text.append(column: table.entity.fields[column].name) }
            table.append(.ordered, of: column, to: &text)
        }
        if let type = term.exactSumType(of: entity, besidesIntegers: hasCheckedSums) {
            text.append(.exactSum(type), of: operand)
        } else {
            append(function, of: operand, entity.fields[column].type, isCompared: isCompared)
        }
    }
}
