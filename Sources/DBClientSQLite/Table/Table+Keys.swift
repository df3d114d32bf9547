import DBClientCore
import DBClientSQL

// The keys that SQLite makes, of which it keeps the last in a table of its own.
extension SQLiteTable {
    /// After this key there are more than a call has rows.
    private static var farKey: Int64 { .max - 1 << 32 }

    /// Notes the key of a new row.
    @inline(__always)
    func noteKey(_ key: Int64) {
        if key > Self.farKey { hasKeysLeft = false }
    }

    /// Whether SQLite makes the keys of new rows.
    var makesIntegers: Bool { entity.keyGeneration == .generated && entity.integerKey != nil }

    /// Whether any number of rows gets keys.
    var mayMakeKeys: Bool {
        get throws {
            guard makesIntegers else { return false }
            if !hasKeysLeft { hasKeysLeft = try lastKey() ?? 0 <= Self.farKey }
            return hasKeysLeft
        }
    }

    /// Sees to it that rows get keys that are free: above all that other rows of the buffer have.
    ///
    /// - Throws: `.full` when there is none left; SQLite, asked for one, would undo the whole transaction.
    func prepareKeys(of rows: RowBuffer) throws {
        let column = entity.primaryKey[0]
        let batch = rows.batch
        let made = (0..<batch.count).filter { batch[$0, column].isNull }
        if made.isEmpty || hasKeysLeft && made.count == batch.count { return }
        var last = max(try lastKey() ?? 0, rows.greatestKey ?? 0)
        guard Int64(made.count) <= .max - last else {
            throw DBClientError(.full, "Every integer key was used.", entity: entity.name)
        }
        hasKeysLeft = last <= Self.farKey
        if made.count == batch.count { return }
        for row in made {
            last += 1
            rows.replace(row: row, column: column, with: .integer(last))
        }
    }

    func lastKey() throws -> Int64? {
        guard let column = entity.integerKey else { return nil }
        var text = SQLText(sql.dialect)
        text.append("SELECT max(")
        text.append(column: entity.fields[column].name)
        text.append(") FROM ")
        text.append(identifier: sql.name)
        let stored = try integer(text.sql)
        // There is such a table once any other has made keys.
        let hasSequence = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'"
        guard try integer(hasSequence) != nil else { return stored }
        let made = try integer(
            "SELECT max(seq) FROM sqlite_sequence WHERE name = ? COLLATE NOCASE",
            .text(sql.name)
        )
        return [stored, made].compactMap(\.self).max()
    }

    func skipKeys(through key: Int64) throws {
        // A table without a known key begins at one.
        if key <= 0 { return }
        let values: [StorageValue] = [.text(sql.name), .integer(key)]
        try prepare(
            "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1 COLLATE NOCASE",
            values
        )
        .step(on: entity)
        if connection.changeCount > 0 { return }
        try prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", values)
            .step(on: entity)
    }

    private func prepare(_ text: String, _ values: [StorageValue]) throws -> SQLiteStatement {
        let statement = try SQLiteStatement(connection, text)
        for (index, value) in values.enumerated() {
            try value.withSlot { try statement.bind($0, at: Int32(index + 1), copying: true) }
        }
        return statement
    }

    /// Returns the integer that a statement finds, if it finds one.
    private func integer(_ text: String, _ values: StorageValue...) throws -> Int64? {
        var found: Int64?
        try prepare(text, values).values(on: entity) { row in
            if row[0].kind == .integer { found = row[0].integer }
            return false
        }
        return found
    }
}
