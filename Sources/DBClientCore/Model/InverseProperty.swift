/// A property with the values of another model that lead to a value; it is not stored.
///
/// `@Inverse` declares it. By hand it is a part of the schema, and a property of the struct that is not read from rows:
///
/// ```swift
/// static let schema = Schema<Album>(
///     name: "Album",
///     fields: [.field(\.id, "id", primaryKey: .given), .field(\.title, "title")],
///     inverses: [.inverse(\.tracks, of: \Track.album)])
/// ```
public struct InverseProperty<Model: Stored>: Sendable {
    nonisolated(unsafe) let keyPath: PartialKeyPath<Model>
    /// The property as conditions see it.
    let relationship: RelationshipSchema
    /// Puts into models the values that lead to each, which are all of the model where it says so.
    let load: @Sendable (inout [Model], _ areAll: Bool, ReadTransaction) throws -> Void

    /// A property with the values of which a relationship, or a field with a primary key, leads to a value.
    public static func inverse<List: InverseList, Link: TreeLink<Model.PrimaryKey>>(
        _ property: WritableKeyPath<Model, List>,
        of link: KeyPath<List.Related, Link>
    ) -> Self {
        Self(property, inverting: link)
    }

    /// A property with the values that hold a value.
    public static func inverse<List: InverseList>(
        _ property: WritableKeyPath<Model, List>,
        of link: KeyPath<List.Related, Model>
    ) -> Self {
        Self(property, inverting: link)
    }

    /// A property with the values that hold a value, if any.
    public static func inverse<List: InverseList>(
        _ property: WritableKeyPath<Model, List>,
        of link: KeyPath<List.Related, Model?>
    ) -> Self {
        Self(property, inverting: link)
    }

    private init<List: InverseList>(
        _ property: WritableKeyPath<Model, List>,
        inverting link: PartialKeyPath<List.Related>
    ) {
        nonisolated(unsafe) let property = property
        let hops = Self.hops(inverting: link)
        keyPath = property
        relationship = RelationshipSchema(
            name: String("\(property)".split(separator: ".").last ?? ""),
            kind: .list,
            columns: [],
            link: nil,
            rule: .weak,
            related: RelatedModel(List.Related.self),
            isByReference: false,
            slot: 0,
            inverse: { () throws(DBClientError) in try hops().map(\.match) }
        )
        load = { models, areAll, transaction in
            let lists = try InverseLists<List.Related>(through: try hops(), in: transaction)
                .lists(of: models, areAll: areAll)
            for index in models.indices {
                models[index][keyPath: property] = List(leading: lists[index])
            }
        }
    }
}

extension InverseProperty {
    /// Returns what finds the way from the model to the values of which a property leads to it.
    private static func hops<Owner: Stored>(
        inverting link: PartialKeyPath<Owner>
    ) -> @Sendable () throws(DBClientError) -> [RelatedRows] {
        nonisolated(unsafe) let link = link
        return { () throws(DBClientError) in
            try Owner.schema.hops(from: Model.schema.entity, inverting: link)
        }
    }
}

/// What a property holds of the values of another model that lead to a value: a list, a set, or an optional of one, which
/// is nil until it is asked for.
public protocol InverseList<Related>: ToManyValue, SendableMetatype {
    /// Creates the property's value from the values that were found, in the order of their keys.
    init(leading values: [Related])
}

extension Array: InverseList where Element: Stored {
    /// The values in the order of their keys.
    public init(leading values: [Element]) { self = values }
}

extension Set: InverseList where Element: Stored {
    /// The values, in no order.
    public init(leading values: [Element]) { self.init(values) }
}

extension Optional: InverseList where Wrapped: InverseList {
    /// The values, which are there.
    public init(leading values: [Wrapped.Related]) { self = Wrapped(leading: values) }
}

extension Schema {
    /// Returns the inverse property at a key path, or nil.
    func inverse(at keyPath: AnyKeyPath) -> InverseProperty<Model>? {
        inverses.first { $0.keyPath == keyPath }
    }
}

extension Stored {
    /// Returns the inverse property at a key path and the entity that has it, or nil.
    static func inverse(
        at keyPath: AnyKeyPath
    ) -> (relationship: RelationshipSchema, entity: EntitySchema)? {
        schema.inverse(at: keyPath).map { ($0.relationship, schema.entity) }
    }
}
