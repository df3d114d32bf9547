/// Rows that are ready for the engine, and what they hold.
struct GraphRows {
    /// The rows of the values' own entity, in the values' order.
    let rows: RowBuffer
    let graph: RowGraph
    /// Which of the values the rows are, by their positions; nil when they are all.
    let kept: [Int]?

    init(_ layout: RowBuffer, _ rows: RowBuffer, _ graph: RowGraph, kept: [Int]?) {
        self.rows = rows
        if rows !== layout { rows.lenders = [layout] }
        self.graph = graph
        self.kept = kept
    }

    /// Whether the rows refer to values that must be stored.
    var refers: Bool { graph.branches.contains(where: \.mustBeThere) }
}

extension Stored {
    /// Returns the row of a value, the keys of what it holds among its columns.
    static func row(of model: Self) throws -> RowBuffer {
        let layout = RowBuffer(schema.layout)
        guard !schema.entity.isFlat else {
            try encode([model], in: 0..<1, to: layout)
            return layout
        }
        // The keys borrow from the graph, so what is returned has bytes of its own.
        let graph = RowGraph(schema.entity)
        layout.graph = graph
        try encode([model], in: 0..<1, to: layout)
        let row = RowBuffer(schema.entity)
        layout.withBatch { layout in row.append { row.owned(layout[0, schema.layoutColumns[$0]]) } }
        return row
    }
}

extension GraphWriter {
    /// Saves what models hold, and returns their own rows with the keys of it.
    ///
    /// `makesKeys` says whether keys that are to be made are made, `keepsLast` whether of several
    /// models with one key only the last counts.
    func rows<Model: Stored>(
        of models: [Model],
        makesKeys: Bool,
        keepsLast: Bool = false
    ) throws -> GraphRows {
        var (layout, graph) = try encode(models, makesKeys: makesKeys)
        var kept: [Int]?
        if keepsLast {
            kept = try layout.keepLastOfEachKey { earlier, later in
                if isOutermost || call.differs { return }
                let isSame = try layout.isSame(earlier, later) && graph.isSame(earlier, later)
                if !isSame { call.differs = true }
            }
            if kept != nil { call.hasMetAgain = true }
            // What only the others hold is not saved either.
            if let kept {
                (layout, graph) = try encode(kept.map { models[$0] }, makesKeys: makesKeys)
            }
        }
        try layout.checkKeyLengths()
        if layout.isNormalized { call.differs = true }
        if isOutermost { call.take(layout, of: Model.schema.entity) }
        let deeper = try deeper(than: Model.schema.entity)
        for collection in graph.collections { try collection.save(with: deeper) }
        for branch in graph.branches where branch.relationship.link == nil {
            // A key that the store made takes the place of the one that was given.
            guard let keys = branch.collection?.keys,
                keys.entity.keyGeneration == .generated
            else { continue }
            for row in 0..<layout.count {
                guard let element = branch.elements(of: row).first else { continue }
                layout.replace(
                    row: row,
                    column: branch.relationship.slot,
                    with: keys.batch[Int(element), 0]
                )
            }
        }
        let schema = Model.schema
        if schema.layout === schema.entity {
            try schema.entity.checkShards(of: layout.batch)
            return GraphRows(layout, layout, graph, kept: kept)
        }
        let rows = RowBuffer(schema.entity, capacity: layout.count)
        let batch = layout.batch
        for row in 0..<layout.count { rows.append { batch[row, schema.layoutColumns[$0]] } }
        try schema.entity.checkShards(of: rows.batch)
        return GraphRows(layout, rows, graph, kept: kept)
    }

    private func encode<Model: Stored>(
        _ models: [Model],
        makesKeys: Bool
    ) throws -> (RowBuffer, RowGraph) {
        let layout = RowBuffer(Model.schema.layout, capacity: models.count)
        let graph = RowGraph(Model.schema.entity)
        layout.graph = graph
        try Model.encode(models, in: models.indices, to: layout)
        if makesKeys {
            layout.fillGeneratedKeys()
            if layout.entity.keyGeneration == .generated { call.differs = true }
        }
        return (layout, graph)
    }
}
