/// The names that other libraries give to the calls of a client or a transaction: the compiler suggests the
/// right call.
public protocol RenamedCalls {}

// None of these is called: each says what to write instead.
extension RenamedCalls {
    /// Unavailable: it was renamed to `find(_:key:)`.
    @available(*, unavailable, renamed: "find(_:key:)")
    public func find<Model: StoredConvertible, Key>(_ type: Model.Type, id: Key) -> Model? { nil }

    /// Unavailable: it was renamed to `find(_:key:)`.
    @available(*, unavailable, renamed: "find(_:key:)")
    public func find<Model: StoredConvertible, Key>(_ type: Model.Type, _ key: Key) -> Model? {
        nil
    }

    /// Unavailable: it was renamed to `find(_:key:)`.
    @available(*, unavailable, renamed: "find(_:key:)")
    public func get<Model: StoredConvertible, Key>(_ type: Model.Type, _ key: Key) -> Model? { nil }

    /// Unavailable: it was renamed to `find(_:key:)`.
    @available(*, unavailable, renamed: "find(_:key:)")
    public func get<Model: StoredConvertible, Key>(_ type: Model.Type, key: Key) -> Model? { nil }

    /// Unavailable: it was renamed to `find(_:key:)`.
    @available(*, unavailable, renamed: "find(_:key:)")
    public func get<Model: StoredConvertible, Key>(_ type: Model.Type, id: Key) -> Model? { nil }

    /// Unavailable: it was renamed to `findAll(_:)`.
    @available(*, unavailable, renamed: "findAll(_:)")
    public func fetchAll<Model: StoredConvertible>(_ type: Model.Type) -> [Model] { [] }

    /// Unavailable: it was renamed to `fetch(_:)`.
    @available(*, unavailable, renamed: "fetch(_:)")
    public func fetchAll<Request: FetchRequestConvertible>(_ request: Request) -> [Request.Model] {
        []
    }

    /// Unavailable: it was renamed to `findAll(_:)`.
    @available(*, unavailable, renamed: "findAll(_:)")
    public func fetch<Model: StoredConvertible>(_ type: Model.Type) -> [Model] { [] }

    /// Unavailable: it was renamed to `fetchOne(_:)`.
    @available(*, unavailable, renamed: "fetchOne(_:)")
    public func first<Request: FetchRequestConvertible>(_ request: Request) -> Request.Model? {
        nil
    }

    /// Unavailable: the call is `fetchOne(_:)`.
    @available(
        *,
        unavailable,
        message: "use 'fetchOne(_:)' with a request, such as 'Hero.all.sorted { $0.name }'"
    )
    public func first<Model: StoredConvertible>(_ type: Model.Type) -> Model? { nil }

    /// Unavailable: it was renamed to `upsert(_:)`.
    @available(*, unavailable, renamed: "upsert(_:)")
    public func save<Model: StoredConvertible>(_ value: Model) {}

    /// Unavailable: it was renamed to `upsert(_:)`.
    @available(*, unavailable, renamed: "upsert(_:)")
    public func save<Model: StoredConvertible>(_ values: [Model]) {}

    /// Unavailable: a request is counted, not a type.
    @available(*, unavailable, message: "use 'count(_:)' with a request: 'count(Hero.all)'")
    public func count<Model: StoredConvertible>(_ type: Model.Type) -> Int { 0 }

    /// Unavailable: values are deleted by a request, not by a type.
    @available(
        *,
        unavailable,
        message: "use 'delete(_:)' with a request: 'delete(Hero.where { … })'"
    )
    public func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        where condition: (Fields<Model>) -> Condition<Model>
    ) -> Int { 0 }

    /// Unavailable: several values are inserted as an array.
    @available(*, unavailable, message: "insert several values as an array: 'insert([a, b])'")
    public func insert<Model: StoredConvertible>(_ value: Model, _ others: Model...) {}

    /// Unavailable: it was renamed to `max(_:of:)`.
    @available(*, unavailable, renamed: "max(_:of:)")
    public func max<Request: FetchRequestConvertible, Value>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        _ request: Request
    ) -> Value? { nil }

    /// Unavailable: it was renamed to `min(_:of:)`.
    @available(*, unavailable, renamed: "min(_:of:)")
    public func min<Request: FetchRequestConvertible, Value>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        _ request: Request
    ) -> Value? { nil }

    /// Unavailable: it was renamed to `sum(_:of:)`.
    @available(*, unavailable, renamed: "sum(_:of:)")
    public func sum<Request: FetchRequestConvertible, Value: Numeric>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        _ request: Request
    ) -> Value { 0 }
}
