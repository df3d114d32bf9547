extension CapturingWriter {
    func insert(_ rows: RowBuffer) throws {
        try insert(rows) { false }
    }

    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        guard let log = recorder.log(of: rows.entity) else {
            return try base.insert(rows, thenThoseOf: next)
        }
        try base.insert(rows) {
            log.append(inserted: rows.batch)
            return try next()
        }
    }

    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        guard let log = recorder.log(of: entity) else {
            return try base.update(rows, of: entity, setting: columns, missing: missing)
        }
        var befores = try befores(rows, entity, log)
        // Rows inserted or deleted after they were looked for, by a transaction beside this one.
        var writtenCount = rows.count
        try base.update(rows, of: entity, setting: columns) { row in
            writtenCount -= 1
            befores[row] = -1
            try missing(row)
        }
        let isWhole = columns.count == entity.columnsBesideKey.count
        var written = isWhole && rows.count > 1 ? WrittenKeys(entity) : nil
        for row in 0..<rows.count where befores[row] >= 0 {
            writtenCount -= 1
            if isWhole {
                let after = log.copy(rows, row: row)
                let earlier = written?.note(rows, row: row, after)
                log.append(before: earlier ?? befores[row], after: after)
            } else {
                let assignments = RowAssignments(columns: columns, values: rows.row(row))
                let after = log.copy(befores[row], setting: assignments)
                log.append(before: befores[row], after: after)
            }
        }
        if writtenCount > 0 { recorder.noteUntrackedWrite(of: log) }
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        guard let log = recorder.log(of: rows.entity) else {
            return try base.upsert(rows, outcome: outcome)
        }
        var befores = try befores(rows.batch, rows.entity, log)
        try base.upsert(rows) { row, isInserted in
            // What was read may have been deleted since by a transaction beside this one.
            if isInserted { befores[row] = -1 }
            outcome(row, isInserted)
        }
        let batch = rows.batch
        for row in 0..<batch.count {
            log.append(before: befores[row], after: log.copy(batch, row: row))
        }
    }

    func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        guard let log = recorder.log(of: rows.entity) else {
            return try base.insertAbsent(rows, outcome: outcome)
        }
        var new: [Int] = []
        try base.insertAbsent(rows) { row, isInserted in
            if isInserted { new.append(row) }
            outcome(row, isInserted)
        }
        rows.subset(new).withBatch { log.append(inserted: $0) }
    }

    func upsert(_ rows: RowBuffer, by columns: [Int], outcome: (Int, Bool) -> Void) throws {
        guard recorder.log(of: rows.entity) != nil else {
            return try base.upsert(rows, by: columns, outcome: outcome)
        }
        // Which rows are replaced is told by their keys.
        try upsertByLooking(rows, by: columns, outcome: outcome)
    }

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        guard let log = recorder.log(of: entity) else {
            return try base.delete(entity, keys: keys)
        }
        let befores = try befores(keys: keys, entity, log)
        let count = try base.delete(entity, keys: keys)
        var deleted = keys.count > 1 ? KeyTable(entity) : nil
        for row in 0..<keys.count where befores[row] >= 0 {
            // A key that comes again has no row any more.
            if deleted?.note(keys.slots + row * keys.columnCount) == false { continue }
            log.append(before: befores[row])
        }
        return count
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        guard let log = recorder.log(of: query.entity) else {
            return try base.update(query, setting: assignments)
        }
        let befores = try befores(query, log)
        let count = try base.update(query, setting: assignments)
        for before in befores {
            log.append(before: before, after: log.copy(before, setting: assignments))
        }
        return count
    }

    func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation]
    ) throws -> Int {
        guard recorder.log(of: query.entity) != nil else {
            return try base.update(query, setting: assignments, computing: computations)
        }
        // What is computed is told by the rows that are written.
        return try updateByKeys(query, setting: assignments, computing: computations)
    }

    func delete(_ query: RowQuery) throws -> Int {
        guard let log = recorder.log(of: query.entity) else { return try base.delete(query) }
        let befores = try befores(query, log)
        let count = try base.delete(query)
        for before in befores { log.append(before: before) }
        return count
    }

    func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation],
        returning rows: RowBuffer
    ) throws {
        guard recorder.log(of: query.entity) != nil else {
            return try base.update(
                query,
                setting: assignments,
                computing: computations,
                returning: rows
            )
        }
        if try keepsOtherValues(of: query.entity) {
            return try updateAndGet(
                query,
                setting: assignments,
                computing: computations,
                returning: rows
            )
        }
        try updateByKeys(query, setting: assignments, computing: computations, returning: rows)
    }

    func delete(_ query: RowQuery, returning rows: RowBuffer) throws {
        try base.delete(query, returning: rows)
        guard let log = recorder.log(of: query.entity) else { return }
        rows.withBatch { batch in
            for row in 0..<batch.count { log.append(before: log.copy(batch, row: row)) }
        }
    }

    func insert(_ insertion: RowInsertion) throws -> Int {
        guard recorder.log(of: insertion.entity) != nil else { return try base.insert(insertion) }
        return try insertByRows(insertion)
    }
}
