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
    /// The order is the request's sort, then the primary key, so the value itself and everything
    /// before it are left out, exactly. The value need not be stored any more; its sort key counts as
    /// it is given. Sort before asking for what comes after. The offset is dropped, the limit kept.
    /// A request sorted by a field of what values hold throws `.invalidRequest`. A model that converts
    /// counts as the storage that it converts to.
    public func after(_ model: Model) -> Self {
        after { try Model.Storage.row(of: model.storage(existing: nil)) }
    }

    /// Returns a request for the values that come after a primary key.
    ///
    /// Only for a request in the order of the primary key; with another sort the call that uses the
    /// request throws `.invalidRequest`, since a key alone does not tell the place.
    public func after(key: Model.PrimaryKey) -> Self {
        guard query.isInKeyOrder else {
            var copy = self
            copy.note(
                DBClientError(
                    .invalidRequest,
                    "A sorted request continues after a value, not after a key.",
                    entity: query.entity.name
                )
            )
            return copy
        }
        return after {
            let buffer = RowBuffer(query.entity, columns: query.entity.primaryKey)
            var row = try buffer.beginRow()
            try key.write(to: &row)
            try buffer.endRow(row)
            return buffer
        }
    }

    private func after(_ row: () throws -> RowBuffer) -> Self {
        offset(0).filter(
            Condition {
                try query.entity.validate()
                let order = query.totalOrder
                guard order.allSatisfy(\.path.isEmpty) else {
                    throw DBClientError(
                        .invalidRequest,
                        "A request sorted by what values hold does not continue after a value.",
                        entity: query.entity.name,
                        hint: "Use `offset`, or sort by fields of the model itself."
                    )
                }
                let buffer = try row()
                let values = withExtendedLifetime(buffer) {
                    order.compactMap { ordering in
                        buffer.columns.firstIndex(of: ordering.column)
                            .map { StorageValue(buffer.batch[0, $0]) }
                    }
                }
                return .after(values, in: order, of: query.entity)
            }
        )
    }
}

extension RowCondition {
    /// Returns the condition of the rows that come after a place in a total order.
    ///
    /// For keys a, b, c it is `a >= x and (a > x or (a = x and (b > y or (b = y and c > z))))`; the
    /// first term follows from the rest and is what an engine can make an index range of.
    ///
    /// `values` is the place, the value of each key of `order`; the keys come most significant first,
    /// and together they tell any two rows apart.
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
        self.hasNilsLast = !ordering.nilsFirst && entity.fields[ordering.column].isOptional
    }

    var isEqual: RowCondition {
        .comparing(column: ordering.column, .equal, value, ordering.text)
    }

    var isAfter: RowCondition {
        guard value.isNull else { return beyond(ordering.isDescending ? .less : .greater) }
        return ordering.nilsFirst ? .not(.isNil(column: ordering.column)) : .constant(false)
    }

    /// A range for an index to begin with; where the place is nil, no range helps.
    var isNotBefore: RowCondition {
        value.isNull
            ? .constant(true) : beyond(ordering.isDescending ? .lessOrEqual : .greaterOrEqual)
    }

    private func beyond(_ comparison: Comparison) -> RowCondition {
        let compared = RowCondition.compare(
            column: ordering.column,
            comparison,
            value,
            ordering.text
        )
        return hasNilsLast
            ? .disjunction(compared, .isNil(column: ordering.column)) : compared
    }
}
