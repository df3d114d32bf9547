import DBClientCore

// What distinguishes computed values; words follow from it.
extension QueryShape {
    mutating func words(_ sql: String) {}

    mutating func begin(_ part: ExpressionPart) {
        switch part {
        case .absence(let isNegated):
            if isNegated { key.add(.not) }
            key.add(.absence)
        case .guarded(let isRepeated):
            key.add(.guarded)
            key.add(isRepeated ? 1 : 0 as UInt8)
        case .firstPresent(let count):
            key.add(.firstPresent)
            key.add(count)
        case .choice: key.add(.choice)
        }
    }

    mutating func beginComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) {
        key.add(.computed)
        key.add(comparison.rawValue)
    }

    mutating func separateComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) {}

    mutating func endComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) {}

    mutating func field(_ column: Int, isComputedWith: Bool) {
        key.add(.fieldTerm)
        key.add(column)
    }

    mutating func constant(_ value: StorageValue, _ type: FieldType) {
        key.add(.constantTerm)
        key.add(type)
        bind(value)
    }

    mutating func call(
        _ function: RowFunction,
        _ type: FieldType,
        _ operands: [RowExpression],
        before operand: Int
    ) {
        guard operand == 0 else { return }
        key.add(.function)
        key.add(function.rawValue)
        key.add(type)
        key.add(operands.count)
        guard function.isOfZone, operands.count == 2, case .constant(let rules, _) = operands[1]
        else { return }
        for constant in dialect.constants(of: function, in: rules) { bind(constant) }
    }
}
