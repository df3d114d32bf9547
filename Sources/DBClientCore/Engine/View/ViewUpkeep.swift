/// How a stored view follows the rows that it is kept from.
protocol ViewUpkeep: KeptView {
    /// What tells the definition from others of the same view.
    var mark: String { get }

    /// Returns the keys of the view's rows that changes concern, some that no row has among them; nil where there are too
    /// many.
    func keys(
        after changes: ViewChanges,
        in reader: any EngineReader
    ) throws -> Set<[StorageValue]>?

    /// Returns rows of the view as they come from what is stored: those with some keys, or all of them.
    func rows(of keys: [[StorageValue]]?, in reader: any EngineReader) throws -> RowBuffer
}

extension ViewUpkeep {
    /// Makes the stored rows with some keys, or all, what they come to.
    func keep(_ keys: Set<[StorageValue]>?, with writer: any EngineWriter) throws {
        guard let keys else {
            _ = try writer.delete(RowQuery(entity))
            let rows = try rows(of: nil, in: writer)
            if rows.count > 0 { try writer.insert(rows) }
            return
        }
        var left = Array(keys)
        while !left.isEmpty {
            let part = Array(left.suffix(Self.keysOfStatement))
            left.removeLast(part.count)
            try keep(part, with: writer)
        }
    }

    private func keep(_ keys: [[StorageValue]], with writer: any EngineWriter) throws {
        let rows = try rows(of: keys, in: writer)
        var gone = Set(keys)
        rows.withBatch { batch in
            for row in 0..<batch.count {
                gone.remove(entity.primaryKey.map { StorageValue(batch[row, $0]) })
            }
        }
        if !gone.isEmpty {
            _ = try writer.delete(
                RowQuery(entity, where: .keys(entity.primaryKey, in: Array(gone)))
            )
        }
        // Also where nothing of a row has changed: two transactions that change one group must not pass each other by.
        if rows.count > 0 { try writer.upsert(rows) { _, _ in } }
    }

    /// How many keys one statement asks for.
    private static var keysOfStatement: Int { 1_024 }
}
