// Through a to-one relationship: the fields of what is held, nil where nothing is.
extension Field where Value: Stored {
    /// A field of the value that is held.
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value, Member>
    ) -> Field<Model, Member> {
        related(keyPath)
    }
}

extension Field {
    /// A field of the value that is held; nil when none is.
    public subscript<Related: Stored, Member>(
        dynamicMember keyPath: KeyPath<Related, Member>
    ) -> Field<Model, Member?> where Value == Related? {
        related(keyPath)
    }

    /// An optional field of the value that is held; nil when none is.
    public subscript<Related: Stored, Member>(
        dynamicMember keyPath: KeyPath<Related, Member?>
    ) -> Field<Model, Member?> where Value == Related? {
        related(keyPath)
    }

    /// A field of the value that is referred to.
    public subscript<Related: Stored, Member>(
        dynamicMember keyPath: KeyPath<Related, Member>
    ) -> Field<Model, Member> where Value == Reference<Related> {
        related(keyPath)
    }

    /// A field of the value that is referred to; nil when none is.
    public subscript<Related: Stored, Member>(
        dynamicMember keyPath: KeyPath<Related, Member>
    ) -> Field<Model, Member?> where Value == Reference<Related>? {
        related(keyPath)
    }

    /// An optional field of the value that is referred to; nil when none is.
    public subscript<Related: Stored, Member>(
        dynamicMember keyPath: KeyPath<Related, Member?>
    ) -> Field<Model, Member?> where Value == Reference<Related>? {
        related(keyPath)
    }

    private func related<Related: Stored, Member, Result>(
        _ keyPath: KeyPath<Related, Member>
    ) -> Field<Model, Result> {
        let schema = Related.schema
        let property = schema.property(of: keyPath)
        let position = property?.position
        guard let relationship, failure == nil else {
            return Field<Model, Result>(position: nil, path: path, scope: scope, named: keyPath)
                .inheriting(failure)
        }
        let hop = RelatedRows(
            schema.entity,
            schema.entity.primaryKey,
            matching: relationship.columns
        )
        // The related key is at hand in the model's own columns; a weak one proves nothing.
        if relationship.rule != .weak, let position,
            let part = schema.entity.primaryKey.firstIndex(of: position)
        {
            var field = Field<Model, Result>(
                position: relationship.columns[part],
                path: path,
                scope: scope,
                failure: nil
            )
            field.held = HeldKey(path: path + [hop], position: position)
            return field
        }
        return Field<Model, Result>(
            position: position,
            relationship: schema.relationship(property),
            path: path + [hop],
            isAlwaysInOwner: Member.self is any EmbeddedValue.Type && Result.self != Member.self,
            scope: scope,
            named: keyPath
        )
    }
}

extension RowCondition {
    /// Returns the condition on the row at the beginning of a path that holds where this one holds for
    /// the row at its end, every field of which is nil where the path leads nowhere.
    func reached(through path: [RelatedRows]) -> RowCondition {
        path.reversed().reduce(self) { $0.reached(through: $1) }
    }

    private func reached(through step: RelatedRows) -> RowCondition {
        switch self {
        case .constant: return self
        case .not(let operand): return .not(operand.reached(through: step))
        case .all(let operands): return .all(operands.map { $0.reached(through: step) })
        case .any(let operands): return .any(operands.map { $0.reached(through: step) })
        case .isNil, .compareFields(_, .equal, _):
            // Fulfilled by nil, so it is false only of a row that is there and is otherwise.
            return .not(step.fulfilling(.not(self)))
        case .field(_, let test) where test.holdsForNil:
            return .not(step.fulfilling(.not(self)))
        case .compare(let column, .notEqual, let value, let text):
            return .not(step.fulfilling(.compare(column: column, .equal, value, text)))
        case .related(let rows) where rows.holdsForNone:
            return .not(step.fulfilling(.not(self)))
        case .computed, .guarded:
            let holdsForNil = RowPredicate(self, of: step.entity).matches(AbsentRow())
            return holdsForNil ? .not(step.fulfilling(.not(self))) : step.fulfilling(self)
        default: return step.fulfilling(self)
        }
    }
}

extension RelatedRows {
    fileprivate func fulfilling(_ condition: RowCondition) -> RowCondition {
        var copy = self
        copy.condition = condition
        return .related(copy)
    }
}
