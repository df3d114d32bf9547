/// Reads what a query walks to, of an engine that has rows of single entities alone.
final class WalkingReader: DerivedRowsReader {
    override func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        guard let walk = query.walk else { return try super.select(columns, of: query, visit) }
        guard query.limit != 0 else { return }
        let query = try query.resolved(by: reader)
        try withoutActuallyEscaping(visit) { visit in
            let residual = RowPredicate(query.condition, of: query.entity)
            let order = query.totalOrder
            let related = order.map { RelatedField($0, of: query.entity, in: reader) }
            let output = JoinSort(columns, query, residual, order, related, visit)
            try withExtendedLifetime(related) {
                try rows(of: walk) { _ = try output.add($0) }
                try output.finish()
            }
            try residual.check()
        }
    }

    /// Visits the rows of a walk with their depths, in no order.
    private func rows(of walk: RowWalk, _ visit: (UnsafePointer<Slot>) throws -> Void) throws {
        let run = try WalkRun(walk, reader)
        try run.run()
        let width = walk.entity.fields.count
        let row = UnsafeMutablePointer<Slot>.allocate(capacity: width + 1)
        defer { row.deallocate() }
        row.initialize(repeating: .null, count: width + 1)
        let key = KeyColumns(walk.entity.primaryKey)
        try reader.lookUp(run.reached.keys) { batch in
            for index in 0..<batch.count {
                let slots = batch.slots + index * batch.columnCount
                guard let found = run.reached.position(of: key.key(of: slots)) else { continue }
                let depth = run.depths[Int(found)]
                if depth == 0, !walk.includesStart { continue }
                row.update(from: slots, count: width)
                row[width] = .integer(Int64(depth))
                try visit(row)
            }
        }
    }

    override func explain(_ query: RowQuery) throws -> String {
        guard let walk = query.walk else { return try super.explain(query) }
        return walk.description(in: reader)
    }
}

extension RowWalk {
    /// How the walk finds the rows of each level, as `explain` prints it.
    fileprivate func description(in reader: any EngineReader) -> String {
        let hop = steps[0]
        let names = hop.columns.map { hop.entity.fields[$0].name }.joined(separator: ", ")
        let way =
            isByKey || !isLoaded(in: reader)
            ? "look up \(hop.entity.name) by \(names) for each level"
            : "load \(hop.entity.name) once and find it by \(names)"
        let far = steps.count > 1 ? "; look up \(entity.name) by key for each level" : ""
        return "visit \(entity.name) to start from; \(way)\(far)"
    }

    /// Whether the first hop is found among all rows that it may lead to, since no index serves it.
    func isLoaded(in reader: any EngineReader) -> Bool {
        let hop = steps[0]
        if isByKey { return false }
        if reader.hints(for: hop.entity).looksAtEveryRow { return true }
        let isServed =
            hop.entity.primaryKey.starts(with: hop.columns)
            || hop.entity.indexes.contains { $0.fields.starts(with: hop.columns) }
        return !isServed
    }
}
