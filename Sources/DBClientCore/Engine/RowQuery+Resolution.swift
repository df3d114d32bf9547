extension RowQuery {
    /// Returns the query with what it says of related rows put into terms of its own: lists of the
    /// keys that the related rows name, each read once and through whatever index serves it.
    ///
    /// For an engine that looks at rows one by one. A list of keys is something that its planner can
    /// find by an index.
    public func resolved(by reader: some EngineReader) throws -> RowQuery {
        guard condition.reachesRelatedRows else { return self }
        var query = self
        query.condition = try condition.resolved(by: reader, beside: OwnValues(self, reader))
        return query
    }
}

/// The values that every row that matters has in some columns.
private typealias KnownValues = [Int: [StorageValue]]

extension RowCondition {
    /// Returns the condition without related rows, knowing what must hold of the row as well.
    fileprivate func resolved(
        by reader: some EngineReader,
        beside own: OwnValues,
        knowing known: KnownValues = [:]
    ) throws -> RowCondition {
        func resolved(_ operand: RowCondition, _ known: KnownValues) throws -> RowCondition {
            try operand.resolved(by: reader, beside: own, knowing: known)
        }
        switch self {
        case .not(let operand): return .not(try resolved(operand, known))
        case .all(let operands):
            var known = known
            for operand in operands {
                if let (column, values) = operand.listedValues { known[column] = values }
            }
            return .all(try operands.map { try resolved($0, known) })
        case .any(let operands): return .any(try operands.map { try resolved($0, known) })
        case .related(let rows):
            return try rows.resolved(by: reader, beside: own, knowing: known)
        case .guarded(let guarding, let guarded):
            var known = known
            if let (column, values) = guarding.listedValues { known[column] = values }
            return .guarded(try resolved(guarding, known), try resolved(guarded, known))
        default: return self
        }
    }

    /// The column that the condition limits to some values, and those.
    private var listedValues: (column: Int, values: [StorageValue])? {
        switch self {
        case .compare(let column, .equal, let value, .binary): (column, [value])
        case .field(let column, .isIn(let values)): (column, values)
        default: nil
        }
    }
}

extension RelatedRows {
    /// Returns the condition on the row itself.
    fileprivate func resolved(
        by reader: some EngineReader,
        beside own: OwnValues,
        knowing known: KnownValues
    ) throws -> RowCondition {
        var related = query
        // What is known of the row has no say in which rows a slice has.
        if slice == nil {
            var known = known
            if !matching.contains(where: { known[$0] != nil }),
                let (column, values) = try own.values(lookedUpIn: self)
            {
                known[column] = values
            }
            related.condition = condition(knowing: known)
        }
        if let total { return try resolved(total, of: related, by: reader) }
        // Groups that are counted alone are what an index may tell by itself.
        let grouping = RowGrouping(
            related,
            by: columns.map { RowGrouping.Key($0) },
            terms: count == nil ? [] : [.count]
        )
        var keys: [[StorageValue]] = []
        let holdsForNone = holdsForNone
        try reader.group(grouping) { group in
            let key = columns.indices.map { StorageValue(group[$0]) }
            if key.contains(.null) { return }
            let holds = count?.holds(for: Int(group[columns.count].integer)) ?? true
            // Rows to which nothing belongs are found nowhere: where they fulfil it, those that do not are listed.
            if holds != holdsForNone { keys.append(key) }
        }
        return holdsForNone ? .not(.keys(matching, in: keys)) : .keys(matching, in: keys)
    }

    /// Returns the condition on the related rows of the rows that matter.
    private func condition(knowing known: KnownValues) -> RowCondition {
        let limits = zip(columns, matching).compactMap { column, own in
            known[own].map { RowCondition.isIn(column: column, $0) }
        }
        if limits.isEmpty { return condition }
        return .all(condition == .constant(true) ? limits : limits + [condition])
    }

    private func resolved(
        _ total: RowTotal,
        of related: RowQuery,
        by reader: some EngineReader
    ) throws -> RowCondition {
        var totals: [[StorageValue]: FieldAggregate] = [:]
        let ordering = RowOrdering(column: total.column, path: total.path)
        let field = RelatedField(ordering, of: entity, in: reader)
        try reader.scan(related) { batch in
            for row in 0..<batch.count {
                guard let key = key(of: batch, row) else { continue }
                let row = BatchRow(batch: batch, row: row)
                let slot = try field?.slot(of: row) ?? row.slot(total.column)
                totals[key, default: FieldAggregate(total.function)].add(slot)
            }
            return true
        }
        // As above.
        let holdsForNone = holdsForNone
        let keys = totals.filter { $0.value.holds(total.comparison, total.value) != holdsForNone }
            .map(\.key)
        return holdsForNone ? .not(.keys(matching, in: keys)) : .keys(matching, in: keys)
    }

    private func key(of batch: RowBatch, _ row: Int) -> [StorageValue]? {
        let key = columns.map { StorageValue(batch[row, $0]) }
        return key.contains(.null) ? nil : key
    }
}
