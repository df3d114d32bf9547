import Foundation

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        switch (try context.operand(sequence), try context.operand(element)) {
        case (.constant(let values as LHS.Output), .field(let field)):
            return .condition(
                .member(
                    column: field.column,
                    of: try values.map { try context.storageValue(of: $0, for: field) }
                )
            )
        case (.field(let field), .constant(let value)):
            return .condition(try hasElement(value, in: field, context))
        default: throw context.unsupported("“contains” without a field and a constant")
        }
    }

    private func hasElement(
        _ value: Any?,
        in field: PredicateField,
        _ context: PredicateContext
    ) throws -> RowCondition {
        guard context.entity.fields[field.column].type == .json,
            LHS.Output.self is any StorableValue.Type, let value = flattened(value),
            let element = value as? any StorableValue & Encodable
        else { throw context.unsupported("“contains” on anything but a list of values") }
        return try context.entity.naming(field.column) {
            .hasElement(column: field.column, json: try StorageValue(json: element))
        }
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        try context.match(.contains, base, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        try context.match(.prefix, base, prefix)
    }
}

extension PredicateContext {
    fileprivate func match(
        _ kind: TextPattern.Kind,
        _ base: any PredicateExpression,
        _ other: any PredicateExpression
    ) throws -> PredicateOperand {
        guard case .field(let field) = try operand(base),
            case .constant(let value as String) = try operand(other),
            entity.fields[field.column].type == .text
        else { throw unsupported("a search in anything but a text field for a constant") }
        _ = try storageValue(of: value, for: field)
        return .condition(.matches(column: field.column, TextPattern(kind, value)))
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        let element = try context.operand(element)
        return .condition(
            try bounds(in: context).reduce(.constant(true)) { condition, bound in
                .conjunction(
                    condition,
                    try context.compare(element, bound.comparison, bound.value)
                )
            }
        )
    }

    private func bounds(in context: PredicateContext) throws -> [PredicateBound] {
        if let range = range as? any PredicateRange { return try range.bounds(in: context) }
        typealias Bound = RangeExpression.Output.Bound
        guard case .constant(let value) = try context.operand(range), let value else {
            throw context.unsupported("a range that is not constant")
        }
        switch value {
        case let range as Swift.Range<Bound>:
            return [.from(.constant(range.lowerBound)), .upTo(.constant(range.upperBound))]
        case let range as Swift.ClosedRange<Bound>:
            return [.from(.constant(range.lowerBound)), .through(.constant(range.upperBound))]
        case let range as PartialRangeFrom<Bound>: return [.from(.constant(range.lowerBound))]
        case let range as PartialRangeUpTo<Bound>: return [.upTo(.constant(range.upperBound))]
        case let range as PartialRangeThrough<Bound>:
            return [.through(.constant(range.upperBound))]
        default: throw context.unsupported("a range of an unknown kind")
        }
    }
}

/// One end of a range, as a comparison of a value with it.
struct PredicateBound {
    let comparison: Comparison
    let value: PredicateOperand

    static func from(_ value: PredicateOperand) -> Self {
        PredicateBound(comparison: .greaterOrEqual, value: value)
    }

    static func upTo(_ value: PredicateOperand) -> Self {
        PredicateBound(comparison: .less, value: value)
    }

    static func through(_ value: PredicateOperand) -> Self {
        PredicateBound(comparison: .lessOrEqual, value: value)
    }
}

/// A range written in the predicate itself.
private protocol PredicateRange {
    func bounds(in context: PredicateContext) throws -> [PredicateBound]
}

extension PredicateExpressions.Range: PredicateRange {
    func bounds(in context: PredicateContext) throws -> [PredicateBound] {
        [.from(try context.operand(lower)), .upTo(try context.operand(upper))]
    }
}

extension PredicateExpressions.ClosedRange: PredicateRange {
    func bounds(in context: PredicateContext) throws -> [PredicateBound] {
        [.from(try context.operand(lower)), .through(try context.operand(upper))]
    }
}
