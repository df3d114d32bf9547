// An operation for each way to write what may be stored already, to return what is written, and to copy it.
extension DBOperation where Mode == ReadWrite {
    /// Returns the operation that inserts those values that conflict with no stored one, and has these as they are stored.
    public static func insertIfAbsent<Model: StoredConvertible>(_ values: [Model]) -> Self
    where Value == [Model] {
        Self { try $0.insertIfAbsent(values) }
    }

    /// Returns the operation that inserts a value unless it conflicts with a stored one, and has it as it is stored, or
    /// nil.
    public static func insertIfAbsent<Model: StoredConvertible>(_ value: Model) -> Self
    where Value == Model? {
        Self { try $0.insertIfAbsent(value) }
    }

    /// Returns the operation that replaces the stored values that have the same values in some fields, and inserts the
    /// others.
    public static func upsert<Model: StoredConvertible>(
        _ values: [Model],
        by field: PartialKeyPath<Model.Storage>,
        _ others: PartialKeyPath<Model.Storage>...
    ) -> Self where Value == UpsertOutcome<Model> {
        let fields = Result { try UniqueFields([field] + others, of: Model.Storage.self) }
        return Self { try $0.upsert(values, by: fields) }
    }

    /// Returns the operation that replaces the stored value that has the same values in some fields, or inserts the value.
    public static func upsert<Model: StoredConvertible>(
        _ value: Model,
        by field: PartialKeyPath<Model.Storage>,
        _ others: PartialKeyPath<Model.Storage>...
    ) -> Self where Value == UpsertResult<Model> {
        let fields = Result { try UniqueFields([field] + others, of: Model.Storage.self) }
        return Self { try $0.upsert(value, by: fields) }
    }

    /// Returns the operation that writes some fields of the values of a request, and has the values as they are then.
    public static func updateReturning<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: @escaping @Sendable (inout Assignments<Request.Model>) throws -> Void
    ) -> Self where Value == [Request.Model] {
        Self { try $0.updateReturning(request, assign) }
    }

    /// Returns the operation that deletes the values of a request, and has them as they were.
    public static func deleteReturning<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> Self where Value == [Request.Model] {
        Self { try $0.deleteReturning(request) }
    }

    /// Returns the operation that inserts values that are made from those of a request, and has their number.
    public static func insert<Model: StoredConvertible, Request: FetchRequestConvertible>(
        _ type: Model.Type,
        from request: Request,
        _ assign:
            @escaping @Sendable (
                inout InsertedFields<Model, Request.Model>, Fields<Request.Model>
            ) throws -> Void
    ) -> Self where Value == Int {
        Self { try $0.insert(type, from: request, assign) }
    }

    /// Returns the operation that inserts values that are made from the rows of a join, and has their number.
    public static func insert<Model: StoredConvertible, Rows: JoinedRows>(
        _ type: Model.Type,
        from request: JoinRequest<Rows>,
        _ assign:
            @escaping @Sendable (inout InsertedFields<Model, Rows>, Rows.Fields) throws -> Void
    ) -> Self where Value == Int {
        Self { try $0.insert(type, from: request, assign) }
    }
}
