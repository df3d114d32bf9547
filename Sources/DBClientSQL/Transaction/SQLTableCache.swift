import DBClientCore

/// The tables that a connection has checked, and which of them the open transaction made, so that a
/// roll-back forgets them.
struct SQLTableCache {
    private struct Entry {
        let table: any SQLTable
        /// Whether the table and its indexes are complete, as a writer needs them.
        let isWritable: Bool
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var last: (entity: EntitySchema, entry: Entry)?
    /// The tables made in the open transaction, with the number of savepoints then open.
    private var made: [(entity: EntitySchema, depth: Int)] = []
    private var depth = 0

    /// Returns the table of an entity, if it was checked.
    mutating func table(of entity: EntitySchema, isWriting: Bool) -> (any SQLTable)? {
        if let last, last.entity === entity, last.entry.isWritable || !isWriting {
            return last.entry.table
        }
        guard let entry = entries[ObjectIdentifier(entity)], entry.isWritable || !isWriting else {
            return nil
        }
        last = (entity, entry)
        return entry.table
    }

    mutating func insert(_ table: any SQLTable, isWritable: Bool, wasMade: Bool) {
        let entity = table.sql.entity
        let entry = Entry(table: table, isWritable: isWritable)
        entries[ObjectIdentifier(entity)] = entry
        last = (entity, entry)
        if wasMade { made.append((entity, depth)) }
    }

    mutating func remove(_ entity: EntitySchema) {
        entries[ObjectIdentifier(entity)] = nil
        last = nil
    }

    mutating func removeAll() {
        entries.removeAll()
        last = nil
        made.removeAll()
    }

    mutating func beginSavepoint() {
        depth += 1
    }

    mutating func releaseSavepoint() {
        depth -= 1
        for index in made.indices where made[index].depth > depth { made[index].depth = depth }
    }

    /// Returns whether the savepoint made anything.
    mutating func rollbackSavepoint() -> Bool {
        depth -= 1
        let kept = depth
        return forget { $0 > kept }
    }

    /// Returns whether the transaction made anything.
    mutating func commit() -> Bool {
        depth = 0
        defer { made.removeAll() }
        return !made.isEmpty
    }

    /// Returns whether the transaction made anything.
    mutating func rollback() -> Bool {
        depth = 0
        return forget { _ in true }
    }

    private mutating func forget(_ isUndone: (Int) -> Bool) -> Bool {
        let count = made.count
        if count == 0 { return false }
        for (entity, depth) in made where isUndone(depth) {
            entries[ObjectIdentifier(entity)] = nil
        }
        made.removeAll { isUndone($0.depth) }
        last = nil
        return made.count < count
    }
}
