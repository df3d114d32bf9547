import DBClientCore
import DBClientSQL

// A few rows at once: a statement for each, all of them in one trip.
extension PostgreSQLTable {
    /// Whether the statements of several rows may be sent before the first is answered: where each call
    /// has a savepoint, an error concerns the statements after it as well.
    func canSendTogether(_ count: Int) -> Bool {
        count > 1 && !connection.state.isCareful
    }

    /// Inserts rows with one trip; returns false where they have to go one by one.
    func insertTogether(_ rows: RowBuffer, _ batch: RowBatch, _ keyColumn: Int?) throws -> Bool {
        guard canSendTogether(batch.count) else { return false }
        var makesKeys = false
        if let keyColumn {
            let count = (0..<batch.count).count { batch[$0, keyColumn].isNull }
            guard count == 0 || count == batch.count else { return false }
            makesKeys = count > 0
        }
        let statement =
            try makesKeys
            ? statement(.insertGenerated, insertGenerated) : statement(.insert, sql.insert)
        let columns = makesKeys ? sql.values : sql.written
        var results: [Result] = []
        do {
            try makingKeysAgain(makesKeys) {
                try statement.run(batch.count, on: entity, into: &results) {
                    try bind($0, of: batch, columns, to: statement)
                }
            }
        } catch let error as DBClientError {
            throw named(error, min(results.count, batch.count - 1), of: batch)
        }
        if traits.mayIgnore, !makesKeys {
            for (row, result) in results.enumerated() where result.changedCount == 0 {
                try checkInserted(row, of: batch)
            }
        }
        guard makesKeys, let keyColumn else { return true }
        defer { withExtendedLifetime(results) {} }
        for (row, result) in results.enumerated() {
            guard result.rowCount > 0 else { throw ignored }
            let key = try statement.row.value(result.handle, 0, 0)
            noteMade(key.integer)
            rows.replace(row: row, column: keyColumn, with: key)
        }
        return true
    }

    /// Updates rows with one trip; returns false where they have to go one by one.
    func updateTogether(_ rows: RowBatch, _ missing: (Int) throws -> Void) throws -> Bool {
        guard canSendTogether(rows.count), !sql.values.isEmpty else { return false }
        let statement = try statement(.update, sql.update(sql.values))
        let columns = sql.values + entity.primaryKey
        var results: [Result] = []
        func report() throws {
            for (row, result) in results.enumerated() where result.changedCount == 0 {
                try checkMissing(row, of: rows, entity.primaryKey)
                try missing(row)
            }
        }
        do {
            try statement.run(rows.count, on: entity, into: &results) {
                try bind($0, of: rows, columns, to: statement)
            }
        } catch let error as DBClientError where error.code == .uniqueViolation {
            // A row that is missing before the one that failed came first.
            try report()
            throw error
        }
        try report()
        return true
    }

    /// Inserts or replaces rows with one trip; returns false where they have to go one by one.
    func upsertTogether(_ rows: RowBatch, _ outcome: (Int, Bool) -> Void) throws -> Bool {
        guard canSendTogether(rows.count) else { return false }
        var results: [Result] = []
        let statement = try usingConflictClause {
            let statement = try self.statement(.upsert, upsert)
            try statement.run(rows.count, on: entity, into: &results) {
                try bind($0, of: rows, sql.written, to: statement)
            }
            return statement
        }
        for (row, result) in results.enumerated() {
            outcome(row, try wasInserted(row, of: rows, result, statement))
        }
        return true
    }
}
