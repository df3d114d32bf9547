// Joins with what a to-one relationship leads to, by its path alone.
extension FetchRequestConvertible {
    /// Returns a request for the values with the value that a reference names: `Line.all.join(\.product)`.
    public func join<Related: Stored>(
        _ path: KeyPath<Model.Storage, Reference<Related>>
    ) -> JoinRequest<Joined2<Model, Related>> {
        JoinRequest(request, through: path, to: Related.self, isOptional: false)
    }

    /// Returns a request for the values with the value that a reference names, if there is one: `Line.all.join(\.product)`.
    public func join<Related: Stored>(
        _ path: KeyPath<Model.Storage, Reference<Related>?>
    ) -> JoinRequest<Joined2<Model, Related>> {
        JoinRequest(request, through: path, to: Related.self, isOptional: false)
    }

    /// Returns a request for the values with the value that is held: `Line.all.join(\.product)`.
    public func join<Related: Stored>(
        _ path: KeyPath<Model.Storage, Related>
    ) -> JoinRequest<Joined2<Model, Related>> {
        JoinRequest(request, through: path, to: Related.self, isOptional: false)
    }

    /// Returns a request for the values with the value that is held, if there is one: `Line.all.join(\.product)`.
    public func join<Related: Stored>(
        _ path: KeyPath<Model.Storage, Related?>
    ) -> JoinRequest<Joined2<Model, Related>> {
        JoinRequest(request, through: path, to: Related.self, isOptional: false)
    }

    /// Returns a request for every value with the value that a reference names, or with nil.
    public func leftJoin<Related: Stored>(
        _ path: KeyPath<Model.Storage, Reference<Related>>
    ) -> JoinRequest<Joined2<Model, Related?>> {
        JoinRequest(request, through: path, to: Related.self, isOptional: true)
    }

    /// Returns a request for every value with the value that a reference names, if there is one, or with nil.
    public func leftJoin<Related: Stored>(
        _ path: KeyPath<Model.Storage, Reference<Related>?>
    ) -> JoinRequest<Joined2<Model, Related?>> {
        JoinRequest(request, through: path, to: Related.self, isOptional: true)
    }

    /// Returns a request for every value with the value that is held, or with nil.
    public func leftJoin<Related: Stored>(
        _ path: KeyPath<Model.Storage, Related>
    ) -> JoinRequest<Joined2<Model, Related?>> {
        JoinRequest(request, through: path, to: Related.self, isOptional: true)
    }

    /// Returns a request for every value with the value that is held, if there is one, or with nil.
    public func leftJoin<Related: Stored>(
        _ path: KeyPath<Model.Storage, Related?>
    ) -> JoinRequest<Joined2<Model, Related?>> {
        JoinRequest(request, through: path, to: Related.self, isOptional: true)
    }
}

extension StoredConvertible {
    /// Returns a request for the values with the value that a reference names.
    public static func join<Related: Stored>(
        _ path: KeyPath<Storage, Reference<Related>>
    ) -> JoinRequest<Joined2<Self, Related>> {
        all.join(path)
    }

    /// Returns a request for the values with the value that a reference names, if there is one.
    public static func join<Related: Stored>(
        _ path: KeyPath<Storage, Reference<Related>?>
    ) -> JoinRequest<Joined2<Self, Related>> {
        all.join(path)
    }

    /// Returns a request for the values with the value that is held.
    public static func join<Related: Stored>(
        _ path: KeyPath<Storage, Related>
    ) -> JoinRequest<Joined2<Self, Related>> {
        all.join(path)
    }

    /// Returns a request for the values with the value that is held, if there is one.
    public static func join<Related: Stored>(
        _ path: KeyPath<Storage, Related?>
    ) -> JoinRequest<Joined2<Self, Related>> {
        all.join(path)
    }

    /// Returns a request for all values with the value that a reference names, or with nil.
    public static func leftJoin<Related: Stored>(
        _ path: KeyPath<Storage, Reference<Related>>
    ) -> JoinRequest<Joined2<Self, Related?>> {
        all.leftJoin(path)
    }

    /// Returns a request for all values with the value that a reference names, if there is one, or with nil.
    public static func leftJoin<Related: Stored>(
        _ path: KeyPath<Storage, Reference<Related>?>
    ) -> JoinRequest<Joined2<Self, Related?>> {
        all.leftJoin(path)
    }

    /// Returns a request for all values with the value that is held, or with nil.
    public static func leftJoin<Related: Stored>(
        _ path: KeyPath<Storage, Related>
    ) -> JoinRequest<Joined2<Self, Related?>> {
        all.leftJoin(path)
    }

    /// Returns a request for all values with the value that is held, if there is one, or with nil.
    public static func leftJoin<Related: Stored>(
        _ path: KeyPath<Storage, Related?>
    ) -> JoinRequest<Joined2<Self, Related?>> {
        all.leftJoin(path)
    }
}

extension JoinRequest {
    fileprivate init<Model: StoredConvertible, Related: Stored>(
        _ first: FetchRequest<Model>,
        through path: PartialKeyPath<Model.Storage>,
        to related: Related.Type,
        isOptional: Bool
    ) {
        request = FetchRequest(joining: first, Related.all, isOptional: isOptional)
        let entity = Model.Storage.schema.entity
        request.join(
            on: Condition {
                let relationship = Model.Storage.schema.relationship(of: path)
                guard let relationship, relationship.link == nil else {
                    throw DBClientError(
                        .invalidRequest,
                        "The path must lead to a to-one relationship of the model itself; got \(path.named).",
                        entity: entity.name,
                        hint:
                            "Name the model and the condition: `join(Product.self) { $0.product == $1.id }`."
                    )
                }
                let key = Related.schema.entity.primaryKey
                return .all(
                    zip(relationship.columns, key).map { column, field in
                        .compareFields(column: column, .equal, to: entity.fields.count + field)
                    }
                )
            }
        )
    }
}
