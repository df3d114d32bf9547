extension DBOperation where Mode == ReadWrite {
    /// Returns the operation that changes the value with a primary key and has the changed value.
    ///
    /// ```swift
    /// try await client.run(.modify(Character.self, key: 1455) { $0.aliases.append("Shellhead") })
    /// ```
    ///
    /// It throws `.notFound` when there is none.
    public static func modify(
        _ type: Value.Type,
        key: Value.PrimaryKey,
        _ change: @escaping @Sendable (inout Value) throws -> Void
    ) -> Self where Value: StoredConvertible {
        Self { transaction in
            guard let value = try transaction.find(type, key: key) else {
                throw DBClientError(
                    .notFound,
                    "There is no value with this primary key to modify.",
                    entity: Value.Storage.schema.entity.name,
                    key: "\(key)"
                )
            }
            return try transaction.modify([value], change)[0]
        }
    }

    /// Returns the operation that changes each value of a request and has the changed values.
    public static func modify<Request: FetchRequestConvertible>(
        _ request: Request,
        _ change: @escaping @Sendable (inout Request.Model) throws -> Void
    ) -> Self where Value == [Request.Model] {
        Self { try $0.modify($0.fetch(request), change) }
    }
}

extension DBOperation where Value: StoredConvertible {
    /// Returns the operation that changes the value of this one, stores it, and has it.
    ///
    /// It throws `.notFound` when the value is not stored.
    public func modify(
        _ change: @escaping @Sendable (inout Value) throws -> Void
    ) -> WriteOperation<Value> {
        WriteOperation(
            OperationPart(after: part) { run in
                run.put(try run.writer().modify([run.take() as Value], change)[0])
            }
        )
    }
}

extension WriteTransaction {
    /// Changes values, stores them, and returns them.
    fileprivate func modify<Model: StoredConvertible>(
        _ values: [Model],
        _ change: (inout Model) throws -> Void
    ) throws -> [Model] {
        let modified = try values.map { value in
            var copy = value
            try change(&copy)
            guard copy.primaryKey == value.primaryKey else {
                throw DBClientError(
                    .invalidRequest,
                    "The primary key of a stored value cannot be set.",
                    entity: Model.Storage.schema.entity.name,
                    hint: "Delete the value and insert it under its new key."
                )
            }
            return copy
        }
        try update(modified)
        return modified
    }
}
