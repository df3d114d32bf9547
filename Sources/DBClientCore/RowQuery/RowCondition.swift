/// What a row must fulfil.
///
/// As in Swift, and unlike SQL, every condition is true or false: a comparison with an absent value
/// is false, and its negation true.
public enum RowCondition: Hashable, Sendable {
    /// Every row or none; in place, unlike the others, since every request begins with it.
    case constant(Bool)
    /// The field compares with a value, which is not null.
    indirect case compare(column: Int, Comparison, StorageValue, TextOrder)
    /// The field compares with another of a comparable type: absent ones are equal to each other, and to
    /// nothing else.
    indirect case compareFields(column: Int, Comparison, to: Int)
    /// Two computed values of comparable types compare, as fields do: absent ones are equal to each other, and to
    /// nothing else.
    indirect case computed(RowExpression, Comparison, RowExpression)
    /// The first condition is true, and so is the second, which is asked of no other row: it may have no answer there.
    indirect case guarded(RowCondition, RowCondition)
    /// The field has no value: null in a database.
    indirect case isNil(column: Int)
    /// The field passes a test that is not a comparison: a set, a pattern, or the elements of a list.
    indirect case field(column: Int, FieldTest)
    /// The fields together are one of the keys, none of whose values is null.
    indirect case areIn(columns: [Int], [[StorageValue]])
    /// Rows of another entity that belong to the row are there.
    indirect case related(RelatedRows)
    /// The condition is false; a comparison with an absent value is, so its negation is true.
    indirect case not(RowCondition)
    /// Every condition is true; so is an empty list of conditions.
    indirect case all([RowCondition])
    /// At least one condition is true.
    indirect case any([RowCondition])
}

extension RowCondition {
    /// The field is one of the values, none of which is null.
    public static func isIn(column: Int, _ values: [StorageValue]) -> RowCondition {
        .field(column: column, .isIn(values))
    }

    /// The field's text has the pattern's where the pattern looks for it.
    public static func matches(column: Int, _ pattern: TextPattern) -> RowCondition {
        .field(column: column, .matches(pattern))
    }

    /// The field's list has an element with this canonical JSON text.
    public static func hasElement(column: Int, json: StorageValue) -> RowCondition {
        .field(column: column, .hasElement(json: json))
    }

    /// The number of elements of the field's list, set or dictionary compares with a number.
    public static func elementCount(
        column: Int,
        _ comparison: Comparison,
        _ number: Int
    ) -> RowCondition {
        .field(column: column, .elementCount(comparison, number))
    }

    /// Returns a condition that is true when both are, flat.
    public static func conjunction(_ left: RowCondition, _ right: RowCondition) -> RowCondition {
        switch (left, right) {
        case (.constant(true), _): right
        case (_, .constant(true)): left
        case (.all(let left), .all(let right)): .all(left + right)
        case (.all(let left), _): .all(left + [right])
        case (_, .all(let right)): .all([left] + right)
        default: .all([left, right])
        }
    }

    /// Returns a condition that is true when either is, flat.
    public static func disjunction(_ left: RowCondition, _ right: RowCondition) -> RowCondition {
        switch (left, right) {
        case (.constant(false), _): right
        case (_, .constant(false)): left
        case (.any(let left), .any(let right)): .any(left + right)
        case (.any(let left), _): .any(left + [right])
        case (_, .any(let right)): .any([left] + right)
        default: .any([left, right])
        }
    }

    /// Returns a comparison with a value that may be null, by Swift's rules.
    public static func comparing(
        column: Int,
        _ comparison: Comparison,
        _ value: StorageValue,
        _ text: TextOrder = .binary
    ) -> RowCondition {
        guard value.isNull else { return .compare(column: column, comparison, value, text) }
        switch comparison {
        case .equal: return .isNil(column: column)
        case .notEqual: return .not(.isNil(column: column))
        default: return .constant(false)
        }
    }

    /// Returns whether the field is among values, of which one may be null.
    public static func member(column: Int, of values: [StorageValue]) -> RowCondition {
        let present = values.filter { !$0.isNull }
        let isIn = RowCondition.isIn(column: column, present)
        return present.count == values.count
            ? isIn : .disjunction(.isNil(column: column), isIn)
    }
}
