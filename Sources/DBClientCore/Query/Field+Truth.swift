// Fields that are a condition by themselves, or nearly.

/// True when the field is false.
public prefix func ! <Model>(field: Field<Model, Bool>) -> Condition<Model> {
    field == false
}

/// True when both fields are.
@_disfavoredOverload
public func && <Model>(
    left: Field<Model, Bool>,
    right: @autoclosure () -> Field<Model, Bool>
) -> Condition<Model> {
    left == true && right() == true
}

/// True when the condition and the field are.
@_disfavoredOverload
public func && <Model>(
    left: Condition<Model>,
    right: @autoclosure () -> Field<Model, Bool>
) -> Condition<Model> {
    left && right() == true
}

/// True when the field and the condition are.
@_disfavoredOverload
public func && <Model>(
    left: Field<Model, Bool>,
    right: @autoclosure () -> Condition<Model>
) -> Condition<Model> {
    left == true && right()
}

/// True when either field is.
@_disfavoredOverload
public func || <Model>(
    left: Field<Model, Bool>,
    right: @autoclosure () -> Field<Model, Bool>
) -> Condition<Model> {
    left == true || right() == true
}

/// True when the condition or the field is.
@_disfavoredOverload
public func || <Model>(
    left: Condition<Model>,
    right: @autoclosure () -> Field<Model, Bool>
) -> Condition<Model> {
    left || right() == true
}

/// True when the field or the condition is.
@_disfavoredOverload
public func || <Model>(
    left: Field<Model, Bool>,
    right: @autoclosure () -> Condition<Model>
) -> Condition<Model> {
    left == true || right()
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
    /// True when the text is there and empty.
    public var isEmpty: Condition<Model> {
        condition { column, _ in .comparing(column: column, .equal, .text("")) }
    }
}
