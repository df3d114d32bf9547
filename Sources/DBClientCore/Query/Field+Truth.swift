// Fields that are a condition by themselves, or nearly.

/// True when the field is false.
public prefix func ! <Model>(field: Field<Model, Bool>) -> Condition<Model> {
    field == false
}

/// An operand of `&&` and `||` in conditions: a condition, or a field that is true or false.
public protocol ConditionTerm<Model> {
    /// The model whose values the condition is about.
    associatedtype Model: StoredConvertible
    /// The term as a condition on the model.
    var condition: Condition<Model> { get }
}

extension Condition: ConditionTerm {
    /// The condition itself, which needs no conversion.
    public var condition: Condition<Model> { self }
}

extension Field: ConditionTerm where Value == Bool {
    /// A condition that is true when the field is.
    public var condition: Condition<Model> { self == true }
}

/// Returns a condition that is true when both operands are.
public func && <Left: ConditionTerm, Right: ConditionTerm>(
    left: Left,
    right: @autoclosure () -> Right
) -> Condition<Left.Model> where Left.Model == Right.Model {
    .both(left.condition, right().condition)
}

/// Returns a condition that is true when at least one operand is.
public func || <Left: ConditionTerm, Right: ConditionTerm>(
    left: Left,
    right: @autoclosure () -> Right
) -> Condition<Left.Model> where Left.Model == Right.Model {
    .either(left.condition, right().condition)
}

/// True when both are; the condition is not made where the value is false.
@_disfavoredOverload
public func && <Right: ConditionTerm>(
    left: Bool,
    right: @autoclosure () -> Right
) -> Condition<Right.Model> {
    left ? right().condition : .constant(false)
}

/// True when either is; the condition is not made where the value is true.
@_disfavoredOverload
public func || <Right: ConditionTerm>(
    left: Bool,
    right: @autoclosure () -> Right
) -> Condition<Right.Model> {
    left ? .constant(true) : right().condition
}

extension Condition: ExpressibleByBooleanLiteral {
    /// True for every value, or for none: `where { _ in true }`.
    public init(booleanLiteral value: Bool) {
        self = .constant(value)
    }
}

extension FetchRequest {
    /// Returns a request for the values of which a field is also true: `filter { $0.isActive }`.
    @_disfavoredOverload
    public func filter(_ condition: (Fields<Model>) -> Field<Model, Bool>) -> Self {
        filter { condition($0) == true }
    }
}

extension FetchRequestConvertible {
    /// Returns a request for the values of which a field is also true: `filter { $0.isActive }`.
    @_disfavoredOverload
    public func filter(_ condition: (Fields<Model>) -> Field<Model, Bool>) -> FetchRequest<Model> {
        request.filter(condition)
    }
}

extension StoredConvertible {
    /// A request for the values of which a field is true: `where { $0.isActive }`.
    @_disfavoredOverload
    public static func `where`(
        _ condition: (Fields<Self>) -> Field<Self, Bool>
    ) -> FetchRequest<Self> {
        FetchRequest().filter(condition)
    }
}

extension Condition {
    /// Creates the condition that a field is true: `Condition<Character> { $0.isActive }`.
    @_disfavoredOverload
    public init(_ build: (Fields<Model>) -> Field<Model, Bool>) {
        self.init { build($0) == true }
    }
}

extension Field {
    /// True when a field of one of the values that are held is true.
    @_disfavoredOverload
    public func contains<Related: Stored>(
        where field: (Fields<Related>) -> Field<Related, Bool>
    ) -> Condition<Model> where Value: ToManyValue<Related> {
        contains { field($0) == true }
    }

    /// True when a field of all of the values that are held is true, and when none is held.
    @_disfavoredOverload
    public func allSatisfy<Related: Stored>(
        _ field: (Fields<Related>) -> Field<Related, Bool>
    ) -> Condition<Model> where Value: ToManyValue<Related> {
        allSatisfy { field($0) == true }
    }

    /// The number of values that are held of which a field is true, for comparison.
    @_disfavoredOverload
    public func count<Related: Stored>(
        where field: (Fields<Related>) -> Field<Related, Bool>
    ) -> FieldCount<Model> where Value: ToManyValue<Related> {
        count { field($0) == true }
    }
}

extension Field where Value: TextValue & StorableValue {
    /// True when the text is present and empty.
    public var isEmpty: Condition<Model> {
        condition { column, _ in .comparing(column: column, .equal, .text("")) }
    }
}
