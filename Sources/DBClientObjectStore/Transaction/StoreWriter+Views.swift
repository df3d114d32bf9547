import CLMDB
import DBClientCore

extension StoreReader {
    func viewMark(of entity: EntitySchema) throws -> String? {
        try environment.catalog.read(entity.name, transaction)?.viewMark
    }

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
        try entity.checkMayRead(markedAs: viewMark(of: entity)) { source in
            try environment.catalog.read(source.name, transaction).map { $0.viewMark }
        }
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
