/// Equality of a field of one model with a field of another model's value: `order.customer == customer.id`.
///
/// It says which rows of a request inside a condition belong to a value, as `exists` and `count` of ``FetchRequestConvertible`` take it.
public struct FieldMatch: Sendable {
    struct Side: Sendable {
        let model: any StoredConvertible.Type
        let scope: Int
        let column: Int
        let failure: DBClientError?

        init<Model, Value>(_ field: Field<Model, Value>) {
            model = Model.self
            scope = field.scope
            do {
                let expression = field.fieldExpression
                // A value that is held is as its key is.
                let held = field.path.isEmpty ? field.relationship : nil
                if let held, held.link == nil, held.columns.count == 1, !held.mayHoldNothing {
                    column = held.columns[0]
                } else {
                    column = try expression.singleField()
                }
                failure =
                    expression.path.isEmpty
                    ? nil
                    : DBClientError(
                        .unsupported,
                        "A field that is compared with one of another model's value must be the value's own.",
                        entity: expression.entity.name,
                        field: expression.entity.fields[column].name
                    )
            } catch {
                column = 0
                failure = DBClientError.wrapping(error)
            }
        }
    }

    let pairs: [(left: Side, right: Side)]

    init<Left, Right, LeftValue, RightValue>(
        _ left: Field<Left, LeftValue>,
        _ right: Field<Right, RightValue>
    ) {
        pairs = [(Side(left), Side(right))]
    }

    private init(pairs: [(left: Side, right: Side)]) {
        self.pairs = pairs
    }

    /// Returns the match that asks for both equalities.
    public static func && (left: FieldMatch, right: FieldMatch) -> FieldMatch {
        FieldMatch(pairs: left.pairs + right.pairs)
    }
}

/// True when a field equals one of another model's value; nil equals nothing.
public func == <Left, Right, Value>(
    left: Field<Left, Value>,
    right: Field<Right, Value>
) -> FieldMatch {
    FieldMatch(left, right)
}

/// True when a field is present and equals one of another model's value.
public func == <Left, Right, Value>(
    left: Field<Left, Value?>,
    right: Field<Right, Value>
) -> FieldMatch {
    FieldMatch(left, right)
}

/// True when a field equals one of another model's value that is present.
public func == <Left, Right, Value>(
    left: Field<Left, Value>,
    right: Field<Right, Value?>
) -> FieldMatch {
    FieldMatch(left, right)
}

/// True when there is a reference that names the key of another model's value.
public func == <Left, Right, Held: ReferenceValue>(
    left: Field<Left, Held>,
    right: Field<Right, Held.Referent.PrimaryKey>
) -> FieldMatch {
    FieldMatch(left, right)
}

/// True when there is a reference that names the key of another model's value.
public func == <Left, Right, Held: ReferenceValue>(
    left: Field<Left, Held.Referent.PrimaryKey>,
    right: Field<Right, Held>
) -> FieldMatch {
    FieldMatch(left, right)
}

/// True when the value that is held has the key of another model's value.
public func == <Left, Right, Related: Stored>(
    left: Field<Left, Related>,
    right: Field<Right, Related.PrimaryKey>
) -> FieldMatch {
    FieldMatch(left, right)
}

/// True when the value that is held has the key of another model's value.
public func == <Left, Right, Related: Stored>(
    left: Field<Left, Related.PrimaryKey>,
    right: Field<Right, Related>
) -> FieldMatch {
    FieldMatch(left, right)
}

/// True when a value is held that has the key of another model's value.
public func == <Left, Right, Related: Stored>(
    left: Field<Left, Related?>,
    right: Field<Right, Related.PrimaryKey>
) -> FieldMatch {
    FieldMatch(left, right)
}

/// True when a value is held that has the key of another model's value.
public func == <Left, Right, Related: Stored>(
    left: Field<Left, Related.PrimaryKey>,
    right: Field<Right, Related?>
) -> FieldMatch {
    FieldMatch(left, right)
}
