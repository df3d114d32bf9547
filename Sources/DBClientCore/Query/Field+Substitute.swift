/// The field, or the value where it is absent: `($0.score ?? 0) > 1`.
///
/// On a field that is one column. A sort by the field itself says `nilsFirst` or `nilsLast` instead.
public func ?? <Model, Value: StorableValue>(
    field: Field<Model, Value?>,
    value: @autoclosure () -> Value
) -> Field<Model, Value> {
    var result = Field<Model, Value>(
        position: field.position,
        relationship: field.relationship,
        path: field.path,
        isAlwaysInOwner: field.isAlwaysInOwner,
        scope: field.scope,
        failure: field.failure
    )
    result.held = field.held
    do {
        result.substitute = try StorageValue(storing: value())
        return result
    } catch {
        return result.inheriting(DBClientError.wrapping(error))
    }
}

extension RowCondition {
    /// Returns the condition that holds as this one does, and where a column is absent as it does for a value.
    func holding(
        _ value: StorageValue,
        whereAbsent column: Int,
        of entity: EntitySchema
    ) -> RowCondition {
        let isAbsent = RowCondition.isNil(column: column)
        let predicate = RowPredicate(self, of: entity)
        defer { withExtendedLifetime(predicate) {} }
        let holds = value.withSlot { slot in
            predicate.matches(SubstitutedRow(column: column, substitute: slot))
        }
        return holds ? .disjunction(isAbsent, self) : .conjunction(.not(isAbsent), self)
    }
}

/// A row of which one field is known.
private struct SubstitutedRow: SlotSource {
    let column: Int
    let substitute: Slot

    func slot(_ column: Int) -> Slot { column == self.column ? substitute : .null }
}

extension Field {
    /// Whether something stands in for absent values, so that the field is computed with.
    var isSubstituted: Bool {
        guard substitute != nil, failure == nil else { return false }
        return entity.fields[position].type != .json
    }

    /// Why the field has no order and is not compared with others, if something stands in for it.
    var substituteFailure: DBClientError? {
        guard substitute != nil else { return nil }
        return DBClientError(
            .invalidRequest,
            "A list with a substitute for nil must be compared with a constant.",
            entity: entity.name,
            field: entity.fields[position].name
        )
    }
}
