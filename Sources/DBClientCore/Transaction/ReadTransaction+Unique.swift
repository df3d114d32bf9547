extension ReadTransaction {
    /// Returns for each value the stored one that has the same values in some fields, or nil: one call to interceptors.
    func findStored<Model: Stored>(
        like models: [Model],
        in fields: UniqueFields
    ) throws -> [Model?] {
        let entity = Model.schema.entity
        let columns = try fields.columns(of: entity)
        let wanted = try models.map { try Model.values(columns, of: $0) }
        let keys = Set(wanted.filter { !$0.contains(.null) })
        let query = RowQuery(
            entity,
            where: columns.count == 1
                ? .isIn(column: columns[0], keys.map { $0[0] })
                : .areIn(columns: columns, Array(keys))
        )
        let found = try intercept(.on(query, .fetch)) { try fetchStored(Model.self, query) }
        var places: [[StorageValue]: Model] = [:]
        for model in found { places[try Model.values(columns, of: model)] = model }
        return wanted.map { places[$0] }
    }
}

extension Stored {
    /// Returns some fields of a value as they are stored.
    static func values(_ columns: [Int], of model: Self) throws -> [StorageValue] {
        try row(of: model).withBatch { row in columns.map { StorageValue(row[0, $0]) } }
    }
}
