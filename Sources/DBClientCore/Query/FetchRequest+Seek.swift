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
    /// contain what it refers to; `offset` and `stream` do without. So does one sorted by computed text in natural
    /// order, which no condition tells; `offset` does without. A model that converts counts as the storage that it
    /// converts to.
    public func after(_ model: Model) -> Self {
        after { order in
            let storage = try model.storage(existing: nil)
            return try order.map { ordering in
                if let expression = ordering.expression {
                    try ordering.checkSeek(in: query.entity)
                    return try Model.Storage.value(
                        of: storage,
                        expression,
                        through: ordering.path
                    )
                }
                return try Model.Storage.value(
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

    /// Returns a request for what comes after the place that a closure tells, by the keys of an order.
    func after(_ place: ([RowOrdering]) throws -> [StorageValue]) -> Self {
        continued(
            Condition {
                try query.entity.validate()
                let order = query.totalOrder
                return .after(try place(order), in: order, of: query.entity)
            }
        )
    }

    /// Returns the request for the values that come after a place, which a condition tells.
    func continued(_ isAfter: Condition<Model>) -> Self {
        var copy = offset(0)
        // A key that is computed may have no value for a row.
        if query.isSortedByComputed { copy.noteComputedValues() }
        return copy.filter(isAfter)
    }

    /// The request, which says of itself where no condition tells what comes after a value.
    var continuable: Self {
        var copy = self
        for ordering in query.orderings {
            do { try ordering.checkSeek(in: query.entity) } catch {
                copy.note(DBClientError.wrapping(error))
            }
        }
        return copy
    }
}

extension Stored {
    /// Returns what is computed from the fields of a value, or of what it holds at the end of a path.
    static func value(
        of model: Self,
        _ expression: RowExpression,
        through path: [RelatedRows] = []
    ) throws -> StorageValue {
        let owner = path.last?.entity ?? schema.entity
        var columns = Set<Int>()
        expression.insertColumns(into: &columns, of: owner)
        var values = [StorageValue](repeating: .null, count: owner.fields.count)
        for column in columns {
            values[column] = try value(of: model, column: column, through: path[...])
        }
        let row = EncodedRow(values: values)
        let program = ExpressionProgram(expression, of: owner)
        // The value borrows the bytes of both.
        defer { withExtendedLifetime((program, row)) {} }
        return StorageValue(try program.value(for: row))
    }

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
    /// What a computed key and its value at the place are compared as; nil for a field.
    let computed: (key: RowExpression, place: RowExpression, type: FieldType)?
    /// Whether absent values come after the present ones, and there can be any.
    let hasNilsLast: Bool

    init(_ ordering: RowOrdering, _ value: StorageValue, of entity: EntitySchema) {
        self.ordering = ordering
        self.value = value
        self.hasNilsLast = !ordering.nilsFirst && ordering.isOptional(of: entity)
        computed = ordering.expression.map { expression in
            let type = ordering.type(of: entity)
            let place = RowExpression.constant(value, type)
            guard ordering.text == .caseInsensitive else { return (expression, place, type) }
            return (
                .function(.lowercased, type, [expression]), .function(.lowercased, type, [place]),
                type
            )
        }
    }

    var isEqual: RowCondition {
        let condition: RowCondition =
            if let computed {
                .comparing(computed.key, .equal, computed.place)
            } else {
                .comparing(column: ordering.column, .equal, value, ordering.text)
            }
        return condition.reached(through: ordering.path)
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
        let condition: RowCondition =
            if let computed {
                .comparing(computed.key, .equal, .constant(.null, computed.type))
            } else {
                .isNil(column: ordering.column)
            }
        return condition.reached(through: ordering.path)
    }

    private func beyond(_ comparison: Comparison) -> RowCondition {
        let compared = compared(comparison)
        return hasNilsLast ? .disjunction(compared, isNil) : compared
    }

    private func compared(_ comparison: Comparison) -> RowCondition {
        let condition: RowCondition =
            if let computed {
                .comparing(computed.key, comparison, computed.place)
            } else {
                .compare(column: ordering.column, comparison, value, ordering.text)
            }
        return condition.reached(through: ordering.path)
    }
}

extension RowOrdering {
    /// Throws where no condition says what comes after a computed key.
    func checkSeek(in entity: EntitySchema) throws {
        if expression?.isRank ?? false {
            throw DBClientError(
                .invalidRequest,
                "A request that continues after a value must be sorted by what the value tells; the rank of a"
                    + " search depends on all values.",
                entity: entity.name,
                hint: "Use `limit` and `offset`, or sort by a field."
            )
        }
        if expression == nil || text != .natural { return }
        throw DBClientError(
            .invalidRequest,
            "A request that continues after a value must not sort computed text naturally.",
            entity: entity.name,
            hint: "Sort ignoring case, or by a field."
        )
    }
}

/// The encoded fields of a value as a row.
final class EncodedRow: SlotSource {
    private let slots: [Slot]
    private let bytes = RowBuffer(.constant, columns: [])

    init(values: [StorageValue]) {
        slots = values.map { [bytes] in $0.slot(in: bytes) }
    }

    func slot(_ column: Int) -> Slot { slots[column] }
}
