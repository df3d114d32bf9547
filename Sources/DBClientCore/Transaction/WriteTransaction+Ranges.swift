/// Many values of one call, which go to the engine a range at a time.
extension WriteTransaction {
    /// Rows that stay in the processor's cache from their models to the engine.
    static let nearRows = 1_024

    /// Runs a body that writes values a range at a time and is undone when it throws; it sets the range before it
    /// encodes it.
    func atomically<Model: Stored>(
        _ values: [Model],
        _ writer: any EngineWriter,
        _ body: (inout Range<Int>) throws -> Void
    ) throws {
        var range = 0..<0
        do {
            try atomically(Model.schema.entity.countToUndo(values.count)) { try body(&range) }
        } catch {
            try checkStorable(values, after: range, writer)
            throw error
        }
    }

    /// Throws what keeps a value from being stored by any engine, when an engine refuses one of a range and others
    /// follow it.
    ///
    /// Such a value is reported before anything that an engine refuses: how many values it takes at once, and
    /// so which it sees when it refuses one, is its own affair.
    private func checkStorable<Model: Stored>(
        _ values: [Model],
        after range: Range<Int>,
        _ writer: any EngineWriter
    ) throws {
        // What lost the transaction may be repaired, and then everything is written again.
        if range.upperBound == values.count || writer.hasFailed { return }
        let rows = RowBuffer(Model.schema.entity)
        // The range again: what was thrown may be what is wrong with a value of it.
        for start in stride(from: range.lowerBound, to: values.count, by: Self.nearRows) {
            rows.removeAll()
            let range = start..<Swift.min(start + Self.nearRows, values.count)
            try Model.encode(values, in: range, to: rows)
            try rows.checkKeyLengths()
        }
    }

    /// Keeps what is stored of a range of values, as soon as it may differ from what was given.
    func keepStored<Model: Stored>(
        _ stored: inout [Model]?,
        _ rows: RowBuffer,
        of values: [Model],
        _ range: Range<Int>
    ) throws {
        defer { withExtendedLifetime(rows) {} }
        let differs = rows.isNormalized || rows.entity.keyGeneration == .generated
        guard differs || stored != nil else { return }
        var models: [Model] = []
        if let kept = stored.take() {
            models = kept
        } else {
            models.reserveCapacity(values.count)
            models.append(contentsOf: values[..<range.lowerBound])
        }
        if let columns = Model.schema.restoredColumns, !rows.isRounded {
            models.append(contentsOf: values[range])
            if differs {
                try models.withUnsafeMutableBufferPointer { models in
                    guard let first = models.baseAddress else { return }
                    try columns.restore(first + range.lowerBound, from: rows.batch)
                }
            }
        } else {
            try Model.decode(rows.batch, appendingTo: &models)
        }
        stored = models
    }
}
