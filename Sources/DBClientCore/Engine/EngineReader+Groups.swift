extension EngineReader {
    /// Puts the groups together from what ``select(_:of:_:)`` gives: for an engine that has a way of its
    /// own, but not for every grouping.
    public func groupSelectedRows(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let columns = grouping.columns
        var grouper = RowGrouper(grouping, over: columns, in: self)
        try select(columns, of: grouping.query.unorderedUnlessLimited) { batch in
            try grouper.add(batch)
            return true
        }
        try grouper.forEach(visit)
    }
}
