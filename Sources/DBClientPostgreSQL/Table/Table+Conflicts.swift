import DBClientCore
import DBClientSQL

// Rows that are left out where they conflict with others, those of other sessions among them: the server waits for the
// end of a transaction that has the same value, and goes on.
extension PostgreSQLTable {
    func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws -> Bool {
        if isSharded || traits.mayIgnore || mayRespellKeys || !spelledIndexes.isEmpty
            || connection.lacks(.conflictClauses)
        {
            return false
        }
        let keyColumn = entity.keyGeneration == .generated ? entity.integerKey : nil
        var makesKeys = false
        if let keyColumn { makesKeys = try fillKeys(of: rows, keyColumn) }
        let batch = rows.batch
        try willInsert(batch)
        try makingKeysAgain(makesKeys) {
            try connection.using(.conflictClauses) {
                guard isLarge(batch.count) else {
                    return try insertAbsent(0..<batch.count, of: rows, keyColumn, outcome)
                }
                try inParts(batch) { start, part in
                    if hasDistinctKeys(part), canList(part, sql.written) {
                        return try insertAbsentListed(part) { outcome(start + $0, $1) }
                    }
                    try insertAbsent(start..<start + part.count, of: rows, keyColumn, outcome)
                }
            }
        }
        return true
    }

    /// Inserts rows of different keys by one statement.
    private func insertAbsentListed(
        _ rows: RowBatch,
        _ outcome: (Int, Bool) -> Void
    ) throws {
        let statement = try statement(.insertAbsentMany, insertAbsentMany)
        try bindLists(of: rows, sql.written, sql.written, to: statement)
        defer { statement.parameters.releaseCopies() }
        let result = try statement.run(on: entity)
        defer { withExtendedLifetime(result) {} }
        let columns = Row(entity.primaryKey.map { (keyTypes[$0] ?? types[$0]).rawValue })
        var inserted = Set<[StorageValue]>(minimumCapacity: Int(result.rowCount))
        for row in 0..<result.rowCount {
            let key = try columns.values(result.handle, row)
            inserted.insert(key.map { StorageValue($0) })
        }
        for row in 0..<rows.count {
            let key = entity.primaryKey.map { StorageValue(rows[row, $0]) }
            outcome(row, inserted.contains(key))
        }
    }

    /// Inserts rows by a statement each, sent together where they are of one kind.
    private func insertAbsent(
        _ range: Range<Int>,
        of rows: RowBuffer,
        _ keyColumn: Int?,
        _ outcome: (Int, Bool) -> Void
    ) throws {
        let batch = rows.batch
        func isMade(_ row: Int) -> Bool { keyColumn.map { batch[row, $0].isNull } ?? false }
        var start = range.lowerBound
        while start < range.upperBound {
            let makesKeys = isMade(start)
            var end = start + 1
            if canSendTogether(range.count) {
                while end < range.upperBound, isMade(end) == makesKeys { end += 1 }
            }
            let statement =
                try makesKeys
                ? statement(.insertAbsentGenerated, insertAbsentGenerated)
                : statement(.insertAbsent, sql.insertIfAbsent)
            let columns = makesKeys ? sql.values : sql.written
            var results: [Result] = []
            try statement.run(end - start, on: entity, into: &results) {
                try bind(start + $0, of: batch, columns, to: statement)
            }
            defer { withExtendedLifetime(results) {} }
            for (index, result) in results.enumerated() {
                let wasInserted = result.changedCount > 0
                if makesKeys, wasInserted, let keyColumn {
                    let key = try statement.row.value(result.handle, 0, 0)
                    noteMade(key.integer)
                    rows.replace(row: start + index, column: keyColumn, with: key)
                }
                outcome(start + index, wasInserted)
            }
            start = end
        }
    }

    func upsert(
        _ rows: RowBuffer,
        by columns: [Int],
        outcome: (Int, Bool) -> Void
    ) throws -> Bool {
        if !upsertsAtOnce || isPartitioned || traits.mayIgnore { return false }
        if keysWithoutIndex.contains(columns) { return false }
        let keyColumn = entity.keyGeneration == .generated ? entity.integerKey : nil
        if let keyColumn { _ = try fillKeys(of: rows, keyColumn) }
        let batch = rows.batch
        try willInsert(batch)
        noteWrite(.update)
        do {
            try usingConflictClause {
                var start = 0
                while start < batch.count {
                    start = try upsert(start, of: rows, by: columns, keyColumn, outcome)
                }
            }
        } catch let error as DBClientError where error.sqlState == "42P10" {
            // The table is another program's, and the unit runs again without the clause.
            keysWithoutIndex.insert(columns)
            connection.state.noteLack()
            throw error
        }
        return true
    }

    /// Inserts or replaces rows of one kind, from one on, by a statement each, sent together; returns the next row.
    private func upsert(
        _ start: Int,
        of rows: RowBuffer,
        by columns: [Int],
        _ keyColumn: Int?,
        _ outcome: (Int, Bool) -> Void
    ) throws -> Int {
        let batch = rows.batch
        func isMade(_ row: Int) -> Bool { keyColumn.map { batch[row, $0].isNull } ?? false }
        let makesKeys = isMade(start)
        var end = start + 1
        if canSendTogether(batch.count) {
            let limit = min(batch.count, start + Self.rowsSentTogether)
            while end < limit, isMade(end) == makesKeys { end += 1 }
        }
        let statement = try assigning(
            makesKeys ? .upsertGeneratedBy(columns) : .upsertBy(columns),
            upsert(by: columns, makingKey: makesKeys)
        )
        var results: [Result] = []
        try makingKeysAgain(makesKeys) {
            try statement.run(end - start, on: entity, into: &results) {
                try bind(
                    start + $0,
                    of: batch,
                    makesKeys ? sql.values : sql.written,
                    to: statement
                )
            }
        }
        defer { withExtendedLifetime(results) {} }
        let key = RowBuffer(entity, columns: entity.primaryKey)
        for (index, result) in results.enumerated() {
            guard result.rowCount > 0 else { throw ignored }
            key.removeAll()
            var row = try key.beginRow()
            for offset in entity.primaryKey.indices {
                try row.put(statement.row.value(result.handle, 0, offset + 1))
            }
            try key.endRow(row)
            if makesKeys { noteMade(key.batch[0, 0].integer) }
            rows.takeKey(key.batch, 0, row: start + index)
            outcome(start + index, try statement.row.value(result.handle, 0, 0).integer != 0)
        }
        return end
    }

    /// So many rows are sent before the first is answered.
    private static let rowsSentTogether = 256

    var mayReturnRows: Bool { !traits.mayIgnore && !traits.isView }

    func mayInsert(_ columns: [Int], makingKeys: Bool) throws -> Bool {
        guard mayCompute(columns), !traits.mayIgnore, !traits.isView, !mayRespellKeys,
            spelledIndexes.isEmpty
        else {
            return false
        }
        try willSpell(columns)
        noteWrite(.insert)
        connection.checkIdentity(of: sql)
        return true
    }
}
