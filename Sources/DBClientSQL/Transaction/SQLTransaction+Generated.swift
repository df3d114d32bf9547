import DBClientCore

// Columns whose values the database makes: they are not written, and read again into the rows that were.
extension SQLTransaction {
    /// Inserts the rows of a buffer, and again what a function fills it with, and puts what the database has made into
    /// them.
    func insertGenerating(
        _ rows: RowBuffer,
        thenThoseOf next: () throws -> Bool,
        in table: any SQLTable
    ) throws {
        repeat {
            if let field = table.sql.givenKey(of: rows.batch) {
                throw table.sql.errorOfGivenKey(field)
            }
            try round(rows, in: table)
            try table.insert(rows) { false }
            try readGenerated(rows, in: table)
        } while try next()
    }

    /// Inserts or replaces rows and puts what the database has made into them.
    ///
    /// - Throws: `.invalidValue` for a new row with a key where the database makes every key; none of the rows is then
    ///   written.
    func upsertGenerating(
        _ rows: RowBuffer,
        outcome: (Int, Bool) -> Void,
        in table: any SQLTable
    ) throws {
        try round(rows, in: table)
        guard let field = table.sql.givenKey(of: rows.batch) else {
            try table.upsert(rows, outcome: outcome)
            return try readGenerated(rows, in: table)
        }
        let batch = rows.batch
        let given = (0..<batch.count).map { !batch[$0, field].isNull }
        var isRefused = false
        try beginSavepoint()
        do {
            try table.upsert(rows) { row, isInserted in
                if isInserted, given[row] { isRefused = true }
                outcome(row, isInserted)
            }
            if isRefused { throw table.sql.errorOfGivenKey(field) }
        } catch {
            // The error that matters is the one before.
            try? rollbackSavepoint()
            throw error
        }
        try releaseSavepoint()
        try readGenerated(rows, in: table)
    }

    /// Writes fields of rows by their keys, but those that the database makes, which are read again with whole rows.
    func updateGenerating(
        _ rows: RowBatch,
        setting columns: [Int],
        missing: (Int) throws -> Void,
        in table: any SQLTable
    ) throws {
        let isWhole = columns.count == table.sql.entity.columnsBesideKey.count
        if !isWhole { try checkAssigned(columns, in: table) }
        let written = isWhole ? table.sql.values : columns
        try round(rows, written, in: table)
        let rounded = table.sql.roundsValues
        try table.update(rows, setting: written, missing: missing)
        guard isWhole else { return }
        if !rounded { roundedValues.removeAll() }
        try readGenerated(into: rows, in: table, roundedValues)
    }

    /// Throws when a field is set whose values the database makes, and notes that the others are computed anew.
    func checkAssigned(_ columns: [Int], in table: any SQLTable) throws {
        let generated = table.sql.generated
        if generated.isEmpty { return }
        if let field = columns.first(where: generated.contains) {
            throw DBClientError(
                .invalidRequest,
                "A field must not be set whose values the database makes.",
                entity: table.sql.entity.name,
                field: table.sql.entity.fields[field].name,
                hint: "Set the fields that its column is computed from."
            )
        }
        recomputedTables.insert(table.sql.name)
    }

    private func readGenerated(_ rows: RowBuffer, in table: any SQLTable) throws {
        if table.sql.generated.isEmpty { return }
        try readGenerated(into: rows.batch, in: table, rows)
        rows.markRounded()
    }

    /// Replaces the values that the database makes of rows, which are found by their keys.
    ///
    /// - Parameters:
    ///   - rows: The rows, with room for every field; they are changed in place.
    ///   - table: Their table.
    ///   - buffer: Owns the bytes of what is read.
    /// - Throws: What reading them throws.
    private func readGenerated(
        into rows: RowBatch,
        in table: any SQLTable,
        _ buffer: RowBuffer
    ) throws {
        let (entity, generated) = (table.sql.entity, table.sql.generated)
        let width = entity.primaryKey.count
        let keys = UnsafeMutablePointer<Slot>.allocate(capacity: Self.rowsReadAgain * width)
        defer { keys.deallocate() }
        let slots = UnsafeMutablePointer(mutating: rows.slots)
        for start in stride(from: 0, to: rows.count, by: Self.rowsReadAgain) {
            let count = min(Self.rowsReadAgain, rows.count - start)
            for row in 0..<count {
                for (offset, field) in entity.primaryKey.enumerated() {
                    (keys + row * width + offset).initialize(to: rows[start + row, field])
                }
            }
            let batch = RowBatch(slots: keys, columnCount: width, count: count, entity: entity)
            try table.get(batch) { row, found in
                for field in generated {
                    let value = found[0, field]
                    let isBytes = value.kind == .text || value.kind == .data
                    let owned = isBytes ? buffer.copy(value.bytes) : nil
                    slots[(start + row) * rows.columnCount + field] =
                        owned.map { value.kind == .text ? .text($0) : .data($0) } ?? value
                }
            }
        }
    }

    /// How many rows are read again at a time.
    private static let rowsReadAgain = 1_024
}

extension TableSQL {
    /// Whether the database makes values that it takes from no statement.
    var hasGenerated: Bool { makesEveryKey || !generated.isEmpty }

    /// Notes what a table makes by itself.
    func noteGenerated(in found: SQLTableDescription) {
        var fields: [Int] = []
        for column in found.columns where column.generation != nil {
            let name = dialect.comparable(column.name)
            let field = entity.fields.indices.first { dialect.comparable(columnName($0)) == name }
            guard let field else { continue }
            guard entity.primaryKey.contains(field) else {
                fields.append(field)
                continue
            }
            if column.generation == .identity, field == entity.integerKey {
                makesEveryKey = true
            } else {
                errorOfNewRows = DBClientError(
                    .unsupported,
                    "The database makes a part of the key, by which a new row could not be found.",
                    entity: entity.name,
                    field: entity.fields[field].name
                )
            }
        }
        generated = fields.sorted()
    }

    /// Returns the field of the key if the database makes every key and a row has one already.
    fileprivate func givenKey(of rows: RowBatch) -> Int? {
        guard makesEveryKey, let field = entity.integerKey else { return nil }
        return (0..<rows.count).contains { !rows[$0, field].isNull } ? field : nil
    }

    fileprivate func errorOfGivenKey(_ field: Int) -> DBClientError {
        DBClientError(
            .invalidValue,
            "The database makes every key of the table, GENERATED ALWAYS AS IDENTITY, and takes none.",
            entity: entity.name,
            field: entity.fields[field].name,
            hint: "Insert the value without a key, or declare the column GENERATED BY DEFAULT."
        )
    }
}
