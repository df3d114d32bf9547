import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        .condition(.conjunction(try context.condition(lhs), try context.condition(rhs)))
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        .condition(.disjunction(try context.condition(lhs), try context.condition(rhs)))
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        .condition(.not(try context.condition(wrapped)))
    }
}

extension PredicateExpressions.Equal: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        .condition(
            try context.compare(try context.operand(lhs), .equal, try context.operand(rhs))
        )
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        .condition(
            try context.compare(try context.operand(lhs), .notEqual, try context.operand(rhs))
        )
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        let comparison: Comparison =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw context.unsupported("an unknown comparison")
            }
        return .condition(
            try context.compare(try context.operand(lhs), comparison, try context.operand(rhs))
        )
    }
}
