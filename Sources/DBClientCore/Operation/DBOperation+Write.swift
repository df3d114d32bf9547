// An operation for each way to write in a transaction.
extension DBOperation where Mode == ReadWrite {
    /// Returns the operation that inserts values and has them as they are stored.
    @inlinable
    public static func insert<Model: StoredConvertible>(_ values: [Model]) -> Self
    where Value == [Model] {
        Self(.step { $0.put(try $0.writer().insert(values) as Value) })
    }

    /// Returns the operation that inserts a value and has it as it is stored.
    @inlinable
    public static func insert(_ value: Value) -> Self where Value: StoredConvertible {
        Self(.step { $0.put(try $0.writer().insert(value) as Value) })
    }

    /// Returns the operation that replaces the stored values that have the same primary keys.
    @inlinable
    public static func update<Model: StoredConvertible>(_ values: [Model]) -> Self
    where Value == Void {
        Self(.step { $0.put(try $0.writer().update(values) as Value) })
    }

    /// Returns the operation that replaces the stored value that has the same primary key.
    @inlinable
    public static func update<Model: StoredConvertible>(_ value: Model) -> Self
    where Value == Void {
        Self(.step { $0.put(try $0.writer().update(value) as Value) })
    }

    /// Returns the operation that replaces the stored values that have the same primary keys, skips
    /// those that are not stored, and has those that were.
    @inlinable
    public static func updateExisting<Model: StoredConvertible>(
        _ values: [Model]
    ) -> Self where Value == [Model] {
        Self(.step { $0.put(try $0.writer().updateExisting(values) as Value) })
    }

    /// Returns the operation that writes some fields of the value with a primary key.
    @inlinable
    public static func update<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ assign: @escaping @Sendable (inout Assignments<Model>) throws -> Void
    ) -> Self where Value == Void {
        Self(.step { $0.put(try $0.writer().update(type, key: key, assign) as Value) })
    }

    /// Returns the operation that writes some fields of the values with these primary keys, of each its own.
    @inlinable
    public static func update<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey],
        _ assign: @escaping @Sendable (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) -> Self where Value == Void {
        Self { try $0.update(type, keys: keys, assign) }
    }

    /// Returns the operation that writes some fields of the values of a request and has their number.
    @inlinable
    public static func update<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: @escaping @Sendable (inout Assignments<Request.Model>) throws -> Void
    ) -> Self where Value == Int {
        Self(.step { $0.put(try $0.writer().update(request, assign) as Value) })
    }

    /// Returns the operation that inserts the values that are not stored and replaces those that are.
    @inlinable
    public static func upsert<Model: StoredConvertible>(
        _ values: [Model]
    ) -> Self where Value == UpsertOutcome<Model> {
        Self(.step { $0.put(try $0.writer().upsert(values) as Value) })
    }

    /// Returns the operation that inserts a value, or replaces the stored one.
    @inlinable
    public static func upsert<Model: StoredConvertible>(
        _ value: Model
    ) -> Self where Value == UpsertResult<Model> {
        Self(.step { $0.put(try $0.writer().upsert(value) as Value) })
    }

    /// Returns the operation that deletes the value with a primary key and tells whether there was one.
    @inlinable
    public static func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) -> Self where Value == Bool {
        Self(.step { $0.put(try $0.writer().delete(type, key: key) as Value) })
    }

    /// Returns the operation that deletes the values with these primary keys and has their number.
    @inlinable
    public static func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) -> Self where Value == Int {
        Self(.step { $0.put(try $0.writer().delete(type, keys: keys) as Value) })
    }

    /// Returns the operation that deletes the stored value that has the same primary key and tells
    /// whether there was one.
    @inlinable
    public static func delete<Model: StoredConvertible>(_ value: Model) -> Self
    where Value == Bool {
        Self(.step { $0.put(try $0.writer().delete(value) as Value) })
    }

    /// Returns the operation that deletes the stored values that have the same primary keys and has
    /// their number.
    @inlinable
    public static func delete<Model: StoredConvertible>(_ values: [Model]) -> Self
    where Value == Int {
        Self(.step { $0.put(try $0.writer().delete(values) as Value) })
    }

    /// Returns the operation that deletes the values of a request and has their number.
    @inlinable
    public static func delete<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> Self where Value == Int {
        Self(.step { $0.put(try $0.writer().delete(request) as Value) })
    }

    /// Returns the operation that deletes every value of a model and has their number.
    @inlinable
    public static func deleteAll<Model: StoredConvertible>(_ type: Model.Type) -> Self
    where Value == Int {
        Self(.step { $0.put(try $0.writer().deleteAll(type) as Value) })
    }
}
