import DBClientCore

// What a row must fulfil.
extension QueryRenderer {
    mutating func beginWhere(isTrue: Bool, isWhole: Bool) {
        let hasIdentities = isWhole && !identities.isEmpty
        if isTrue && !hasIdentities { return }
        text.append(" WHERE ")
        if !isTrue && hasIdentities { text.append("(") }
    }

    mutating func endWhere(isTrue: Bool, isWhole: Bool) {
        let identities = isWhole ? identities : []
        if !isTrue && !identities.isEmpty { text.append(") AND ") }
        text.append(identities, separator: " AND ") { $0.append($1.condition) }
    }

    /// The conditions that identify the tables, as far as other tables may take their names.
    private var identities: [SQLTableIdentity] { ([table] + related).compactMap(\.identity) }

    // The depth of nested conditions is known before.
    mutating func nest() {}
    mutating func unnest() {}
    mutating func everyRow() {}
    mutating func constant(_ value: Bool) { text.append(value ? "TRUE" : "FALSE") }

    mutating func absence(of column: Int, isNegated: Bool) {
        text.append(column: scope.entity.fields[column].name)
        text.append(isNegated ? " IS NOT NULL" : " IS NULL")
    }

    mutating func form(_ form: SQLForm, of column: Int) {
        let field = scope.entity.fields[column]
        let count = text.parameterCount
        text.append(
            form,
            on: SQLColumn(
                table: scope.name,
                name: scope.table.columnName(column),
                type: field.type,
                form: scope.table.form(of: column)
            )
        )
        assert(text.parameterCount - count == form.constants.count, "\(form.identifier)")
    }

    mutating func keys(_ form: SQLForm, of columns: [Int]) {
        appendColumns(columns)
        text.append(" IN ")
        let count = text.parameterCount
        text.append(.keys(form, columns.map { scope.entity.fields[$0].type }))
        assert(text.parameterCount - count == form.constants.count, "\(form.identifier)")
    }

    // SQL's unknown counts as false, so its negation is true.
    mutating func beginNot() { text.append("(") }
    mutating func endNot() { text.append(") IS NOT TRUE") }

    mutating func beginList(_ conjunction: Conjunction, of count: Int) {
        if count == 0 { constant(conjunction == .and) }
    }

    mutating func openParenthesis() { text.append("(") }
    mutating func separate(_ conjunction: Conjunction) {
        text.append(conjunction == .and ? " AND " : " OR ")
    }
    mutating func closeParenthesis() { text.append(")") }

    mutating func comparison(
        _ column: Int,
        _ comparison: Comparison,
        _ value: StorageValue,
        _ order: TextOrder
    ) {
        let table = scope.table
        let type = scope.entity.fields[column].type
        let parameter: (inout SQLText) -> Void = { $0.appendParameter(comparedWith: type) }
        if order != .binary, type.slotKind == .text {
            text.append(in: order) { table.append(of: column, to: &$0) }
            append(comparison)
            text.append(in: order, parameter)
        } else if let compared = table.form(of: column).constant(for: comparison) {
            text.append(column: scope.entity.fields[column].name)
            append(comparison)
            text.append(template: compared, of: parameter)
        } else {
            let part: TableSQL.ColumnPart = comparison.isOfEquality ? .value : .ordered
            text.append(.comparable(type)) { table.append(part, of: column, to: &$0) }
            append(comparison)
            parameter(&text)
        }
    }

    mutating func fields(_ column: Int, _ comparison: Comparison, _ other: Int) {
        let (left, right) = (scope.entity.fields[column], scope.entity.fields[other])
        // Absent ones are equal, of which SQL's equality knows nothing.
        let isNegated = comparison == .equal && isOptional(column) && isOptional(other)
        if isNegated { text.append("NOT (") }
        let table = scope.table
        text.append(.comparable(left.type)) { table.append(of: column, to: &$0) }
        append(isNegated ? .notEqual : comparison)
        text.append(.comparable(right.type)) { table.append(of: other, to: &$0) }
        // The columns of an adopted table may each have a collation of bytes of its own.
        if right.type.slotKind == .text, right.type != .json {
            text.append(" COLLATE \(traits.byteCollation)")
        }
        if isNegated { text.append(")") }
    }

    mutating func append(_ comparison: Comparison) {
        append(comparison, differing: traits.isDistinctFrom)
    }

    /// Appends a comparison of values that are never null, given what says that they differ.
    mutating func append(_ comparison: Comparison, differing: String) {
        text.append(" \(comparison.sign(differing: differing)) ")
    }
}
