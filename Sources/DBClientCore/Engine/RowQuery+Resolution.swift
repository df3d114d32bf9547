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
        var counts: [[StorageValue]: Int] = [:]
        try reader.scan(RowQuery(entity, where: condition)) { batch in
            for row in 0..<batch.count {
                let key = columns.map { StorageValue(batch[row, $0]) }
                if !key.contains(.null) { counts[key, default: 0] += 1 }
            }
            return true
        }
        guard let count else { return .keys(matching, in: Array(counts.keys)) }
        // Rows to which nothing belongs are counted nowhere: where they fulfil the comparison, those
        // that do not are listed.
        let holdsForNone = count.holds(for: 0)
        let keys = counts.filter { count.holds(for: $0.value) != holdsForNone }.map(\.key)
        return holdsForNone ? .not(.keys(matching, in: keys)) : .keys(matching, in: keys)
    }
}
