extension WriteTransaction {
    func upsertStored<Model: Stored>(_ values: [Model]) throws -> UpsertOutcome<Model> {
        let writer = try writer()
        let entity = Model.schema.entity
        try validate(entity, writer)
        guard entity.isFlat else { return try upsertGraph(values) }
        defer { openContext?.noteWrite(to: entity) }
        if writer.hints(for: Model.schema.entity).upsertsRowByRow, values.count > Self.nearRows,
            Model.haveAscendingKeys(values),
            !Model.mixKeys(values)
        {
            return try upsertInOrder(values, of: entity, writer)
        }
        let rows = writer.buffers.rows(of: entity)
        try Model.encode(values, in: values.indices, to: rows)
        rows.fillGeneratedKeys()
        try rows.checkKeyLengths()
        // A key that occurs twice counts once, with its last value in its last place.
        let kept = rows.keepLastOfEachKey()
        var isInserted = [Bool](repeating: false, count: rows.count)
        let written = kept.map { $0.map { values[$0] } } ?? values
        var stored: [Model]?
        try atomically(entity.countToUndo(rows.count)) {
            try writer.upsert(rows) { isInserted[$0] = $1 }
            // A key that was made may be none of the model's type.
            try keepStored(&stored, rows, of: written, written.indices)
        }
        return outcome(of: stored ?? written, isInserted)
    }

    /// Inserts or replaces rows whose keys ascend, a few at a time: no key occurs twice, so no row has to wait for
    /// those that follow.
    private func upsertInOrder<Model: Stored>(
        _ values: [Model],
        of entity: EntitySchema,
        _ writer: any EngineWriter
    ) throws -> UpsertOutcome<Model> {
        var isInserted = [Bool](repeating: false, count: values.count)
        var stored: [Model]?
        try atomically(values, writer) { range in
            for start in stride(from: 0, to: values.count, by: Self.nearRows) {
                range = start..<Swift.min(start + Self.nearRows, values.count)
                let rows = writer.buffers.rows(of: entity)
                try Model.encode(values, in: range, to: rows)
                rows.fillGeneratedKeys()
                try rows.checkKeyLengths()
                try writer.upsert(rows) { isInserted[start + $0] = $1 }
                try keepStored(&stored, rows, of: values, range)
            }
        }
        return outcome(of: stored ?? values, isInserted)
    }

    func outcome<Model: Stored>(
        of models: [Model],
        _ isInserted: [Bool]
    ) -> UpsertOutcome<Model> {
        // Rows of one call are mostly all new or all known.
        if !isInserted.contains(true) { return UpsertOutcome(inserted: [], updated: models) }
        if !isInserted.contains(false) { return UpsertOutcome(inserted: models, updated: []) }
        var inserted: [Model] = []
        var updated: [Model] = []
        for (model, isNew) in zip(models, isInserted) {
            if isNew { inserted.append(model) } else { updated.append(model) }
        }
        return UpsertOutcome(inserted: inserted, updated: updated)
    }
}
