extension GroupFields {
    /// Groups that are alike in some keys, in an order: what a selected group gets from the others.
    ///
    /// ```swift
    /// lines.grouped { line, product in (line.soldAt.month, product.category) }.select { group in
    ///     let revenue = group.sum { line, product in line.quantity * product.price }
    ///     let month = group.window(by: group.key(0)).sorted(by: revenue.descending)
    ///     return (revenue, month.rank, group.window().share(of: revenue))
    /// }
    /// ```
    ///
    /// The groups are those that fulfil the request's condition on groups, whatever its limit. Groups that are alike in the
    /// window's sort are in the request's order. In a window that is sorted, counts, sums, averages, the smallest and the
    /// largest are of the groups up to this one; in one that is not, of all its groups. A sum of no values is zero, and one
    /// that is no number counts as absent. The library computes windows from the groups, the same on every engine.
    public struct Window: Sendable {
        private let partition: [Result<GroupWindow.Ordering, DBClientError>]
        private var orderings: [Result<GroupWindow.Ordering, DBClientError>] = []

        fileprivate init(_ partition: [any GroupSortTerm<Model>]) {
            self.partition = partition.map { $0.groupOrdering.row }
        }

        /// Returns the window with its groups in an order, largest or smallest first as each term says.
        public func sorted(by terms: any GroupSortTerm<Model>...) -> Window {
            var copy = self
            copy.orderings = terms.map { $0.groupOrdering.row }
            return copy
        }

        func value<Result>(
            _ function: RowWindow.Function,
            _ decode: @escaping @Sendable (Slot) throws(SlotError) -> Result
        ) -> GroupTerm<Model, Result> {
            GroupTerm(window: row(function) { () throws(DBClientError) in nil }, decode)
        }

        func value<Value, Result>(
            _ function: RowWindow.Function,
            of term: GroupTerm<Model, Value>,
            _ decode: @escaping @Sendable (Slot) throws(SlotError) -> Result
        ) -> GroupTerm<Model, Result> {
            GroupTerm(
                window: row(function) { () throws(DBClientError) in try term.row.get() },
                decode
            )
        }

        private func row(
            _ function: RowWindow.Function,
            _ operand: () throws(DBClientError) -> RowGrouping.Term?
        ) -> Swift.Result<RowGroupWindow, DBClientError> {
            Swift.Result { () throws(DBClientError) in
                var keys: [GroupWindow.SortKey] = []
                for term in partition { keys.append(try term.get().key) }
                var sort: [GroupWindow.Ordering] = []
                for term in orderings { sort.append(try term.get()) }
                return RowGroupWindow(
                    function: function,
                    operand: try operand(),
                    partition: keys,
                    orderings: sort
                )
            }
        }
    }

    /// Returns a window of the groups that are equal to the group in some keys or aggregates; of all groups where none is
    /// named.
    public func window(by terms: any GroupSortTerm<Model>...) -> Window { Window(terms) }

    /// One of the keys that groups are formed by, from 0 on, to sort and to part windows by.
    ///
    /// A request that uses a position which no key has throws `.invalidRequest`.
    public func key(_ position: Int) -> GroupOrdering<Model> {
        GroupOrdering(.success(.key(position)))
    }
}

// What a group gets from the groups of a window.
extension GroupFields.Window {
    /// The position of the group, from 1 on.
    public var rowNumber: GroupTerm<Model, Int> { number(.rowNumber) }

    /// One more than the number of groups before it that are not alike in the window's sort: 1, 2, 2, 4.
    public var rank: GroupTerm<Model, Int> { number(.rank) }

    /// One more than the number of different places before it in the window's sort: 1, 2, 2, 3.
    public var denseRank: GroupTerm<Model, Int> { number(.denseRank) }

    /// How many groups there are; in a window that is sorted, up to this one.
    public var count: GroupTerm<Model, Int> { number(.count) }

