extension DBClient {
    /// Compares the stored rows of a view with what its definition comes to, in one snapshot.
    ///
    /// It costs as much as reading both. Nothing but a change of the store past its own guards, or a fault of the storage,
    /// has them differ.
    ///
    /// - Throws: `.corrupt` for the first row that differs, by its primary key; `.migrationRequired` where the view is not
    ///   built yet.
    public func verify<View: StoredView>(_ view: View.Type) async throws {
        try await read { try $0.verify(view) }
    }
}

extension BlockingDBClient {
    /// Compares the stored rows of a view with what its definition comes to, in one snapshot.
    ///
    /// - Throws: `.corrupt` for the first row that differs, by its primary key; `.migrationRequired` where the view is not
    ///   built yet.
    public func verify<View: StoredView>(_ view: View.Type) throws {
        try read { try $0.verify(view) }
    }
}

extension ReadTransaction {
    /// Compares the stored rows of a view with what its definition comes to.
    fileprivate func verify<View: StoredView>(_ view: View.Type) throws {
        let reader = try reader()
        let entity = View.schema.entity
        var stored: [[StorageValue]: [StorageValue]] = [:]
        func key(_ row: [StorageValue]) -> [StorageValue] { entity.primaryKey.map { row[$0] } }
        try reader.scan(RowQuery(entity)) { batch in
            for row in 0..<batch.count {
                let values = entity.fields.indices.map { StorageValue(batch[row, $0]) }
                stored[key(values)] = values
            }
            return true
        }
        let rows = try ViewDefinition<View>().rows(of: nil, in: reader)
        try rows.withBatch { batch in
            for row in 0..<batch.count {
                let values = entity.fields.indices.map { StorageValue(batch[row, $0]) }
                guard stored.removeValue(forKey: key(values)) == values else {
                    throw View.differs("is not what its definition comes to", key(values))
                }
            }
        }
        if let (key, _) = stored.first { throw View.differs("comes from no value", key) }
    }
}

extension StoredView {
    fileprivate static func differs(_ how: String, _ key: [StorageValue]) -> DBClientError {
        DBClientError(
            .corrupt,
            "A row of the stored view \(how).",
            entity: schema.entity.name,
            key: key.map { "\($0)" }.joined(separator: ", "),
            hint: "Copy the store into a new one, where the view is built anew."
        )
    }
}
