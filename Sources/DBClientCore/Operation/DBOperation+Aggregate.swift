// An operation for each function over a field. Absent values are left out of each.
extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that computes a function over a field of the values of a request.
    public static func aggregate<Request: FetchRequestConvertible>(
        _ function: AggregateFunction,
        _ field: any PartialKeyPath<Request.Model.Storage> & Sendable,
        of request: Request
    ) -> Self where Value == StorageValue {
        Self { try $0.aggregate(function, field, of: request) }
    }

    /// Returns the operation that computes a function over a field of the values of a request, or of
    /// what they hold.
    public static func aggregate<Request: FetchRequestConvertible, Element: ColumnValue>(
        _ function: AggregateFunction,
        of request: Request,
        _ field: @escaping @Sendable (Fields<Request.Model>) -> Field<Request.Model, Element>
    ) -> Self where Value == StorageValue {
        Self { try $0.aggregate(function, of: request, field) }
    }

    /// Returns the operation that finds the smallest value of a field over a request, or nil.
    public static func min<Request: FetchRequestConvertible, Element>(
        _ field: any KeyPath<Request.Model.Storage, Element> & Sendable,
        of request: Request
    ) -> Self where Element: ColumnValue & Comparable, Value == Element? {
        Self { try $0.min(field, of: request) }
    }

    /// Returns the operation that finds the smallest value of a field over a request, or nil.
    public static func min<Request: FetchRequestConvertible, Element>(
        _ field: any KeyPath<Request.Model.Storage, Element?> & Sendable,
        of request: Request
    ) -> Self where Element: ColumnValue & Comparable, Value == Element? {
        Self { try $0.min(field, of: request) }
    }

    /// Returns the operation that finds the largest value of a field over a request, or nil.
    public static func max<Request: FetchRequestConvertible, Element>(
        _ field: any KeyPath<Request.Model.Storage, Element> & Sendable,
        of request: Request
    ) -> Self where Element: ColumnValue & Comparable, Value == Element? {
        Self { try $0.max(field, of: request) }
    }

    /// Returns the operation that finds the largest value of a field over a request, or nil.
    public static func max<Request: FetchRequestConvertible, Element>(
        _ field: any KeyPath<Request.Model.Storage, Element?> & Sendable,
        of request: Request
    ) -> Self where Element: ColumnValue & Comparable, Value == Element? {
        Self { try $0.max(field, of: request) }
    }

    /// Returns the operation that sums a field over a request; zero when there is none.
    public static func sum<Request: FetchRequestConvertible>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) -> Self where Value: StorableValue & Numeric {
        Self { try $0.sum(field, of: request) }
    }

    /// Returns the operation that sums a field over a request; zero when there is none.
    public static func sum<Request: FetchRequestConvertible>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) -> Self where Value: StorableValue & Numeric {
        Self { try $0.sum(field, of: request) }
    }

    /// Returns the operation that averages a field over a request; nil of none.
    public static func average<Request: FetchRequestConvertible>(
        _ field: any PartialKeyPath<Request.Model.Storage> & Sendable,
        of request: Request
    ) -> Self where Value == Double? {
        Self { try $0.average(field, of: request) }
    }

    /// Returns the operation that finds the different values of a field over a request, ascending,
    /// nil first.
    public static func distinct<Request: FetchRequestConvertible, Element: ColumnValue>(
        _ field: any KeyPath<Request.Model.Storage, Element> & Sendable,
        of request: Request
    ) -> Self where Value == [Element] {
        Self { try $0.distinct(field, of: request) }
    }
}
