import DBClientCore

/// The rows of a table in the order of an index's field, made when a query first asks for them and kept from then on.
///
/// A table is a value, and so are these: what was made for one value is taken over by the next one that is written.
struct SortedIndexes: Sendable {
    /// What is kept with every write, by the field.
    private var kept: [Int: SortedRows] = [:]
    /// What readers of this value have made.
    private var made = MadeIndexes()

    /// Returns the rows in the order of a field, those with the same value by their primary key.
    func rows(by column: Int, of entity: EntitySchema, _ rows: SortedRows) -> SortedRows {
        if let rows = kept[column] { return rows }
        return made.rows.withLock { made in
            if let rows = made[column] { return rows }
            let sorted = SortedRows(Array(rows.all), by: [column] + entity.primaryKey)
            made[column] = sorted
            return sorted
        }
    }

    /// Takes over what readers have made, before rows are written that they do not see.
    mutating func beginChange() {
        let found = made.rows.withLock { $0 }
        kept.merge(found) { kept, _ in kept }
        // A reader of an older value may still make some, of the rows that it sees.
        if !found.isEmpty || !isKnownUniquelyReferenced(&made) { made = MadeIndexes() }
    }

    /// Puts a row in the place of another.
    mutating func put(_ row: MemoryRow, replacing old: MemoryRow?) {
        if let old { remove(old) }
        for column in kept.keys { kept[column]?.put(row) }
    }

    mutating func remove(_ row: MemoryRow) {
        for column in kept.keys { kept[column]?.remove(row) }
    }
}

/// Indexes that readers of one value of a table have made.
private final class MadeIndexes: Sendable {
    let rows = UnfairMutex<[Int: SortedRows]>([:])
}
