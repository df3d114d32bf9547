// Two fields of one value: `$0.endedAt > $0.startedAt`. Order is that of the stored form, as with values; an
// absent field is neither less nor greater than any other, and equals another that is absent.

/// True when the fields are equal, or both absent.
///
/// Fields that are kept as JSON are equal when their text is. Sets inside a custom value are written in no
/// order, so values that hold them may compare as different though they are equal.
public func == <Model, Value>(
    left: Field<Model, Value>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.equal, to: right)
}

/// True when the fields differ, or one of them is absent.
public func != <Model, Value>(
    left: Field<Model, Value>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.notEqual, to: right)
}

/// True when the fields are present and equal.
public func == <Model, Value>(
    left: Field<Model, Value>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.equal, to: right)
}

/// True when the fields differ, or one of them is absent.
public func != <Model, Value>(
    left: Field<Model, Value>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.notEqual, to: right)
}

/// True when the fields are present and equal.
public func == <Model, Value>(
    left: Field<Model, Value?>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.equal, to: right)
}

/// True when the fields differ, or one of them is absent.
public func != <Model, Value>(
    left: Field<Model, Value?>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.notEqual, to: right)
}

/// True when the first field is less than the second.
public func < <Model, Value: Comparable>(
    left: Field<Model, Value>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.less, to: right)
}

/// True when the first field is at most the second.
public func <= <Model, Value: Comparable>(
    left: Field<Model, Value>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.lessOrEqual, to: right)
}

/// True when the first field is greater than the second.
public func > <Model, Value: Comparable>(
    left: Field<Model, Value>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.greater, to: right)
}

/// True when the first field is at least the second.
public func >= <Model, Value: Comparable>(
    left: Field<Model, Value>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.greaterOrEqual, to: right)
}

/// True when both are present and the first field is less than the second.
public func < <Model, Value: Comparable>(
    left: Field<Model, Value>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.less, to: right)
}

/// True when both are present and the first field is at most the second.
public func <= <Model, Value: Comparable>(
    left: Field<Model, Value>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.lessOrEqual, to: right)
}

/// True when both are present and the first field is greater than the second.
public func > <Model, Value: Comparable>(
    left: Field<Model, Value>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.greater, to: right)
}

/// True when both are present and the first field is at least the second.
public func >= <Model, Value: Comparable>(
    left: Field<Model, Value>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.greaterOrEqual, to: right)
}

/// True when both are present and the first field is less than the second.
public func < <Model, Value: Comparable>(
    left: Field<Model, Value?>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.less, to: right)
}

/// True when both are present and the first field is at most the second.
public func <= <Model, Value: Comparable>(
    left: Field<Model, Value?>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.lessOrEqual, to: right)
}

/// True when both are present and the first field is greater than the second.
public func > <Model, Value: Comparable>(
    left: Field<Model, Value?>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.greater, to: right)
}

/// True when both are present and the first field is at least the second.
public func >= <Model, Value: Comparable>(
    left: Field<Model, Value?>,
    right: Field<Model, Value>
) -> Condition<Model> {
    left.compare(.greaterOrEqual, to: right)
}

/// True when both are present and the first field is less than the second.
public func < <Model, Value: Comparable>(
    left: Field<Model, Value?>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.less, to: right)
}

/// True when both are present and the first field is at most the second.
public func <= <Model, Value: Comparable>(
    left: Field<Model, Value?>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.lessOrEqual, to: right)
}

/// True when both are present and the first field is greater than the second.
public func > <Model, Value: Comparable>(
    left: Field<Model, Value?>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.greater, to: right)
}

/// True when both are present and the first field is at least the second.
public func >= <Model, Value: Comparable>(
    left: Field<Model, Value?>,
    right: Field<Model, Value?>
) -> Condition<Model> {
    left.compare(.greaterOrEqual, to: right)
}

extension Field {
    fileprivate func compare<Other>(
        _ comparison: Comparison,
        to other: Field<Model, Other>
    ) -> Condition<Model> {
        let isOfHeldKey =
            path != other.path && (held?.path == other.path || other.held?.path == path)
        if isSubstituted || other.isSubstituted || isOfHeldKey {
            return fieldExpression.compare(comparison, to: other.fieldExpression)
        }
        return condition { column, entity in
            let otherColumn = try other.column()
            guard scope == other.scope, path == other.path else {
                throw DBClientError(
                    .invalidRequest,
                    "A field must be compared with fields of the same value only.",
                    entity: entity.name,
                    field: entity.fields[column].name,
                    hint: "Fetch both, and compare them in Swift."
                )
            }
            for failure in [wholeFailure, other.wholeFailure] { if let failure { throw failure } }
            try entity.checkOrder(comparison, of: column)
            return .compareFields(column: column, comparison, to: otherColumn)
        }
    }

    /// Why the field is no single one.
    private var wholeFailure: DBClientError? {
        if let substituteFailure { return substituteFailure }
        if relationship == nil, !isEmbedded { return nil }
        let what = relationship == nil ? "An embedded struct" : "A relationship"
        return DBClientError(
            .invalidRequest,
            "\(what) must not be compared as a whole.",
            entity: entity.name,
            field: relationship?.name ?? entity.fields[position].name,
            hint: "Compare its fields."
        )
    }
}
