import CLMDB
import DBClientCore

extension StoreWriter {
    /// Returns the tables of an entity, making them when there are none.
    ///
    /// - Throws: `.migrationRequired` when a unique index was left out since there are many rows.
    func storeForWriting(_ entity: EntitySchema) throws -> EntityStore {
        let store = try tables(of: entity)
        if let mark = store.viewMark { try entity.checkMayWrite(markedAs: mark) }
        return store
    }

    /// Returns the tables of an entity, making them when there are none, for what leaves its rows as they are.
    func tables(of entity: EntitySchema) throws -> EntityStore {
        guard let store = try store(for: entity) else {
            throw DBClientError(.engine, "The entity's tables were not made.", entity: entity.name)
        }
        if store.lacksIndexes, let unique = store.missingIndexes.first(where: \.isUnique) {
            throw entity.lacksIndex(unique)
        }
        return store
    }

    func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws {
        try guarded(entity) {
            let catalog = environment.catalog
            guard var stored = try catalog.read(entity.name, transaction) else { return }
            beginChangingShapes()
            // The values that views are kept from stay what they are.
            let mark = stored.viewMark
            stored.viewMark = nil
            if change.added.columns.isEmpty, change.removed.isEmpty {
                stored.relax(change.relaxed.map { entity.fields[$0].name })
                try catalog.write(stored, name: entity.name, transaction)
                _ = try storeForWriting(entity)
                try setViewMark(mark, of: entity)
                return noteWrite()
            }
            let greatestKey = try catalog.greatestKey(ofEntity: stored.number, transaction)
            try catalog.removeDescription(of: stored, transaction)
            let store = try storeForWriting(entity)
            try copyRows(of: stored, to: entity, adding: change.added)
            try catalog.retireTables(of: stored, transaction)
            try keepGreatestKey(greatestKey, of: store)
            try setViewMark(mark, of: entity)
            noteWrite()
        }
    }

    func drop(_ entity: EntitySchema) throws {
        try guarded {
            let catalog = environment.catalog
            guard let stored = try catalog.read(entity.name, transaction) else { return }
            beginChangingShapes()
            try catalog.removeDescription(of: stored, transaction)
            try catalog.retireTables(of: stored, transaction)
            try catalog.makeMark(transaction)
            noteWrite()
        }
    }

    func replace(_ former: EntitySchema, with entity: EntitySchema) throws {
        try guarded {
            let greatestKey = try store(for: former).map(knownGreatestKey) ?? 0
            let catalog = environment.catalog
            guard let stored = try catalog.read(former.name, transaction) else { return }
            beginChangingShapes()
            try catalog.removeDescription(of: stored, transaction)
            try catalog.retireTables(of: stored, transaction)
            try keepGreatestKey(greatestKey, of: storeForWriting(entity))
            noteWrite()
        }
    }

    /// Copies the rows of an entity as it was to its new tables, in the order of their keys.
    private func copyRows(
        of stored: StoredEntity,
        to entity: EntitySchema,
        adding added: RowAssignments
    ) throws {
        guard let fields = stored.schemas else {
            throw DBClientError(
                .corrupt,
                "The store's description of an entity is damaged.",
                entity: entity.name
            )
        }
        let layout = RecordLayout(
            fields,
            columns: Array(fields.indices),
            version: stored.version
        )
        defer { withExtendedLifetime(layout) {} }
        let columns = entity.fields.map { field in stored.fields.firstIndex { $0.has(field.name) } }
        let name = Catalog.recordTable(stored.number)
        let table = try transaction.openTable(name)
        let cursor = try takeCursor(table)
        defer { giveBack(cursor, table) }
        let rows = RowBuffer(entity)
        var key = MDB_val()
        var value = MDB_val()
        while try cursor.move(MDB_NEXT, &key, &value) {
            let record = try Record(value.bytes, layout)
            try record.verify()
            try rows.append(copying: { column in
                columns[column].map(record.slot) ?? added.values[0, column]
            })
            if rows.count == Self.rowsOfCopy {
                try insert(rows)
                rows.removeAll()
            }
        }
        if rows.count > 0 { try insert(rows) }
    }

    /// How many rows are in memory while an entity is copied.
    private static var rowsOfCopy: Int { 4_096 }
}
