extension TreeRequest {
    /// Whether all is found by one call on an engine that walks itself.
    var isOneCall: Bool {
        Model.storedEntity.isFlat && (request.query.walk?.steps.count == 1 || !isArranged)
    }

    /// Whether the rows of the whole walk are needed, with what leads from one to another.
    private var isArranged: Bool { order == .depthFirst || hasPaths || refusesCircles }

    /// Returns the values and where they are.
    func nodes(in transaction: ReadTransaction) throws -> [TreeNode<Model>] {
        let query = try transaction.resolving(.fetch, TreeRows<Model>.self) {
            try request.rowQuery()
        }
        return try transaction.intercept(.on(query, .fetch)) {
            let reader = try transaction.reader(of: query)
            let rows = isArranged ? try arrangedRows(query, reader) : try rows(query, reader)
            return try Model.mapping(in: transaction).nodes(of: rows, in: transaction)
        }
    }

    private func rows(
        _ query: RowQuery,
        _ reader: any EngineReader
    ) throws -> WalkedRows<Model.PrimaryKey> {
        let rows = RowBuffer(query.entity)
        try reader.scan(query) {
            rows.append(copying: $0)
            return true
        }
        return WalkedRows(rows: rows, chosen: Array(0..<rows.count))
    }

    /// Finds the rows of the whole walk, and of them those that are asked for in their order.
    private func arrangedRows(
        _ query: RowQuery,
        _ reader: any EngineReader
    ) throws -> WalkedRows<Model.PrimaryKey> {
        var whole = query
        whole.condition = .constant(true)
        whole.limit = nil
        whole.offset = 0
        whole.walk?.includesStart = true
        let rows = try rows(whole, reader).rows
        guard let walk = query.walk else { return WalkedRows(rows: rows, chosen: []) }
        let arrangement = try TreeArrangement(rows, of: walk, reader)
        if refusesCircles, let node = arrangement.nodeThatClosesCircle() {
            throw circle(at: rows.batch.values(at: node), walk)
        }
        var found = WalkedRows<Model.PrimaryKey>(rows: rows, chosen: [])
        if hasPaths {
            let keys = RowBuffer(walk.entity, columns: walk.entity.primaryKey)
            let slots = rows.batch
            for row in 0..<rows.count {
                keys.append { slots[row, walk.entity.primaryKey[$0]] }
            }
            var decoded: [Model.PrimaryKey] = []
            try keys.withBatch { try Model.PrimaryKey.decode($0, appendingTo: &decoded) }
            found.paths = TreePaths(decoded, arrangement.parents)
        }
        let order = self.order == .depthFirst ? arrangement.depthFirst() : Array(0..<rows.count)
        let predicate = RowPredicate(try query.resolved(by: reader).condition, of: query.entity)
        let isStartWanted = walk.includesStart
        let wanted = order.lazy.filter { row in
            (isStartWanted || arrangement.depths[row] > 0)
                && predicate.matches(BatchRow(batch: rows.batch, row: row))
        }
        let limit = query.limit ?? .max
        if limit > 0 { found.chosen = Array(wanted.dropFirst(query.offset).prefix(limit)) }
        try predicate.check()
        return found
    }

    private func circle(at row: [StorageValue], _ walk: RowWalk) -> DBClientError {
        DBClientError(
            .constraintViolation,
            "The values must not lead in a circle; one leads to a value that is before it on its way.",
            entity: walk.entity.name,
            field: walk.linkColumns.map { columns in
                columns.map { walk.entity.fields[$0].name }.joined(separator: ", ")
            },
            key: walk.entity.describe(key: walk.entity.primaryKey.map { row[$0] })
        )
    }
}

/// Rows of a walk, those of them that were asked for in their order, and the ways to them.
private struct WalkedRows<Key: Sendable> {
    let rows: RowBuffer
    var chosen: [Int]
    var paths: TreePaths<Key>?
}

extension ModelMapping {
    /// Returns the values of rows and where they are.
    fileprivate func nodes(
        of found: WalkedRows<Model.PrimaryKey>,
        in transaction: ReadTransaction
    ) throws -> [TreeNode<Model>] {
        let slots = found.rows.batch
        let own = RowBuffer(Model.storedEntity, capacity: found.chosen.count)
        for row in found.chosen { own.append { slots[row, $0] } }
        let shapes = try withExtendedLifetime(found.rows) {
            try transaction.reader().models(Shape.self, of: own)
        }
        let depth = own.columns.count
        let models = try models(shapes, in: transaction)
        return zip(models, found.chosen).map { model, row in
            TreeNode(
                model,
                depth: Int(slots[row, depth].integer),
                at: found.paths.map { ($0, row) }
            )
        }
    }
}

extension RowWalk {
    /// The fields that hold the key of a parent; nil where links do.
    fileprivate var linkColumns: [Int]? {
        steps.count > 1 ? nil : isByKey ? matching : steps[0].columns
    }
}
