// Conditions on rows that have the fields at other positions.
extension RowCondition {
    /// Returns the condition on rows that have the fields at other positions.
    func placed(_ position: (Int) -> Int) -> RowCondition {
        switch self {
        case .constant: self
        case .compare(let column, let comparison, let value, let text):
            .compare(column: position(column), comparison, value, text)
        case .compareFields(let column, let comparison, let other):
            .compareFields(column: position(column), comparison, to: position(other))
        case .computed(let left, let comparison, let right):
            .computed(left.placed(position), comparison, right.placed(position))
        case .guarded(let guarding, let guarded):
            .guarded(guarding.placed(position), guarded.placed(position))
        case .isNil(let column): .isNil(column: position(column))
        case .field(let column, let test): .field(column: position(column), test)
        case .areIn(let columns, let keys): .areIn(columns: columns.map(position), keys)
        case .related(let rows):
            .related(rows.matching(rows.matching.map(position)))
        case .not(let condition): .not(condition.placed(position))
        case .all(let conditions): .all(conditions.map { $0.placed(position) })
        case .any(let conditions): .any(conditions.map { $0.placed(position) })
        }
    }
}

extension RowCondition {
    /// The conditions all of which must be true, those that have an answer for every row first.
    var operands: [RowCondition] {
        switch self {
        case .constant(true): []
        case .all(let operands): operands.flatMap(\.operands)
        case .guarded(let guarding, let guarded) where !guarding.canFail:
            guarding.operands + [guarded]
        default: [self]
        }
    }
}

extension RowExpression {
    fileprivate func placed(_ position: (Int) -> Int) -> RowExpression {
        mapped(position) { $0.placed(position) }
    }
}
