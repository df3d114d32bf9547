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
        Self { try $0.modify(type, key: key, change) }
    }

    /// Returns the operation that changes each value of a request and has the changed values.
    public static func modify<Request: FetchRequestConvertible>(
        _ request: Request,
        _ change: @escaping @Sendable (inout Request.Model) throws -> Void
    ) -> Self where Value == [Request.Model] {
        Self { try $0.modify(request, change) }
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
