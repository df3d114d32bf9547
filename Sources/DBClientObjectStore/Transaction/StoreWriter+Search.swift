import CLMDB
import DBClientCore

// Keeping the indexes of words. What a call changes is gathered, and written at its end in the order of the words.
extension StoreWriter {
    /// Runs a write of rows and writes what it changes in the indexes of words, of the rows before an error as well.
    @inline(__always)
    func keepingSearches<Value>(_ store: EntityStore, _ body: () throws -> Value) throws -> Value {
        if store.searches.isEmpty { return try body() }
        let value: Value
        do {
            value = try body()
        } catch {
            // What LMDB refuses ends the transaction: a map that is full grows, and the transaction is run again.
            if (error as? DBClientError)?.engineCode != nil { forgetSearched() }
            try writeSearched(store)
            throw error
        }
        try writeSearched(store)
        return value
    }

    /// Gathers the words of rows that are inserted.
    func gatherSearched(_ batch: RowBatch, _ store: EntityStore) throws {
        if store.searches.isEmpty { return }
        for row in 0..<batch.count {
            let row = SlotRow(slots: batch.slots + row * batch.columnCount)
            store.writeKey(ofRow: row, to: &key)
            try gatherSearched(row, store)
        }
    }

    /// Adds a new row, whose primary key is in `key`.
    func gatherSearched(_ row: some SlotSource, _ store: EntityStore) throws {
        for (place, search) in store.searches.enumerated() {
            let changes = changes(of: place, store)
            let document =
                store.hasIntegerKey
                ? key.bytes.loadUnaligned(as: UInt64.self)
                : try changes.makeDocument(key.bytes, cursor(of: search))
            changes.add(document, search.texts(of: row))
            if changes.isFull { try write(changes, search) }
        }
    }

    /// Takes a row out, whose primary key is in `key`.
    func gatherDeleted(_ row: some SlotSource, _ store: EntityStore) throws {
        for (place, search) in store.searches.enumerated() {
            let changes = changes(of: place, store)
            let document = try document(changes, search, store, deleting: true)
            changes.remove(document, search.texts(of: row))
        }
    }

    /// Changes a row, whose primary key is in `key`.
    func gatherReplaced(
        _ old: some SlotSource,
        with new: some SlotSource,
        _ store: EntityStore
    ) throws {
        for (place, search) in store.searches.enumerated() where search.differs(old, new) {
            let changes = changes(of: place, store)
            let document = try document(changes, search, store)
            changes.replace(document, search.texts(of: old), with: search.texts(of: new))
        }
    }

    private func document(
        _ changes: SearchChanges,
        _ search: SearchStore,
        _ store: EntityStore,
        deleting: Bool = false
    ) throws -> UInt64 {
        if store.hasIntegerKey { return key.bytes.loadUnaligned(as: UInt64.self) }
        return try changes.document(key.bytes, deleting: deleting, cursor(of: search))
    }

    private func cursor(of search: SearchStore) throws -> SearchTableCursor {
        SearchTableCursor(try cursor(search.table), transaction)
    }

    private func changes(of place: Int, _ store: EntityStore) -> SearchChanges {
        if searchChanges?.store !== store {
            let changes = store.searches.map { SearchChanges(fieldCount: $0.columns.count) }
            searchChanges = (store, changes)
        }
        return searchChanges?.changes[place]
            ?? SearchChanges(fieldCount: store.searches[place].columns.count)
    }

    /// Writes what was gathered.
    func writeSearched(_ store: EntityStore) throws {
        guard let searchChanges, searchChanges.store === store else { return }
        for (search, changes) in zip(store.searches, searchChanges.changes) where !changes.isEmpty {
            try write(changes, search)
        }
    }

    /// Writes what was gathered where it is much.
    func writeFullSearches(_ store: EntityStore) throws {
        if store.searches.isEmpty { return }
        guard let searchChanges, searchChanges.store === store else { return }
        for (search, changes) in zip(store.searches, searchChanges.changes) where changes.isFull {
            try write(changes, search)
        }
    }

    private func write(_ changes: SearchChanges, _ search: SearchStore) throws {
        try changes.write(to: cursor(of: search))
    }

    /// Forgets what was gathered of an insert that is refused.
    func forgetSearched() {
        for changes in searchChanges?.changes ?? [] where !changes.isEmpty { changes.removeAll() }
    }

    /// Fills a new index from the table.
    func fill(_ search: SearchStore, of store: EntityStore) throws {
        let table = try takeCursor(store.table)
        defer { giveBack(table, store.table) }
        let changes = SearchChanges(fieldCount: search.columns.count)
        var tableKey = MDB_val()
        var value = MDB_val()
        var isThere = try table.move(MDB_FIRST, &tableKey, &value)
        while isThere {
            let record = try Record(value.bytes, store.layout)
            try record.verify()
            store.writeKey(ofRow: record, to: &key)
            let document =
                store.hasIntegerKey
                ? key.bytes.loadUnaligned(as: UInt64.self)
                : try changes.makeDocument(key.bytes, cursor(of: search))
            changes.add(document, search.texts(of: record))
            if changes.isFull { try write(changes, search) }
            isThere = try table.move(MDB_NEXT, &tableKey, &value)
        }
        try write(changes, search)
    }
}
