// Rows of requests, of joins and of groups as custom structs.
extension FetchRequestConvertible {
    /// Returns a request for values of a custom struct, of fields and what is computed from them, in the request's
    /// order, its limit and offset applied.
    ///
    /// ```swift
    /// Line.all.select(into: Amount.self) { .init(line: $0.id, amount: $0.price * $0.quantity) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The struct, which is declared with `@Selection`.
    ///   - columns: Returns what each of its properties is read from.
    /// - Returns: The request for values of the struct.
    public func select<Row: Selection>(
        into type: Row.Type,
        _ columns: (Fields<Model>) -> Row.Columns
    ) -> SelectRequest<Row> {
        request.selecting(columns(Fields()).selected)
    }
}

extension JoinRequest {
    /// Returns a request for values of a custom struct, of fields of the models, of what is computed from them, and of
    /// models as a whole, in the request's order, its limit and offset applied.
    ///
    /// - Parameters:
    ///   - type: The struct, which is declared with `@Selection`.
    ///   - columns: Returns what each of its properties is read from.
    /// - Returns: The request for values of the struct.
    public func select<Row: Selection>(
        into type: Row.Type,
        _ columns: (Rows.Fields) -> Row.Columns
    ) -> SelectRequest<Row> {
        request.selecting(Rows.make(columns).0.selected)
    }
}

extension GroupRequest {
    /// Returns a request for values of a custom struct, of the keys of each group and of aggregates, ascending by the
    /// keys, nil first, unless the groups are sorted.
    ///
    /// ```swift
    /// Line.all.grouped { $0.product }.select(into: Revenue.self) { group, keys in
    ///     .init(product: keys[0], revenue: group.sum { $0.price * $0.quantity })
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The struct, which is declared with `@Selection`.
    ///   - columns: Returns what each of its properties is read from.
    /// - Returns: The request for values of the struct.
    public func select<Row: Selection>(
        into type: Row.Type,
        _ columns: (GroupFields<Model>, SelectedKeys) -> Row.Columns
    ) -> SelectRequest<Row> {
        let selected = columns(GroupFields(), SelectedKeys()).selected
        var types: [any ColumnValue.Type] = []
        for type in repeat (each Key).self { types.append(type) }
        let places = GroupColumns(selected.parts, types, of: Model.schema.entity)
        let plan = GroupPlan(self, places.terms.all)
        return SelectRequest(
            GroupedRows(plan, positions: places.positions) { slots, rows in
                guard let row = ColumnDecoder(slots) else { return }
                var reader = SelectionReader(row, .group(plan, places.positions))
                rows.append(try selected.make(&reader))
            }
        )
    }
}

extension FetchRequest {
    /// Returns the request for what a selection makes of the rows.
    fileprivate func selecting<Row>(_ selected: SelectedRow<Row>) -> SelectRequest<Row> {
        let plan = ColumnPlan(of: self) {
            try selected.parts.flatMap { part in
                guard case .fields(let fields, let model) = part else {
                    throw DBClientError(
                        .invalidRequest,
                        "Keys and aggregates must be selected of groups.",
                        entity: Model.storedEntity.name
                    )
                }
                guard model == Model.self else {
                    throw DBClientError(
                        .invalidRequest,
                        "The columns must be made of the fields that are passed to the closure.",
                        entity: model.storedEntity.name
                    )
                }
                return try fields.get()
            }
        }
        let fields = SelectedFields<Row>(plan) { slots, rows in
            guard let row = ColumnDecoder(slots) else { return }
            var reader = SelectionReader(row, .fields(plan))
            rows.append(try selected.make(&reader))
        }
        return SelectRequest(of: fields) { transaction, sieve, rows in
            try plan.run(transaction, keptBy: sieve) { batch in
                plan.makeRoom(for: batch, in: &rows)
                var reader = SelectionReader(ColumnDecoder(batch, at: 0), .fields(plan))
                for index in 0..<batch.count {
                    reader.row = ColumnDecoder(batch, at: index)
                    rows.append(try selected.make(&reader))
                }
            }
        }
    }
}
