/// The fields of one of the models of a join, and the model as a whole where something is selected.
@dynamicMemberLookup
public struct JoinFields<Rows: StoredConvertible, Source: Sendable>: Sendable {
    /// Whose fields they are, as ``Field`` has it: all of one closure have the same.
    let scope: Int
    /// Which of the models it is.
    let part: RowJoin.Part

    /// Returns a field of the joined rows.
    private func field<Model: StoredConvertible, Value, Result>(
        _ keyPath: KeyPath<Model.Storage, Value>,
        of model: Model.Type
    ) -> Field<Rows, Result> {
        let schema = Model.Storage.schema
        let property = schema.property(of: keyPath)
        let relationship = schema.relationship(property)
        if relationship?.link != nil {
            return Field(
                position: 0,
                scope: scope,
                failure: DBClientError(
                    .unsupported,
                    "A to-many relationship must not be used in a join.",
                    entity: part.entity.name,
                    field: relationship?.name,
                    hint: "Filter the request that is joined, or join what the relationship holds."
                )
            )
        }
        return Field(
            position: property?.position.map { $0 + part.offset },
            relationship: relationship?.moved(by: part.offset),
            isAlwaysInOwner: Value.self is any EmbeddedValue.Type && Result.self != Value.self,
            scope: scope,
            named: keyPath
        )
    }
}

extension JoinFields where Source: StoredConvertible {
    /// The field that a property of the model is stored in.
    public subscript<Value>(
        dynamicMember keyPath: KeyPath<Source.Storage, Value>
    ) -> Field<Rows, Value> {
        field(keyPath, of: Source.self)
    }
}

extension JoinFields where Source: OptionalModel {
    /// The field that a property of the model is stored in; nil where none belongs to what was joined before.
    public subscript<Value>(
        dynamicMember keyPath: KeyPath<Source.Model.Storage, Value>
    ) -> Field<Rows, Value?> {
        field(keyPath, of: Source.Model.self)
    }

    /// The field that an optional property of the model is stored in; nil where none belongs to what was joined before.
    public subscript<Value>(
        dynamicMember keyPath: KeyPath<Source.Model.Storage, Value?>
    ) -> Field<Rows, Value?> {
        field(keyPath, of: Source.Model.self)
    }

    /// Whether no value of the model belongs to what was joined before.
    public var isAbsent: Condition<Rows> {
        Condition(.isNil(column: part.offset + part.entity.primaryKey[0]), scope: scope)
    }
}

extension RelationshipSchema {
    /// Returns the relationship of rows that have the owner's fields behind others.
    fileprivate func moved(by offset: Int) -> RelationshipSchema {
        RelationshipSchema(
            name: name,
            kind: kind,
            columns: columns.map { $0 + offset },
            link: link,
            rule: rule,
            related: related,
            storedTarget: targetName,
            isByReference: isByReference,
            slot: slot
        )
    }
}
