import Foundation

/// A condition on a group of values.
///
/// ```swift
/// request.grouped(by: \.publisher).having { $0.count > 10 && $0.max(\.power) >= 9000 }
/// ```
///
/// As for values, a comparison with an absent value is false, and its negation true.
public struct GroupCondition<Model: Stored>: Sendable {
    let row: RowGroupCondition
    let failure: DBClientError?

    init(_ row: RowGroupCondition, failure: DBClientError? = nil) {
        self.row = row
        self.failure = failure
    }

    /// Returns a condition that is true when both operands are.
    public static func && (left: Self, right: @autoclosure () -> Self) -> Self {
        let right = right()
        let failure = left.failure ?? right.failure
        if case .all(let operands) = left.row {
            return Self(.all(operands + [right.row]), failure: failure)
        }
        return Self(.all([left.row, right.row]), failure: failure)
    }

    /// Returns a condition that is true when at least one operand is.
    public static func || (left: Self, right: @autoclosure () -> Self) -> Self {
        let right = right()
        let failure = left.failure ?? right.failure
        if case .any(let operands) = left.row {
            return Self(.any(operands + [right.row]), failure: failure)
        }
        return Self(.any([left.row, right.row]), failure: failure)
    }

    /// True when the other is false.
    public static prefix func ! (condition: Self) -> Self {
        Self(.not(condition.row), failure: condition.failure)
    }
}

extension GroupTerm {
    fileprivate func compare(
        _ comparison: Comparison,
        _ value: some StorableValue
    ) -> GroupCondition<Model> {
        do {
            return GroupCondition(
                .comparing(
                    try row.get(),
                    comparison,
                    try StorageValue(storing: value),
                    in: Model.schema.entity
                )
            )
        } catch {
            return GroupCondition(.constant(false), failure: DBClientError.wrapping(error))
        }
    }
}

extension RowGrouping.Term {
    var isSum: Bool { function == .sum }
}

extension RowGroupCondition {
    /// Returns the comparison of a function with a value; of a sum, which is told as zero of no values, as that.
    static func comparing(
        _ term: RowGrouping.Term,
        _ comparison: Comparison,
        _ value: StorageValue,
        in entity: EntitySchema
    ) -> RowGroupCondition {
        guard !value.isNull else {
            switch comparison {
            case .equal: return term.isSum ? .constant(false) : .isNil(term)
            case .notEqual: return term.isSum ? .constant(true) : .not(.isNil(term))
            default: return .constant(false)
            }
        }
        guard term.isSum, let field = term.operand?.field(of: entity) else {
            return .compare(term, comparison, value)
        }
        let holdsForNone = StorageValue.zero(of: field.type).withSlot { zero in
            RowGroupCondition.compare(.count, comparison, value).holds { _ in zero }
        }
        return .any([
            .all([.not(.isNil(term)), .compare(term, comparison, value)]),
            .all([.isNil(term), .constant(holdsForNone)]),
        ])
    }
}

/// True when the aggregate of the group equals the value.
public func == <Model, Value: StorableValue>(
    term: GroupTerm<Model, Value>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.equal, value)
}

/// True when the aggregate of the group differs from the value.
public func != <Model, Value: StorableValue>(
    term: GroupTerm<Model, Value>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.notEqual, value)
}

/// True when the aggregate of the group is less than the value.
public func < <Model, Value: StorableValue & Comparable>(
    term: GroupTerm<Model, Value>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.less, value)
}

/// True when the aggregate of the group is at most the value.
public func <= <Model, Value: StorableValue & Comparable>(
    term: GroupTerm<Model, Value>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.lessOrEqual, value)
}

/// True when the aggregate of the group is greater than the value.
public func > <Model, Value: StorableValue & Comparable>(
    term: GroupTerm<Model, Value>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.greater, value)
}

/// True when the aggregate of the group is at least the value.
public func >= <Model, Value: StorableValue & Comparable>(
    term: GroupTerm<Model, Value>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.greaterOrEqual, value)
}

/// True when the aggregate of the group is present and less than the value.
public func < <Model, Value: StorableValue & Comparable>(
    term: GroupTerm<Model, Value?>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.less, value)
}

/// True when the aggregate of the group is present and at most the value.
public func <= <Model, Value: StorableValue & Comparable>(
    term: GroupTerm<Model, Value?>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.lessOrEqual, value)
}

/// True when the aggregate of the group is present and greater than the value.
public func > <Model, Value: StorableValue & Comparable>(
    term: GroupTerm<Model, Value?>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.greater, value)
}

/// True when the aggregate of the group is present and at least the value.
public func >= <Model, Value: StorableValue & Comparable>(
    term: GroupTerm<Model, Value?>,
    value: Value
) -> GroupCondition<Model> {
    term.compare(.greaterOrEqual, value)
}
