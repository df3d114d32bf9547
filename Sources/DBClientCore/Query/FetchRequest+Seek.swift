extension FetchRequest {
    /// Returns a request for the values that come after a value in the order of this one: the next
    /// page, found through an index instead of by counting.
    ///
    /// ```swift
    /// let first = try await client.fetch(request.limit(50))
    /// if let last = first.last {
    ///     let second = try await client.fetch(request.after(last).limit(50))
    /// }
    /// ```
    ///
    /// The order is the request's sort, then the primary key, so the value itself and everything before it
    /// are left out, exactly. The value need not be stored any more; its sort key counts as it is given, also
    /// one of what the value holds. Sort before asking for what comes after. The offset is dropped, the limit
    /// kept. A request sorted through a ``Reference`` throws `.invalidRequest`, since the value does not
    /// contain what it refers to; `offset` and `stream` do without. A model that converts counts as the
    /// storage that it converts to.
    public func after(_ model: Model) -> Self {
        after { order in
            let storage = try model.storage(existing: nil)
            return try order.map { ordering in
                try Model.Storage.value(
                    of: storage,
                    column: ordering.column,
                    through: ordering.path[...]
                )
            }
        }
    }

    /// Returns a request for the values that come after a primary key.
    ///
    /// Only for a request in the order of the primary key; with another sort the call that uses the request
    /// throws `.invalidRequest`, since a key alone does not determine the place.
    public func after(key: Model.PrimaryKey) -> Self {
        guard query.isInKeyOrder else {
            var copy = self
            copy.note(
                DBClientError(
                    .invalidRequest,
                    "A sorted request must continue after a value, not after a key.",
                    entity: query.entity.name
                )
            )
            return copy
        }
        return after { _ in try Model.Storage.storedKey(key) }
    }

    private func after(_ place: ([RowOrdering]) throws -> [StorageValue]) -> Self {
        offset(0).filter(
            Condition {
                try query.entity.validate()
                let order = query.totalOrder
                return .after(try place(order), in: order, of: query.entity)
            }
        )
    }
}

extension Stored {
    /// Returns a field of a value, or of what it holds at the end of a path; null where it holds nothing.
    static func value(
        of model: Self,
        column: Int,
        through path: ArraySlice<RelatedRows>
    ) throws -> StorageValue {
        let encoded = try EncodedModels([model], keepingKeys: true)
        guard let hop = path.first else { return encoded.values(of: 0)[column] }
        let entity = schema.entity
        guard
            let branch = encoded.graph?.branches.first(where: {
                $0.relationship.link == nil && $0.relationship.columns == hop.matching
            }), let collection = branch.collection
        else {
            throw DBClientError(
                .invalidRequest,
                "A request that continues after a value must not be sorted through a reference.",
                entity: entity.name,
                field: entity.fields[hop.matching[0]].name,
                hint: "Use `offset` or `stream`, or sort by fields of related values."
            )
        }
        guard let place = branch.elements(of: 0).first else { return .null }
        return try collection.value(of: Int(place), column: column, through: path.dropFirst())
    }
}

extension RowCondition {
    /// Returns the condition of the rows that come after a place in a total order.
    ///
    /// For keys a, b, c it is `a >= x and (a > x or (a = x and (b > y or (b = y and c > z))))`; the
    /// first term follows from the rest and is what an engine can make an index range of.
    ///
    /// `values` is the place, the value of each key of `order`; the keys come most significant first, and
    /// together they distinguish any two rows.
    static func after(
        _ values: [StorageValue],
        in order: [RowOrdering],
        of entity: EntitySchema
    ) -> RowCondition {
        let keys = zip(order, values).map { SeekKey($0, $1, of: entity) }
        guard let first = keys.first, var condition = keys.last?.isAfter else {
            return .constant(false)
        }
        for key in keys.dropLast().reversed() {
            condition = .disjunction(key.isAfter, .conjunction(key.isEqual, condition))
        }
        return keys.count == 1 ? condition : .conjunction(first.isNotBefore, condition)
    }
}

/// One key of a place in an order.
private struct SeekKey {
    let ordering: RowOrdering
    let value: StorageValue
    /// Whether absent values come after the present ones, and there can be any.
    let hasNilsLast: Bool

    init(_ ordering: RowOrdering, _ value: StorageValue, of entity: EntitySchema) {
        self.ordering = ordering
        self.value = value
        let canBeNil = !ordering.path.isEmpty || ordering.field(of: entity).isOptional
        self.hasNilsLast = !ordering.nilsFirst && canBeNil
    }

    var isEqual: RowCondition {
        .comparing(column: ordering.column, .equal, value, ordering.text)
            .reached(through: ordering.path)
    }

    var isAfter: RowCondition {
        guard value.isNull else { return beyond(ordering.isDescending ? .less : .greater) }
        return ordering.nilsFirst ? .not(isNil) : .constant(false)
    }

    /// A range for an index to begin with; where the place is nil, no range helps.
    var isNotBefore: RowCondition {
        value.isNull
            ? .constant(true) : beyond(ordering.isDescending ? .lessOrEqual : .greaterOrEqual)
    }

    private var isNil: RowCondition {
        .isNil(column: ordering.column).reached(through: ordering.path)
    }

    private func beyond(_ comparison: Comparison) -> RowCondition {
        let compared = RowCondition.compare(
            column: ordering.column,
            comparison,
            value,
            ordering.text
        )
        .reached(through: ordering.path)
        return hasNilsLast ? .disjunction(compared, isNil) : compared
    }
}
