// Functions over a field of a request. Absent values are left out of each.
extension ReadCalls {
    /// Computes a function over a field of the values of a request.
    ///
    /// - Throws: `.invalidRequest` for a sum or an average of a field that is not a number.
    public func aggregate<Request: FetchRequestConvertible>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Request.Model.Storage>,
        of request: Request
    ) throws -> StorageValue {
        try reading(asOneCall: true) { transaction in
            let (query, place) = try transaction.resolving(.aggregate, Request.Model.self) {
                try Request.Model.mapping(in: transaction).field(field, of: request.request)
            }
            try place.owner(query.entity).check(function, on: place.column)
            return try transaction.aggregate(function, place, of: query)
        }
    }

    /// Computes a function over a field of the values of a request, or of what they hold.
    ///
    /// ```swift
    /// let first = try transaction.aggregate(.minimum, of: heroes) { $0.publisher.founded }
    /// ```
    ///
    /// What is held by several values counts for each of them; nil is left out.
    ///
    /// - Throws: `.invalidRequest` for a sum or an average of a field that is not a number.
    public func aggregate<Request: FetchRequestConvertible, Value: ColumnValue>(
        _ function: AggregateFunction,
        of request: Request,
        _ field: (Fields<Request.Model>) -> Field<Request.Model, Value>
    ) throws -> StorageValue {
        try reading(asOneCall: true) { transaction in
            let field = field(Fields())
            let column = try field.column()
            try field.entity.check(function, on: column)
            let (query, place) = try Request.Model.mapping(in: transaction)
                .field(RowGrouping.Key(column, through: field.path), of: request.request)
            return try transaction.aggregate(function, place, of: query)
        }
    }

    /// Computes a function over what is computed from the fields of the values of a request.
    ///
    /// ```swift
    /// let revenue: Double = try transaction.sum(of: Line.all) { $0.price * $0.quantity }
    /// ```
    ///
    /// - Throws: `.invalidRequest` for a sum or an average of what is no number.
    @_disfavoredOverload
    public func aggregate<Request: FetchRequestConvertible, Term: ExpressionTerm>(
        _ function: AggregateFunction,
        of request: Request,
        _ term: (Fields<Request.Model>) -> Term
    ) throws -> StorageValue where Term.Model == Request.Model, Term.Value: ExpressionValue {
        try reading(asOneCall: true) { transaction in
            let key = try term(Fields()).groupKey(of: Request.Model.self)
            let (query, place) = try Request.Model.mapping(in: transaction)
                .field(key, of: request.request)
            let field = place.field(of: query.entity)
            try place.owner(query.entity).check(function, on: field)
            return try transaction.aggregate(function, place, of: query)
        }
    }

    /// Returns the sum of what is computed over a request, absent values left out; zero when there is none.
    ///
    /// - Throws: `.invalidValue` where a number leaves the range of its type, or the sum that of `Value` or of `Int64`.
    public func sum<Request: FetchRequestConvertible, Term: ExpressionTerm, Value>(
        of request: Request,
        _ term: (Fields<Request.Model>) -> Term
    ) throws -> Value
    where
        Term.Model == Request.Model,
        Term.Value: ExpressionValue,
        Term.Value.Present == Value,
        Value: StorableValue & Numeric
    {
        try aggregate(.sum, of: request, term).decodeSum(of: Request.Model.self)
    }

    /// Returns the average of what is computed over a request, absent values left out, or nil of none.
    public func average<Request: FetchRequestConvertible, Term: ExpressionTerm>(
        of request: Request,
        _ term: (Fields<Request.Model>) -> Term
    ) throws -> Double? where Term.Model == Request.Model, Term.Value: ArithmeticValue {
        try aggregate(.average, of: request, term).decode()
    }

    /// Returns the smallest of what is computed over a request, absent values left out, or nil of none.
    public func min<Request: FetchRequestConvertible, Term: ExpressionTerm>(
        of request: Request,
        _ term: (Fields<Request.Model>) -> Term
    ) throws -> Term.Value.Present?
    where
        Term.Model == Request.Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable
    {
        try aggregate(.minimum, of: request, term).decode()
    }

    /// Returns the largest of what is computed over a request, absent values left out, or nil of none.
    public func max<Request: FetchRequestConvertible, Term: ExpressionTerm>(
        of request: Request,
        _ term: (Fields<Request.Model>) -> Term
    ) throws -> Term.Value.Present?
    where
        Term.Model == Request.Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable
    {
        try aggregate(.maximum, of: request, term).decode()
    }

    /// Returns the smallest value of a field over a request, or nil when there is none.
    public func min<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value? {
        try aggregate(.minimum, field, of: request).decode()
    }

    /// Returns the smallest value of a field over a request, or nil when there is none.
    public func min<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value? {
        try aggregate(.minimum, field, of: request).decode()
    }

    /// Returns the largest value of a field over a request, or nil when there is none.
    public func max<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value? {
        try aggregate(.maximum, field, of: request).decode()
    }

    /// Returns the largest value of a field over a request, or nil when there is none.
    public func max<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value? {
        try aggregate(.maximum, field, of: request).decode()
    }

    /// Returns the sum of a field over a request; zero when there is none.
    ///
    /// The sum is exact, whatever the order of the rows; one of doubles is rounded once. One that no `Double` holds is
    /// infinite, and opposite infinities come to NaN; a condition compares that as unequal to everything.
    /// Only the whole sum counts, not what comes before it in some order.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Value` or of `Int64`, or one of
    ///   decimals has over 38 digits.
    public func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value {
        try aggregate(.sum, field, of: request).decodeSum(of: Request.Model.self)
    }

    /// Returns the sum of a field over a request, absent values left out; zero when there is none.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Value` or of `Int64`, or one of
    ///   decimals has over 38 digits.
    public func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value {
        try aggregate(.sum, field, of: request).decodeSum(of: Request.Model.self)
    }

    /// Returns the average of a field over a request, absent values left out, or nil of none.
    ///
    /// It is in the range where the values are, even if their sum is not; opposite infinities come to NaN.
    public func average<Request: FetchRequestConvertible>(
        _ field: PartialKeyPath<Request.Model.Storage>,
        of request: Request
    ) throws -> Double? {
        try aggregate(.average, field, of: request).decode()
    }
}

extension StorageValue {
    /// Returns a sum as a field's own type, zero when there was nothing to add.
    func decodeSum<Model: StoredConvertible, Value: StorableValue & Numeric>(
        of model: Model.Type
    ) throws -> Value {
        try withSlot { slot in
            do throws(SlotError) {
                return try Value(sum: slot)
            } catch {
                throw DBClientError(
                    .invalidValue,
                    "The sum must be within the range of the field's type.",
                    entity: model.Storage.schema.entity.name
                )
            }
        }
    }
}
