import DBClientCore

extension StoredEntity {
    /// What the description says without a model.
    ///
    /// It does not say whether the store makes the keys.
    var shape: StoredShape {
        guard let schemas else {
            return StoredShape(
                name: name,
                unreadable: "A field has a type that this version of the library does not know."
            )
        }
        return StoredShape(
            name: name,
            fields: schemas,
            primaryKey: primaryKey,
            indexes: indexes.map { IndexSchema(fields: $0.fields, isUnique: $0.isUnique) }
        )
    }
}

extension Catalog {
    /// Returns the shapes of all entities.
    ///
    /// - Throws: `.corrupt` for a damaged description.
    func shapes(_ transaction: Transaction) throws -> [StoredShape] {
        try entityNames(transaction).compactMap { try read($0, transaction)?.shape }
    }
}
