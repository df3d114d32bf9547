import DBClientCore
import DBClientSQL

// Many rows at a server that takes no copies, has no temporary tables, or does not say what an upsert has done.
extension PostgreSQLTable {
    /// So many rows go in one statement.
    private static let listedRows = 4_096

    /// Runs a body for some rows after another, with the number of the first.
    func inParts(_ rows: RowBatch, _ body: (Int, RowBatch) throws -> Void) rethrows {
        var start = 0
        while start < rows.count {
            let count = min(Self.listedRows, rows.count - start)
            try body(start, part(of: rows, start, count))
            start += count
        }
    }

    /// Returns some rows of a batch, from one on.
    func part(of rows: RowBatch, _ start: Int, _ count: Int) -> RowBatch {
        RowBatch(
            slots: rows.slots + start * rows.columnCount,
            columnCount: rows.columnCount,
            count: count,
            entity: entity
        )
    }

    /// Inserts rows by one statement for each part of them, a list a field.
    func insertListed(_ rows: RowBatch) throws {
        try inParts(rows) { _, rows in
            guard canList(rows, sql.written) else {
                for row in 0..<rows.count { try insert(row, of: rows) }
                return
            }
            let count = try insertListed(rows, but: nil)
            guard traits.mayIgnore, count < rows.count else { return }
            for row in 0..<rows.count { try checkInserted(row, of: rows) }
        }
    }

    /// Inserts rows, those at some places left out, and returns how many.
    private func insertListed(_ rows: RowBatch, but excluded: [Int]?) throws -> Int {
        let isPartial = excluded != nil
        let statement = try statement(
            .insertMany(isPartial: isPartial),
            insertMany(isPartial: isPartial)
        )
        try bindLists(of: rows, sql.written, sql.written, to: statement)
        defer { statement.parameters.releaseCopies() }
        if let excluded {
            let places = excluded.map { String($0 + 1) }.joined(separator: ",")
            try StorageValue.text("{\(places)}").withSlot {
                try statement.parameters.set($0, at: sql.written.count, copying: true)
            }
        }
        do {
            return try statement.execute(on: entity)
        } catch var error as DBClientError {
            if error.code == .duplicateKey { error.key = takenKey(error) }
            throw error
        }
    }

    /// Writes some columns of rows by a statement each, and returns which of them there are.
    func replaceSingly(_ rows: RowBatch, _ columns: [Int]) throws -> [Bool] {
        try (0..<rows.count).map { row in
            try columns == sql.values
                ? update(row, of: rows) : update(row, of: rows, setting: columns)
        }
    }

    /// Updates rows, and inserts those that there are not.
    ///
    /// A row that another session inserts in between is taken for a conflict, and the unit runs again.
    func upsertInSteps(
        _ rows: RowBuffer,
        _ batch: RowBatch,
        making made: Set<Int>,
        _ outcome: (Int, Bool) -> Void
    ) throws {
        try inParts(batch) { start, part in
            // Of two rows with one unique value it counts which is the first.
            guard part.count > 1, !connection.state.isCareful,
                !entity.indexes.contains(where: \.isUnique), hasDistinctKeys(part),
                canList(part, sql.written)
            else {
                for row in 0..<part.count {
                    let isNew = try upsertInSteps(
                        row,
                        of: part,
                        made.contains(start + row) ? rows : nil,
                        start
                    )
                    outcome(start + row, isNew)
                }
                return
            }
            let isFound = try replaceMany(part, sql.values.isEmpty ? entity.primaryKey : sql.values)
            if let taken = isFound.indices.first(where: { isFound[$0] && made.contains(start + $0) }
            ) {
                throw entity.duplicateKey(entity.primaryKey.map { StorageValue(part[taken, $0]) })
            }
            let missing = isFound.count { !$0 }
            if missing > 0 {
                for row in isFound.indices where !isFound[row] {
                    try checkMissing(row, of: part, entity.primaryKey)
                }
                let found = isFound.indices.filter { isFound[$0] }
                let count = try notingOrder {
                    try makingKeysAgain(!made.isEmpty) { try insertListed(part, but: found) }
                }
                if traits.mayIgnore, count < missing {
                    for row in isFound.indices where !isFound[row] {
                        try checkInserted(row, of: part)
                    }
                }
            }
            for row in isFound.indices { outcome(start + row, !isFound[row]) }
        }
    }

    /// Updates a row or inserts it.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - batch: Some rows of the call.
    ///   - rows: All rows of the call, where the server makes the key of this one.
    ///   - start: Where the batch begins among them.
    /// - Returns: Whether the row is new.
    /// - Throws: What the server says.
    private func upsertInSteps(
        _ row: Int,
        of batch: RowBatch,
        _ rows: RowBuffer?,
        _ start: Int
    ) throws -> Bool {
        if !spelledIndexes.isEmpty { try checkIndexSpellings(of: part(of: batch, row, 1)) }
        if let rows, let column = entity.integerKey {
            if batch[row, column].isNull {
                try insertGenerated(start + row, of: rows.batch, rows, column)
            } else {
                try makingKeysAgain { try insert(row, of: batch) }
            }
            return true
        }
        if try update(row, of: batch) { return false }
        try insert(row, of: batch)
        return true
    }

    /// Whether no key comes twice, which the second row of it would replace.
    func hasDistinctKeys(_ rows: RowBatch) -> Bool {
        var keys = Set<[StorageValue]>(minimumCapacity: rows.count)
        for row in 0..<rows.count {
            let key = entity.primaryKey.map { StorageValue(rows[row, $0]) }
            if key.contains(.null) || !keys.insert(key).inserted { return false }
        }
        return true
    }
}
