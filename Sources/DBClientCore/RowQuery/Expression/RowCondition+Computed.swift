// Conditions with computed values, which may have no answer for a row.
extension RowCondition {
    /// Whether there are rows for which the condition has no answer and ``RowPredicate/check()`` throws.
    public var canFail: Bool {
        switch self {
        case .computed(let left, _, let right): left.canFail || right.canFail
        case .guarded(let guarding, let guarded): guarding.canFail || guarded.canFail
        case .not(let operand): operand.canFail
        case .all(let operands), .any(let operands): operands.contains(where: \.canFail)
        case .related(let rows): rows.condition.canFail || rows.slice?.canFail ?? false
        default: false
        }
    }

    /// Returns the comparison of computed values, by Swift's rules for nil.
    static func comparing(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) -> RowCondition {
        switch (left, right) {
        case (_, .constant(.null, _)), (.constant(.null, _), _):
            comparison.isOfEquality ? .computed(left, comparison, right) : .constant(false)
        default: .computed(left, comparison, right)
        }
    }

    /// Returns a condition that is true when both are, where one of them may have no answer.
    ///
    /// What has one is asked first, so that it keeps the other from rows; else the first is.
    static func guardedConjunction(_ left: RowCondition, _ right: RowCondition) -> RowCondition {
        let (left, right) = (left.guardedParts, right.guardedParts)
        let certain = conjunction(left.certain, right.certain)
        guard let first = left.uncertain else { return certain.guarding(right.uncertain) }
        return certain.guarding(right.uncertain.map { .guarded(first, $0) } ?? first)
    }

    /// Returns a condition that is true when either is, where one of them may have no answer.
    static func guardedDisjunction(_ left: RowCondition, _ right: RowCondition) -> RowCondition {
        .not(guardedConjunction(.not(left), .not(right)))
    }

    /// What has an answer for every row, and what may have none, if anything.
    private var guardedParts: (certain: RowCondition, uncertain: RowCondition?) {
        guard canFail else { return (self, nil) }
        if case .guarded(let guarding, let guarded) = self, !guarding.canFail {
            return (guarding, guarded)
        }
        return (.constant(true), self)
    }

    private func guarding(_ guarded: RowCondition?) -> RowCondition {
        guard let guarded else { return self }
        return self == .constant(true) ? guarded : .guarded(self, guarded)
    }
}
