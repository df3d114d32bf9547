extension RollupRequest {
    /// Returns a request for values of a custom struct, of the keys and aggregates of each group and total, ascending by the
    /// keys, each total behind what it is of.
    ///
    /// ```swift
    /// Line.all.grouped { ($0.date.year, $0.product) }.rollup.select(into: Revenue.self) { group, keys in
    ///     .init(year: keys[0], product: keys[1], keys: keys.count, revenue: group.sum(\.price))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The struct, which is declared with `@Selection`.
    ///   - columns: Returns what each of its properties is read from. A key is read into an optional, which is nil where
    ///     the row is a total over the key.
    /// - Returns: The request for values of the struct.
    public func select<Row: Selection>(
        into type: Row.Type,
        _ columns: (GroupFields<Model>, RollupKeys) -> Row.Columns
    ) -> SelectRequest<Row> {
        let selected = columns(GroupFields(), RollupKeys()).selected
        var types: [any ColumnValue.Type] = []
        for type in repeat (each Key).self { types.append(Self.optional(type)) }
        let places = GroupColumns(
            selected.parts,
            types,
            of: Model.schema.entity,
            haveTotals: true
        )
        let plan = RollupPlan(GroupPlan(groups, places.terms.all))
        return SelectRequest { transaction, rows in
            try plan.run(transaction) { slots, _ in
                guard let row = ColumnDecoder(slots) else { return }
                var reader = SelectionReader(row, .group(plan.groups, places.positions))
                rows.append(try selected.make(&reader))
            }
        }
    }

    private static func optional<Value: ColumnValue>(
        _ type: Value.Type
    ) -> any ColumnValue.Type {
        type.isOptional ? type : Value?.self
    }
}

/// The keys of groups and of totals beside them, as a ``Selection`` has them: `keys[0]`.
public struct RollupKeys: Sendable {
    /// The key at a position, counted from zero, as an optional, which is nil in a total over the key.
    ///
    /// Its type is that of the property; where the key has another, the call that uses the request throws.
    public subscript<Value: ColumnValue>(position: Int) -> SelectedKey<Value?> {
        SelectedKey(position: position)
    }

    /// How many keys the row has: all of them for a group, fewer for a total, none for that of all values.
    ///
    /// It tells a total from a group whose key is nil.
    public var count: RollupKeyCount { RollupKeyCount() }
}

/// The number of keys that a row of groups with totals has, as a ``Selection`` has it.
public struct RollupKeyCount: SelectionTerm {
    /// The column of the number.
    public var selectedColumn: SelectedColumn<Int> {
        SelectedColumn(
            .group(.keyCount) { (slot: Slot) throws(SlotError) in try Int(slot: slot) }
        )
    }
}
