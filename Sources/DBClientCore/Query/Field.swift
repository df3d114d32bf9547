/// The fields of a model's stored shape, for building conditions and sorts: `$0.name`, `$0.appearance.year`.
@dynamicMemberLookup
public struct Fields<Model: StoredConvertible>: Sendable {
    /// The field of a property.
    public subscript<Value>(
        dynamicMember keyPath: KeyPath<Model.Storage, Value>
    ) -> Field<Model, Value> {
        Field(position: Model.Storage.schema.position(of: keyPath), named: keyPath)
    }
}

/// One field of a model in a condition or a sort.
@dynamicMemberLookup
public struct Field<Model: StoredConvertible, Value>: Sendable {
    /// The position of the field's first column.
    let position: Int
    /// Why there is no such field.
    let failure: DBClientError?

    init(position: Int?, named keyPath: @autoclosure () -> AnyKeyPath) {
        self.position = position ?? 0
        self.failure =
            position == nil
            ? DBClientError(
                .invalidRequest,
                "The property \(keyPath()) is not stored.",
                entity: Model.Storage.schema.entity.name,
                hint: "Only stored properties can be asked for."
            ) : nil
    }

    init(position: Int, failure: DBClientError?) {
        self.position = position
        self.failure = failure
    }

    /// The field's column.
    ///
    /// - Throws: `DBClientError` with code `.invalidRequest` when the property is not stored.
    func column() throws -> Int {
        if let failure { throw failure }
        return position
    }
}

extension Field where Value: EmbeddedValue {
    /// A field of an embedded struct.
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value, Member>
    ) -> Field<Model, Member> {
        let offset = Value.schema.position(of: keyPath)
        return Field<Model, Member>(position: offset.map { position + $0 }, named: keyPath)
            .inheriting(failure)
    }
}

extension Field {
    /// A field of an optional embedded struct; nil when the struct is.
    public subscript<Wrapped: EmbeddedValue, Member>(
        dynamicMember keyPath: KeyPath<Wrapped, Member>
    ) -> Field<Model, Member?> where Value == Wrapped? {
        // The first column of an optional struct says whether it is there.
        let offset = Wrapped.schema.position(of: keyPath).map { $0 + 1 }
        return Field<Model, Member?>(position: offset.map { position + $0 }, named: keyPath)
            .inheriting(failure)
    }

    func inheriting(_ other: DBClientError?) -> Self {
        other == nil ? self : Self(position: position, failure: other)
    }
}
