/// A condition on values of a model, built from fields with Swift's operators.
///
/// ```swift
/// Character.where { $0.name.hasPrefix("Iron") && ($0.power > 9000 || $0.publisherId == nil) }
/// ```
public struct Condition<Model: StoredConvertible>: Sendable {
    /// The condition as engines see it.
    public let row: RowCondition
    /// Why the condition has no meaning, if it has none; the request that holds it throws this.
    let failure: DBClientError?
    /// Whose fields it is on, as ``Field`` has it; nil for those that are named otherwise.
    private let scope: Int?

    init(_ row: RowCondition, scope: Int? = nil, failure: DBClientError? = nil) {
        self.row = row
        self.scope = scope
        self.failure = failure
    }

    init(scope: Int? = nil, _ build: () throws -> RowCondition) {
        do {
            self.init(try build(), scope: scope)
        } catch {
            self.init(.constant(false), failure: DBClientError.wrapping(error))
        }
    }

    /// Creates the condition that a closure makes of the fields that it receives, for several requests.
    ///
    /// ```swift
    /// let isStrong = Condition<Character> { $0.power > 9000 }
    /// let heroes = try await client.fetch(Character.all.filter(isStrong))
    /// ```
    public init(_ build: (Fields<Model>) -> Condition) {
        let fields = Fields<Model>()
        let condition = build(fields)
        self.init(
            condition.row,
            failure: condition.failure ?? condition.failure(besides: fields.scope)
        )
    }

    /// True for every value, or for none.
    public static func constant(_ value: Bool) -> Condition {
        Condition(.constant(value))
    }

    /// Returns the condition that is true when both are.
    static func both(_ left: Condition, _ right: Condition) -> Condition {
        Condition(combining: left, right, RowCondition.conjunction)
    }

    /// Returns the condition that is true when either is.
    static func either(_ left: Condition, _ right: Condition) -> Condition {
        Condition(combining: left, right, RowCondition.disjunction)
    }

    /// True when the other is false.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(.not(condition.row), scope: condition.scope, failure: condition.failure)
    }

    private init(
        combining left: Condition,
        _ right: Condition,
        _ combine: (RowCondition, RowCondition) -> RowCondition
    ) {
        self.init(
            combine(left.row, right.row),
            scope: left.scope ?? right.scope,
            failure: left.failure ?? right.failure ?? right.failure(besides: left.scope)
        )
    }

    /// Why the condition is not on the same value as another scope's fields.
    private func failure(besides other: Int?) -> DBClientError? {
        guard let scope, let other, scope != other else { return nil }
        return DBClientError(
            .invalidRequest,
            "A condition on one value must not use a field of another.",
            entity: Model.Storage.schema.entity.name,
            hint: "Use the fields that are passed to the closure itself."
        )
    }
}

extension RowCondition {
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
