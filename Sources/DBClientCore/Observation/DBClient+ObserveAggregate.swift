// Functions over a field of a request that are observed. Absent values are left out of each, and observers of
// an equal one through one client share its work.
extension DBClient {
    /// Returns the smallest value of a field over a request, nil while there is none, and then each other
    /// one.
    public func observeMin<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) -> ValueStream<Value?> {
        observe(.minimum, field, of: request) {
            try $0.min(field, of: $1)
        } decode: {
            try $0.decode()
        }
    }

    /// Returns the smallest value of a field over a request, nil while there is none, and then each other
    /// one.
    public func observeMin<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) -> ValueStream<Value?> {
        observe(.minimum, field, of: request) {
            try $0.min(field, of: $1)
        } decode: {
            try $0.decode()
        }
    }

    /// Returns the largest value of a field over a request, nil while there is none, and then each other
    /// one.
    public func observeMax<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) -> ValueStream<Value?> {
        observe(.maximum, field, of: request) {
            try $0.max(field, of: $1)
        } decode: {
            try $0.decode()
        }
    }

    /// Returns the largest value of a field over a request, nil while there is none, and then each other
    /// one.
    public func observeMax<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) -> ValueStream<Value?> {
        observe(.maximum, field, of: request) {
            try $0.max(field, of: $1)
        } decode: {
            try $0.decode()
        }
    }

    /// Returns the sum of a field over a request, zero while there is none, and then each other one.
    ///
    /// An integer sum that leaves the range of `Value` or of `Int64` ends it with `.invalidValue`, as one of
    /// decimals with over 38 digits does.
    public func observeSum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) -> ValueStream<Value> {
        observe(.sum, field, of: request) {
            try $0.sum(field, of: $1)
        } decode: {
            try $0.decodeSum(of: Request.Model.self)
        }
    }

    /// Returns the sum of a field over a request, zero while there is none, and then each other one.
    ///
    /// An integer sum that leaves the range of `Value` or of `Int64` ends it with `.invalidValue`, as one of
    /// decimals with over 38 digits does.
    public func observeSum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) -> ValueStream<Value> {
        observe(.sum, field, of: request) {
            try $0.sum(field, of: $1)
        } decode: {
            try $0.decodeSum(of: Request.Model.self)
        }
    }

    /// Returns the average of a field over a request, nil while there is none, and then each other one.
    public func observeAverage<Request: FetchRequestConvertible>(
        _ field: any PartialKeyPath<Request.Model.Storage> & Sendable,
        of request: Request
    ) -> ValueStream<Double?> {
        observe(.average, field, of: request) {
            try $0.average(field, of: $1)
        } decode: {
            try $0.decode()
        }
    }

    private func observe<Request: FetchRequestConvertible, Value: ColumnValue>(
        _ function: AggregateFunction,
        _ field: any PartialKeyPath<Request.Model.Storage> & Sendable,
        of request: Request,
        _ read:
            @escaping @Sendable (ReadTransaction, FetchRequest<Request.Model>) throws -> Value,
        decode: @escaping @Sendable (StorageValue) throws -> Value
    ) -> ValueStream<Value> {
        let source = observation
        let request = request.request
        return ValueStream(
            upkeep: { try Upkeep.ofAggregate(over: field, of: request) },
            begin: {
                try await source.value(request, function, field, { try read($0, request) }, decode)
            }
        )
    }
}
