/// Which rows of an entity, in which order, and how many, by the stored names of fields.
///
/// The order is total: the sort, then the primary key. The call that uses a request checks it against
/// the schema; ``validated()`` does so at once.
public struct DynamicRequest: Hashable, Sendable {
    /// One key of the sort: a field and a direction.
    public struct Sort: Hashable, Sendable {
        /// The stored name of the field.
        public var field: String
        /// Whether the largest comes first, and absent values last.
        public var isDescending: Bool
        /// How text is compared when sorting by the field.
        public var text: TextOrder
        /// Whether absent values come before all others; nil for first where ascending and last where
        /// descending.
        public var nilsFirst: Bool?

        /// Creates a sort, by default smallest first.
        public init(
            _ field: String,
            descending: Bool = false,
            text: TextOrder = .binary,
            nilsFirst: Bool? = nil
        ) {
            self.field = field
            self.isDescending = descending
            self.text = text
            self.nilsFirst = nilsFirst
        }
    }

    /// The entity whose rows are requested.
    public let entity: EntitySchema
    /// The condition that a row must fulfil.
    public var condition: DynamicCondition
    /// The sort keys, most significant first, before the primary key that completes the order.
    public var sorts: [Sort]
    /// The greatest number of rows; nil for all.
    public var limit: Int?
    /// The number of rows to skip first.
    public var offset: Int
    /// The row that the first one comes after.
    private var place: DynamicRow?
    /// What the rows are put together from; nil for stored rows.
    private let join: DynamicJoin?

    /// Creates a request for every row of an entity, in the order of the primary key.
    public init(_ entity: EntitySchema) {
        self.init(entity, joining: nil)
    }

    /// Creates a request for every row that is put together.
    init(_ join: DynamicJoin) {
        self.init(join.entity, joining: join)
    }

    private init(_ entity: EntitySchema, joining join: DynamicJoin?) {
        self.entity = entity
        self.join = join
        self.condition = .constant(true)
        self.sorts = []
        self.offset = 0
    }

    /// Returns a request for the rows that also fulfil a condition.
    public func filter(_ condition: DynamicCondition) -> Self {
        var copy = self
        copy.condition =
            self.condition == .constant(true) ? condition : self.condition && condition
        return copy
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted(by sorts: Sort...) -> Self {
        var copy = self
        copy.sorts = sorts
        return copy
    }

    /// Returns the request with at most this many rows; nil for all.
    public func limit(_ limit: Int?) -> Self {
        var copy = self
        copy.limit = limit
        return copy
    }

    /// Returns the request without its first rows.
    public func offset(_ offset: Int) -> Self {
        var copy = self
        copy.offset = offset
        return copy
    }

    /// Returns a request for the rows that come after a row in the order of this one: the next page, found
    /// through an index instead of by counting.
    ///
    /// The row itself and everything before it are left out, exactly; it need not be stored any more. The
    /// offset is dropped, the limit kept.
    public func after(_ row: DynamicRow) -> Self {
        var copy = offset(0)
        copy.place = row
        return copy
    }

    /// Returns the request, checked.
    ///
    /// - Throws: `.invalidRequest` for a name that is no field, a value of another kind than its
    ///   field's, or a negative number; `.invalidValue` for a value that no engine can keep.
    public func validated() throws -> Self {
        _ = try rowQuery()
        return self
    }

    /// The request as engines see it.
    ///
    /// - Throws: `.invalidRequest` for a name that is no field, a value of another kind than its
    ///   field's, or a negative number.
    public func rowQuery() throws -> RowQuery {
        try entity.validate()
        guard limit ?? 0 >= 0, offset >= 0 else {
            throw DBClientError(
                .invalidRequest,
                "The limit and the offset must not be negative; got \(limit ?? 0) and \(offset).",
                entity: entity.name
            )
        }
        let condition = try condition.row(of: entity)
        let orderings = try sorts.map { sort in
            var ordering = RowOrdering(
                column: try entity.column(named: sort.field, text: sort.text),
                isDescending: sort.isDescending,
                text: sort.text
            )
            if let nilsFirst = sort.nilsFirst { ordering.nilsFirst = nilsFirst }
            return ordering
        }
        var query = try join?.query() ?? RowQuery(entity)
        query.condition = .conjunction(query.condition, condition)
        // The sort of what was joined stays until there is another.
        if !orderings.isEmpty { query.orderings = orderings }
        query.limit = limit
        query.offset = offset
        if let place {
            query.condition = .conjunction(
                query.condition,
                try place.isBefore(in: query.totalOrder, of: entity)
            )
        }
        return query
    }

    /// The entities that rows are put together from; of stored rows their own.
    var parts: [DynamicJoin.Part] {
        join?.parts ?? [DynamicJoin.Part(entity: entity, isOptional: false)]
    }
}
