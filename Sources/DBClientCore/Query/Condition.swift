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
    let scope: Int?
    /// Whether there may be values for which the condition has no answer.
    let canFail: Bool

    init(
        _ row: RowCondition,
        scope: Int? = nil,
        failure: DBClientError? = nil,
        canFail: Bool = false
    ) {
        self.row = row
        self.scope = scope
        self.failure = failure
        self.canFail = canFail
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
            failure: condition.failure ?? condition.failure(besides: fields.scope),
            canFail: condition.canFail
        )
    }

    /// True for every value, or for none.
    public static func constant(_ value: Bool) -> Condition {
        Condition(.constant(value))
    }

    /// Returns the condition that is true when both are.
    static func both(_ left: Condition, _ right: Condition) -> Condition {
        let canFail = left.canFail || right.canFail
        return Condition(
            combining: left,
            right,
            canFail ? RowCondition.guardedConjunction : RowCondition.conjunction
        )
    }

    /// Returns the condition that is true when either is.
    static func either(_ left: Condition, _ right: Condition) -> Condition {
        let canFail = left.canFail || right.canFail
        return Condition(
            combining: left,
            right,
            canFail ? RowCondition.guardedDisjunction : RowCondition.disjunction
        )
    }

    /// True when the other is false.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(
            .not(condition.row),
            scope: condition.scope,
            failure: condition.failure,
            canFail: condition.canFail
        )
    }

    private init(
        combining left: Condition,
        _ right: Condition,
        _ combine: (RowCondition, RowCondition) -> RowCondition
    ) {
        self.init(
            combine(left.row, right.row),
            scope: left.scope ?? right.scope,
            failure: left.failure ?? right.failure ?? right.failure(besides: left.scope),
            canFail: left.canFail || right.canFail
        )
    }

    /// Why the condition is not on the same value as another scope's fields.
    func failure(besides other: Int?) -> DBClientError? {
        guard let scope, let other, scope != other else { return nil }
        return DBClientError(
            .invalidRequest,
            "A condition on one value must not use a field of another.",
            entity: Model.Storage.schema.entity.name,
            hint: "Use the fields that are passed to the closure itself."
        )
    }
}
