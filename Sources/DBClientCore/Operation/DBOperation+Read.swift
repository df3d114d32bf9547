// An operation for each way to read in a transaction.
extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that finds the value with a primary key, or nil.
    @inlinable
    public static func find<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) -> Self where Value == Model? {
        Self(.step { $0.put(try $0.reader.find(type, key: key) as Value) })
    }

    /// Returns the operation that finds the values with these primary keys that exist, in the order
    /// of `keys`.
    @inlinable
    public static func find<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) -> Self where Value == [Model] {
        Self(.step { $0.put(try $0.reader.find(type, keys: keys) as Value) })
    }

    /// Returns the operation that finds every value of a model in the order of the primary key.
    @inlinable
    public static func findAll<Model: StoredConvertible>(_ type: Model.Type) -> Self
    where Value == [Model] {
        Self(.step { $0.put(try $0.reader.findAll(type) as Value) })
    }

    /// Returns the operation that fetches the values of a request.
    @inlinable
    public static func fetch<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> Self where Value == [Request.Model] {
        Self(.step { $0.put(try $0.reader.fetch(request) as Value) })
    }

    /// Returns the operation that fetches the first value of a request, or nil.
    @inlinable
    public static func fetchOne<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> Self where Value == Request.Model? {
        Self(.step { $0.put(try $0.reader.fetchOne(request) as Value) })
    }

    /// Returns the operation that folds the values of a request, in order, in constant memory.
    ///
    /// - Parameters:
    ///   - request: The values.
    ///   - initial: The result of no values.
    ///   - combine: Takes the next value into the result.
    /// - Returns: The operation, whose value is the result.
    @inlinable
    public static func reduce<Request: FetchRequestConvertible>(
        _ request: Request,
        into initial: Value,
        _ combine: @escaping @Sendable (inout Value, Request.Model) throws -> Void
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

    /// Returns the operation that counts the values of a request, its limit and offset applied.
    @inlinable
    public static func count<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> Self where Value == Int {
        Self(.step { $0.put(try $0.reader.count(request) as Value) })
    }

    /// Returns the operation that tells whether a request has any value.
    @inlinable
    public static func exists<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> Self where Value == Bool {
        Self(.step { $0.put(try $0.reader.exists(request) as Value) })
    }

    /// Returns the operation that tells whether there is a value with a primary key.
    @inlinable
    public static func exists<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) -> Self where Value == Bool {
        Self(.step { $0.put(try $0.reader.exists(type, key: key) as Value) })
    }

    /// Returns the operation that describes how the engine would run a request.
    @inlinable
    public static func explain<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> Self where Value == String {
        Self(.step { $0.put(try $0.reader.explain(request) as Value) })
    }

    /// Returns the operation that finds the primary key of the one value that fulfils a condition, or
    /// nil.
    public static func findKey<Model: StoredConvertible>(
        of type: Model.Type,
        where condition: @escaping @Sendable (Fields<Model>) -> Condition<Model>
    ) -> Self where Value == Model.PrimaryKey? {
        Self { try $0.findKey(of: type, where: condition) }
    }

    /// Returns the operation that loads the value that a reference names, or nil when it is not stored.
    public static func load<Model: Stored>(_ reference: Reference<Model>) -> Self
    where Value == Model? {
        Self { try $0.load(reference) }
    }

    /// Returns the operation that loads the value that a reference names, or nil when there is no
    /// reference.
    public static func load<Model: Stored>(_ reference: Reference<Model>?) -> Self
    where Value == Model? {
        Self { try $0.load(reference) }
    }

    /// Returns the operation that loads the values that references name, in their order, those left out
    /// that are not there.
    public static func load<Model: Stored>(_ references: References<Model>) -> Self
    where Value == [Model] {
        Self { try $0.load(references) }
    }
}

extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that fetches the rows of a selection.
    public static func fetch<Row: Sendable>(
        _ request: SelectRequest<Row>
    ) -> Self where Value == [Row] {
        Self { try $0.fetch(request) }
    }
}
