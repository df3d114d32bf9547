extension RowQuery {
    /// Returns the query with what it says of related rows put into terms of its own: lists of the
    /// keys that the related rows name, each read once and through whatever index serves it.
    ///
    /// For an engine that looks at rows one by one. A list of keys is something that its planner can
    /// find by an index.
    public func resolved(by reader: some EngineReader) throws -> RowQuery {
        guard condition.reachesRelatedRows else { return self }
        var query = self
        query.condition = try condition.resolved(by: reader)
        return query
    }
}

extension RowCondition {
    fileprivate func resolved(by reader: some EngineReader) throws -> RowCondition {
        switch self {
        case .not(let operand): .not(try operand.resolved(by: reader))
        case .all(let operands): .all(try operands.map { try $0.resolved(by: reader) })
        case .any(let operands): .any(try operands.map { try $0.resolved(by: reader) })
        case .related(let rows): try rows.resolved(by: reader)
        default: self
        }
    }
}

extension RelatedRows {
    /// Returns the condition on the row itself.
    fileprivate func resolved(by reader: some EngineReader) throws -> RowCondition {
        if let total { return try resolved(total, by: reader) }
        var counts: [[StorageValue]: Int] = [:]
        try reader.scan(RowQuery(entity, where: condition)) { batch in
            for row in 0..<batch.count {
                if let key = key(of: batch, row) { counts[key, default: 0] += 1 }
            }
            return true
        }
        guard let count else { return .keys(matching, in: Array(counts.keys)) }
        return keys(counts) { count.holds(for: $0) }
    }

    private func resolved(
        _ total: RowTotal,
        by reader: some EngineReader
    ) throws -> RowCondition {
        var totals: [[StorageValue]: FieldAggregate] = [:]
        let ordering = RowOrdering(column: total.column, path: total.path)
        let field = RelatedField(ordering, in: reader)
        try reader.scan(RowQuery(entity, where: condition)) { batch in
            for row in 0..<batch.count {
                guard let key = key(of: batch, row) else { continue }
                let row = BatchRow(batch: batch, row: row)
                let slot = try field?.slot(of: row) ?? row.slot(total.column)
                totals[key, default: FieldAggregate(total.function)].add(slot)
            }
            return true
        }
        return keys(totals) { $0.holds(total.comparison, total.value) }
    }

    private func key(of batch: RowBatch, _ row: Int) -> [StorageValue]? {
        let key = columns.map { StorageValue(batch[row, $0]) }
        return key.contains(.null) ? nil : key
    }

    /// Returns the condition that what was found for the row's key fulfils another.
    ///
    /// Rows to which nothing belongs are found nowhere: where they fulfil it, those that do not are
    /// listed.
    private func keys<Found>(
        _ found: [[StorageValue]: Found],
        _ holds: (Found) -> Bool
    ) -> RowCondition {
        let holdsForNone = holdsForNone
        let keys = found.filter { holds($0.value) != holdsForNone }.map(\.key)
        return holdsForNone ? .not(.keys(matching, in: keys)) : .keys(matching, in: keys)
    }
}
