import DBClientCore
import Foundation

extension FieldAccess where Value: StorableValue & Comparable & Codable {
    /// Comparisons that are said otherwise than with the operators of fields: by the field's stored name, where
    /// that is the field's own, and in a predicate of Foundation's.
    func forms(_ path: any KeyPath<Model, Value> & Sendable) -> [Maker] {
        let (name, get, make) = (name, get, make)
        let hasName = Model.schema.entity.fields.contains { $0.name == name }
        let byName: Maker = { random in
            let (value, comparison) = (make(random), random.comparison)
            return PairedCondition(
                "“\(name)” \(comparison) \(value.shown)",
                { comparison.isTrue(of: Value.order(get($0), value)) },
                build: { _ in Condition { try .field(name, comparison, value) } }
            )
        }
        let predicate: Maker = { random in
            let (value, comparison) = (make(random), random.comparison)
            let isFlipped = random.chance(30)
            return PairedCondition(
                "#Predicate \(name) \(comparison) \(value.shown)\(isFlipped ? ", turned" : "")",
                { comparison.isTrue(of: Value.order(get($0), value)) },
                build: { _ in
                    Condition {
                        try Condition(Self.predicate(path, comparison, value, isFlipped: isFlipped))
                    }
                }
            )
        }
        return hasName ? [byName, predicate] : [predicate]
    }

    private static func predicate(
        _ path: any KeyPath<Model, Value> & Sendable,
        _ comparison: Comparison,
        _ value: Value,
        isFlipped: Bool
    ) -> Predicate<Model> {
        Predicate<Model> { model in
            let field = PredicateExpressions.build_KeyPath(root: model, keyPath: path)
            let constant = PredicateExpressions.build_Arg(value)
            return isFlipped
                ? expression(constant, comparison.turned, field)
                : expression(field, comparison, constant)
        }
    }

    private static func expression<Left, Right>(
        _ left: Left,
        _ comparison: Comparison,
        _ right: Right
    ) -> any StandardPredicateExpression<Bool>
    where
        Left: StandardPredicateExpression<Value>,
        Right: StandardPredicateExpression<Value>
    {
        switch comparison {
        case .equal: PredicateExpressions.build_Equal(lhs: left, rhs: right)
        case .notEqual: PredicateExpressions.build_NotEqual(lhs: left, rhs: right)
        case .less: PredicateExpressions.build_Comparison(lhs: left, rhs: right, op: .lessThan)
        case .lessOrEqual:
            PredicateExpressions.build_Comparison(lhs: left, rhs: right, op: .lessThanOrEqual)
        case .greater:
            PredicateExpressions.build_Comparison(lhs: left, rhs: right, op: .greaterThan)
        case .greaterOrEqual:
            PredicateExpressions.build_Comparison(lhs: left, rhs: right, op: .greaterThanOrEqual)
        }
    }
}

extension RandomSource {
    fileprivate var comparison: Comparison {
        pick(.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual)
    }
}

extension Comparison {
    fileprivate func isTrue(of order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    /// The comparison with its sides exchanged.
    fileprivate var turned: Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

extension Condition {
    /// The condition that a body makes; none, which the oracle does not know, where it throws.
    fileprivate init(_ make: () throws -> Condition) {
        self = (try? make()) ?? .constant(false)
    }
}
