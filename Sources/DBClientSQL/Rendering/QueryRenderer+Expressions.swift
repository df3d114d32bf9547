import DBClientCore

// Computed values.
extension QueryRenderer {
    mutating func words(_ sql: String) { text.append(sql) }
    mutating func begin(_ part: ExpressionPart) {}

    mutating func beginComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) {
        if areNullsEqual(left, comparison, right) { text.append("NOT (") }
    }

    mutating func separateComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) {
        append(areNullsEqual(left, comparison, right) ? .notEqual : comparison)
    }

    mutating func endComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) {
        if left.type(in: scope.entity).slotKind == .text {
            text.append(" COLLATE \(traits.byteCollation)")
        }
        if areNullsEqual(left, comparison, right) { text.append(")") }
    }

    /// Whether absent values make a comparison true, of which SQL's equality knows nothing.
    private func areNullsEqual(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) -> Bool {
        comparison == .equal && left.isOptional(in: scope.entity)
            && right.isOptional(in: scope.entity)
    }

    /// Appends an expression as a key of an order, by default of the row's own fields.
    mutating func append(
        _ expression: RowExpression,
        in order: TextOrder,
        through path: [RelatedRows] = []
    ) throws {
        guard order != .binary else {
            try write(expression, through: path[...])
            if expression.type(in: path.last?.entity ?? scope.entity).slotKind == .text {
                text.append(" COLLATE \(traits.byteCollation)")
            }
            return
        }
        let parts = text.template(of: order).split(
            separator: "#",
            omittingEmptySubsequences: false
        )
        text.append(String(parts[0]))
        try write(expression, through: path[...])
        text.append(parts.count > 1 ? String(parts[1]) : "")
    }

    mutating func field(_ column: Int, isComputedWith: Bool) {
        let table = scope.table
        let type = scope.entity.fields[column].type
        text.append(.field(type, isComputedWith: isComputedWith)) {
            table.append(.ordered, of: column, to: &$0)
        }
    }

    mutating func constant(_ value: StorageValue, _ type: FieldType) {
        text.append(.constant(type))
    }

    mutating func call(
        _ function: RowFunction,
        _ type: FieldType,
        _ operands: [RowExpression],
        before operand: Int
    ) {
        let call = RowFunctionCall(
            function,
            returning: type,
            of: operands[0].type(in: scope.entity),
            count: operands.count
        )
        let parts = dialect.template(of: .function(call))
            .split(separator: "#", omittingEmptySubsequences: false)
        assert(
            parts.count == (function.isOfZone ? 1 : operands.count) + 1,
            "\(function) must name each operand once"
        )
        text.append(template: String(parts[operand])) { _ in }
    }
}
