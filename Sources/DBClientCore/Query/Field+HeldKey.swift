// Equality of a to-one relationship with a field that has keys of the model that is held: what joins are made of,
// `Line.join(Product.self) { $0.product == $1.id }`.

/// A reference to a value of another model, or an optional one.
public protocol ReferenceValue {
    /// The model that is referred to.
    associatedtype Referent: Stored
}

extension Reference: ReferenceValue {
    /// The model that is referred to.
    public typealias Referent = Model
}

extension Optional: ReferenceValue where Wrapped: ReferenceValue {
    /// The model that is referred to.
    public typealias Referent = Wrapped.Referent
}

/// True when there is a reference and it names the key in the other field.
public func == <Model, Held: ReferenceValue>(
    left: Field<Model, Held>,
    right: Field<Model, Held.Referent.PrimaryKey>
) -> Condition<Model> {
    left.holds(keyIn: right)
}

/// True when there is a reference and it names the key in the other field.
public func == <Model, Held: ReferenceValue>(
    left: Field<Model, Held.Referent.PrimaryKey>,
    right: Field<Model, Held>
) -> Condition<Model> {
    right.holds(keyIn: left)
}

/// True when there is a reference and it names the key in the other field, if there is one.
public func == <Model, Held: ReferenceValue>(
    left: Field<Model, Held>,
    right: Field<Model, Held.Referent.PrimaryKey?>
) -> Condition<Model> {
    left.holds(keyIn: right)
}

/// True when there is a reference and it names the key in the other field, if there is one.
public func == <Model, Held: ReferenceValue>(
    left: Field<Model, Held.Referent.PrimaryKey?>,
    right: Field<Model, Held>
) -> Condition<Model> {
    right.holds(keyIn: left)
}

/// True when the value that is held has the key in the other field.
public func == <Model, Related: Stored>(
    left: Field<Model, Related>,
    right: Field<Model, Related.PrimaryKey>
) -> Condition<Model> {
    left.holds(keyIn: right)
}

/// True when the value that is held has the key in the other field.
public func == <Model, Related: Stored>(
    left: Field<Model, Related.PrimaryKey>,
    right: Field<Model, Related>
) -> Condition<Model> {
    right.holds(keyIn: left)
}

/// True when the value that is held has the key in the other field, if there is one.
public func == <Model, Related: Stored>(
    left: Field<Model, Related>,
    right: Field<Model, Related.PrimaryKey?>
) -> Condition<Model> {
    left.holds(keyIn: right)
}

/// True when the value that is held has the key in the other field, if there is one.
public func == <Model, Related: Stored>(
    left: Field<Model, Related.PrimaryKey?>,
    right: Field<Model, Related>
) -> Condition<Model> {
    right.holds(keyIn: left)
}

/// True when a value is held that has the key in the other field.
public func == <Model, Related: Stored>(
    left: Field<Model, Related?>,
    right: Field<Model, Related.PrimaryKey>
) -> Condition<Model> {
    left.holds(keyIn: right)
}

/// True when a value is held that has the key in the other field.
public func == <Model, Related: Stored>(
    left: Field<Model, Related.PrimaryKey>,
    right: Field<Model, Related?>
) -> Condition<Model> {
    right.holds(keyIn: left)
}

/// True when a value is held that has the key in the other field, if there is one.
public func == <Model, Related: Stored>(
    left: Field<Model, Related?>,
    right: Field<Model, Related.PrimaryKey?>
) -> Condition<Model> {
    left.holds(keyIn: right)
}

/// True when a value is held that has the key in the other field, if there is one.
public func == <Model, Related: Stored>(
    left: Field<Model, Related.PrimaryKey?>,
    right: Field<Model, Related?>
) -> Condition<Model> {
    right.holds(keyIn: left)
}

extension Field {
    fileprivate func holds<Key>(keyIn other: Field<Model, Key>) -> Condition<Model> {
        condition { column, entity in
            guard let relationship, relationship.columns.count == 1 else {
                throw DBClientError(
                    .invalidRequest,
                    "The property must be a relationship to a model whose key has one field.",
                    entity: entity.name,
                    field: relationship?.name ?? entity.fields[column].name,
                    hint: "Compare each field of the key."
                )
            }
            let key = try other.fieldExpression.singleField()
            guard scope == other.scope, path == other.path else {
                throw DBClientError(
                    .invalidRequest,
                    "A relationship must be compared with a field of the same value only.",
                    entity: entity.name,
                    field: relationship.name
                )
            }
            let isHeld = RowCondition.compareFields(column: column, .equal, to: key)
            // Two that are absent are equal, but nothing is held.
            let mayBothBeAbsent =
                Value.self is any OptionalType.Type && Key.self is any OptionalType.Type
            return mayBothBeAbsent ? .all([isHeld, .not(.isNil(column: column))]) : isHeld
        }
    }
}