    /// The aggregate divided by its sum over all groups of the window, sorted or not; nil where it is absent or the sum is
    /// zero.
    public func share<Value: ExpressionValue>(
        of term: GroupTerm<Model, Value>
    ) -> GroupTerm<Model, Double?> where Value.Present: Numeric {
        value(.share, of: term) { (slot: Slot) throws(SlotError) in try Double?(slot: slot) }
    }

    /// The sum of the aggregate, absent ones left out; zero of none.
    ///
    /// In a window that is sorted it is that up to this group. One that leaves the range of the aggregate's type is the error
    /// `.invalidValue`.
    public func sum<Value: ExpressionValue>(
        _ term: GroupTerm<Model, Value>
    ) -> GroupTerm<Model, Value.Present> where Value.Present: Numeric {
        value(.aggregate(.sum), of: term) { (slot: Slot) throws(SlotError) in
            try Value.Present(sum: slot)
        }
    }

    /// The average of the aggregate, absent ones left out; nil of none.
    ///
    /// In a window that is sorted it is that up to this group.
    public func average<Value: ExpressionValue>(
        _ term: GroupTerm<Model, Value>
    ) -> GroupTerm<Model, Double?> where Value.Present: Numeric {
        value(.aggregate(.average), of: term) { (slot: Slot) throws(SlotError) in
            try Double?(slot: slot)
        }
    }

    /// The smallest value of the aggregate, absent ones left out; nil of none.
    ///
    /// In a window that is sorted it is that up to this group.
    public func min<Value: ExpressionValue>(
        _ term: GroupTerm<Model, Value>
    ) -> GroupTerm<Model, Value.Present?> where Value.Present: Comparable {
        present(.aggregate(.minimum), of: term)
    }

    /// The largest value of the aggregate, absent ones left out; nil of none.
    ///
    /// In a window that is sorted it is that up to this group.
    public func max<Value: ExpressionValue>(
        _ term: GroupTerm<Model, Value>
    ) -> GroupTerm<Model, Value.Present?> where Value.Present: Comparable {
        present(.aggregate(.maximum), of: term)
    }

    /// The aggregate of the group so many before this one; nil where there is none, or it is absent there.
    public func lag<Value: ExpressionValue>(
        _ term: GroupTerm<Model, Value>,
        by distance: Int = 1
    ) -> GroupTerm<Model, Value.Present?> {
        present(.before(distance), of: term)
    }

    /// The aggregate of the group so many after this one; nil where there is none, or it is absent there.
    public func lead<Value: ExpressionValue>(
        _ term: GroupTerm<Model, Value>,
        by distance: Int = 1
    ) -> GroupTerm<Model, Value.Present?> {
        let (opposite, hasOverflown) = (0).subtractingReportingOverflow(distance)
        return present(.before(hasOverflown ? .max : opposite), of: term)
    }

    /// The aggregate of the window's first group, which may be absent.
    public func first<Value: ExpressionValue>(
        _ term: GroupTerm<Model, Value>
    ) -> GroupTerm<Model, Value.Present?> {
        present(.end(isFirst: true), of: term)
    }

    /// The aggregate of the window's last group, sorted or not, which may be absent.
    public func last<Value: ExpressionValue>(
        _ term: GroupTerm<Model, Value>
    ) -> GroupTerm<Model, Value.Present?> {
        present(.end(isFirst: false), of: term)
    }

    private func number(_ function: RowWindow.Function) -> GroupTerm<Model, Int> {
        value(function) { (slot: Slot) throws(SlotError) in try Int(slot: slot) }
    }

    private func present<Value: ExpressionValue>(
        _ function: RowWindow.Function,
        of term: GroupTerm<Model, Value>
    ) -> GroupTerm<Model, Value.Present?> {
        value(function, of: term) { (slot: Slot) throws(SlotError) in
            try Value.Present?(slot: slot)
        }
    }
}
