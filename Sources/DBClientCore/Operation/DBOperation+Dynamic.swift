// An operation for each call that works by stored names.
extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that fetches the rows of a request.
    public static func fetch(_ request: DynamicRequest) -> Self where Value == [DynamicRow] {
        Self { try $0.fetch(request) }
    }

    /// Returns the operation that fetches the groups of a request.
    public static func fetch(_ request: DynamicGroupRequest) -> Self
    where Value == [DynamicGroup] {
        Self { try $0.fetch(request) }
    }

    /// Returns the operation that folds the rows of a request, in order, in constant memory.
    ///
    /// - Parameters:
    ///   - request: The rows.
    ///   - initial: The result of no rows.
    ///   - combine: Takes the next row into the result.
    /// - Returns: The operation, whose value is the result.
    public static func reduce(
        _ request: DynamicRequest,
        into initial: Value,
        _ combine: @escaping @Sendable (inout Value, DynamicRow) throws -> Void
    ) -> Self where Value: Sendable {
        Self { transaction in
            var result = initial
            try transaction.forEach(request) {
                try combine(&result, $0)
                return true
            }
            return result
        }
    }

    /// Returns the operation that finds the row with a primary key, given in key order, or nil.
    public static func find(
        _ entity: EntitySchema,
        key: [DynamicValue]
    ) -> Self where Value == DynamicRow? {
        Self { try $0.find(entity, key: key) }
    }

    /// Returns the operation that counts the rows of a request.
    public static func count(_ request: DynamicRequest) -> Self where Value == Int {
        Self { try $0.count(request) }
    }

    /// Returns the operation that describes how the engine would run a request.
    public static func explain(_ request: DynamicRequest) -> Self where Value == String {
        Self { try $0.explain(request) }
    }

    /// Returns the operation that computes a function over the field with a stored name.
    public static func aggregate(
        _ function: AggregateFunction,
        _ field: String,
        of request: DynamicRequest
    ) -> Self where Value == DynamicValue {
        Self { try $0.aggregate(function, field, of: request) }
    }

    /// Returns the operation that finds the different values of the field with a stored name.
    public static func distinct(
        _ field: String,
        of request: DynamicRequest
    ) -> Self where Value == [DynamicValue] {
        Self { try $0.distinct(field, of: request) }
    }
}

extension DBOperation where Mode == ReadWrite {
    /// Returns the operation that inserts rows and has them as they are stored.
    public static func insert(_ rows: [DynamicRow]) -> Self where Value == [DynamicRow] {
        Self { try $0.insert(rows) }
    }

    /// Returns the operation that replaces the stored rows that have the same primary keys.
    public static func update(_ rows: [DynamicRow]) -> Self where Value == Void {
        Self { try $0.update(rows) }
    }

    /// Returns the operation that inserts the rows that are not stored and replaces those that are.
    public static func upsert(
        _ rows: [DynamicRow]
    ) -> Self where Value == (inserted: Int, updated: Int) {
        Self { try $0.upsert(rows) }
    }

    /// Returns the operation that writes some fields of the row with a primary key.
    public static func update(
        _ entity: EntitySchema,
        key: [DynamicValue],
        set values: [String: DynamicValue]
    ) -> Self where Value == Void {
        Self { try $0.update(entity, key: key, set: values) }
    }

    /// Returns the operation that writes some fields of the rows of a request and has their number.
    public static func update(
        _ request: DynamicRequest,
        set values: [String: DynamicValue]
    ) -> Self where Value == Int {
        Self { try $0.update(request, set: values) }
    }

    /// Returns the operation that deletes the row with a primary key and tells whether there was one.
    public static func delete(
        _ entity: EntitySchema,
        key: [DynamicValue]
    ) -> Self where Value == Bool {
        Self { try $0.delete(entity, key: key) }
    }

    /// Returns the operation that deletes the rows of a request and has their number.
    public static func delete(_ request: DynamicRequest) -> Self where Value == Int {
        Self { try $0.delete(request) }
    }
}
