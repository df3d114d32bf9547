import CLMDB
import DBClientCore

extension StoreReader {
    /// Throws where a stored view is not kept as its model defines it.
    func checkMayRead(_ entity: EntitySchema, _ store: EntityStore?) throws {
        try entity.checkMayRead(markedAs: store?.viewMark) { source in
            try environment.catalog.store(for: source, in: transaction, tableCount)
                .map { $0.viewMark }
        }
    }
}

extension StoreWriter {
    /// Throws where a stored view is not kept as its model defines it, as the transaction has the catalog.
    func checkMayRead(_ entity: EntitySchema) throws {
        try entity.checkMayRead(markedAs: viewMark(of: entity), markOf: storedMark)
    }

    /// Returns the mark of an entity's views; nil where nothing of the entity is stored.
    func storedMark(of entity: EntitySchema) throws -> String?? {
        let catalog = environment.catalog
        // What is known of the tables has the mark, unless this transaction changes it.
        if !opensTables, let store = catalog.knownStore(for: entity, catalog.openCount) {
            return .some(store.viewMark)
        }
        return try catalog.read(entity.name, transaction).map { $0.viewMark }
    }

    func setViewMark(_ mark: String?, of entity: EntitySchema) throws {
        try guarded(entity) {
            let catalog = environment.catalog
            if mark != nil, try catalog.read(entity.name, transaction) == nil {
                makesView = true
                defer { makesView = false }
                _ = try tables(of: entity)
            }
            guard var stored = try catalog.read(entity.name, transaction), stored.viewMark != mark
            else { return }
            beginChangingShapes()
            stored.viewMark = mark
            try catalog.write(stored, name: entity.name, transaction)
            // Others that know the tables by their number would go on with the former mark.
            try catalog.makeMark(transaction)
            noteWrite()
        }
    }
}
