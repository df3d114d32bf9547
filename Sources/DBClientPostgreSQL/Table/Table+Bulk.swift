import DBClientCore
import DBClientSQL

// Many rows at once.
extension PostgreSQLTable {
    /// Copies rows into the table, and again what a function fills the buffer with: the server
    /// works on those that were sent while the next ones are made.
    func copy(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        let text = copyAll
        // A loop over a range costs a row less.
        let columns = sql.generated.isEmpty ? nil : sql.written
        connection.checkIdentity(of: sql)
        do {
            var batch = rows.batch
            let count = try connection.copy(text, types) { writer in
                repeat {
                    batch = rows.batch
                    for row in 0..<batch.count {
                        try writer.beginRow(columns?.count ?? batch.columnCount)
                        if let columns {
                            for column in columns { try writer.put(batch[row, column], column) }
                            continue
                        }
                        for column in 0..<batch.columnCount {
                            try writer.put(batch[row, column], column)
                        }
                    }
                } while try next()
            }
            checkCopied()
            if traits.mayIgnore, count < batch.count {
                var elsewhere = 0
                for row in 0..<batch.count where try isElsewhere(row, of: batch) { elsewhere += 1 }
                if count + elsewhere < batch.count { throw ignored }
            }
        } catch let error as DBClientError {
            if error.isAboutForm || error.isAboutNames { connection.state.noteRace() }
            noteRefusal(ofCopy: error)
            var error = connection.explained(error, entity, text)
            // Which row it was only the server knows.
            if error.code == .duplicateKey { error.key = takenKey(error) }
            throw error
        }
    }

    func takenKey(_ error: DBClientError) -> String? {
        let key = (error.underlying as? PostgreSQLServerError)?.takenValues
        return entity.primaryKey.map { entity.fields[$0].type } == [.uuid] ? key?.uppercased() : key
    }

    /// Copies some fields of rows, with a number each, into the temporary table.
    private func copy(numbering batch: RowBatch, _ columns: [Int]) throws {
        let text = copyNumbered(columns)
        do {
            _ = try connection.copy(text, types) { writer in
                for row in 0..<batch.count {
                    try writer.beginRow(columns.count + 1)
                    for column in columns { try writer.put(batch[row, column], column) }
                    writer.put(Int32(truncatingIfNeeded: row))
                }
            }
        } catch let error as DBClientError {
            if error.isAboutForm || error.isAboutNames { connection.state.noteRace() }
            noteRefusal(ofCopy: error)
            throw connection.explained(error, entity, text)
        }
    }

    /// Inserts rows, through the temporary table or as lists where they are not stored as they are sent.
    func insertMany(_ rows: RowBuffer, _ batch: RowBatch) throws {
        if copies, sql.forms.allSatisfy({ $0.stored == "#" }) {
            return try copy(rows, thenThoseOf: { false })
        }
        guard usesTemporaryTable else { return try insertListed(batch) }
        let result: Result
        do {
            result = try mergeAll(
                batch,
                sql.written,
                insertFromTemporaryTable
            )
        } catch var error as DBClientError {
            if error.code == .duplicateKey { error.key = takenKey(error) }
            throw error
        }
        guard traits.mayIgnore, result.changedCount < batch.count else { return }
        for row in 0..<batch.count { try checkInserted(row, of: batch) }
    }

    /// Puts some fields of rows into the temporary table, runs a statement that reads it, and removes it.
    private func mergeAll(_ rows: RowBatch, _ columns: [Int], _ text: String) throws -> Result {
        connection.checkIdentity(of: sql)
        connection.pending.append(createTemporaryTable(columns))
        try copy(numbering: rows, columns)
        do {
            let result = try connection.collect(text: text)
            connection.pending.append("DROP TABLE \(Self.temporaryTable)")
            checkCopied()
            connection.state.hasRead = true
            return result
        } catch let error as DBClientError {
            throw connection.explained(error, entity, text)
        }
    }

    /// Inserts or replaces rows, of which some have keys that were made just now.
    ///
    /// - Throws: `.duplicateKey` where such a key was taken: by a program that leaves the sequence alone.
    func upsertMany(
        _ rows: RowBatch,
        making made: Set<Int>,
        _ outcome: (Int, Bool) -> Void
    ) throws {
        var taken: Int?
        try upsertMany(rows) { row, isInserted in
            if !isInserted, made.contains(row) { taken = min(taken ?? row, row) }
            outcome(row, isInserted)
        }
        guard let taken else { return }
        throw entity.duplicateKey(entity.primaryKey.map { StorageValue(rows[taken, $0]) })
    }

    private func upsertMany(_ rows: RowBatch, _ outcome: (Int, Bool) -> Void) throws {
        let result = try usingConflictClause { try mergeAll(rows, sql.written, merge) }
        defer { withExtendedLifetime(result) {} }
        guard Int(result.rowCount) == rows.count else {
            throw ignored
        }
        // The server reads a temporary table from its beginning, as nothing says that it has to.
        let columns = Row(
            [ServerType.boolean.rawValue]
                + entity.primaryKey.map { (keyTypes[$0] ?? types[$0]).rawValue }
        )
        var row = 0
        while row < rows.count {
            let values = try columns.values(result.handle, Int32(row))
            let isNext = entity.primaryKey.indices.allSatisfy {
                Slot.compare(values[$0 + 1], rows[row, entity.primaryKey[$0]]) == 0
            }
            guard isNext else { break }
            outcome(row, values[0].integer != 0)
            row += 1
        }
        guard row < rows.count else { return }
        let outcomes = try outcomes(result, columns)
        for row in row..<rows.count {
            outcome(row, outcomes[entity.primaryKey.map { StorageValue(rows[row, $0]) }] ?? false)
        }
    }

    /// Returns which of the rows that a statement returned were inserted, by their keys.
    private func outcomes(_ result: Result, _ columns: Row) throws -> [[StorageValue]: Bool] {
        var outcomes: [[StorageValue]: Bool] = [:]
        for row in 0..<result.rowCount {
            let values = try columns.values(result.handle, row)
            outcomes[values.dropFirst().map { StorageValue($0) }] = values[0].integer != 0
        }
        return outcomes
    }

    func updateMany(_ rows: RowBatch, _ missing: (Int) throws -> Void) throws {
        let isFound = try replaceMany(
            rows,
            sql.values.isEmpty ? entity.primaryKey : sql.values
        )
        // A row that was not used is of no stored key, or of a key that comes twice: the last counts.
        guard isFound.contains(false) else { return }
        for row in (isFound.firstIndex(of: false) ?? 0)..<rows.count {
            let exists = try notingOrder { try update(row, of: rows) }
            if !exists { try missing(row) }
        }
    }

    /// Runs a write of rows that the server may write in an order of its own, and one may hand its unique value on
    /// to the next: what it refuses for that is written again in the order of the rows.
    func notingOrder<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DBClientError where error.code == .uniqueViolation {
            connection.state.noteOrder()
            throw error
        }
    }

    /// Writes some fields of many rows, no two of which have one key.
    func updateMany(
        _ rows: RowBatch,
        setting columns: [Int],
        _ missing: (Int) throws -> Void
    ) throws {
        let fields = fields(toReplace: columns)
        if canList(rows, fields) {
            // No key comes twice, so the number of rows shows whether all exist, as they mostly do.
            let result = try notingOrder {
                try replaceListed(rows, columns, fields, telling: false)
            }
            if result.changedCount == rows.count { return }
        }
        let isFound = try replaceMany(rows, columns)
        for row in isFound.indices where !isFound[row] {
            try checkMissing(row, of: rows, entity.primaryKey)
            try missing(row)
        }
    }

    /// Writes some columns of many rows and returns which of them there are.
    func replaceMany(_ rows: RowBatch, _ columns: [Int]) throws -> [Bool] {
        var isFound = [Bool](repeating: false, count: rows.count)
        let fields = fields(toReplace: columns)
        let isListed = canList(rows, fields)
        if !isListed, !usesTemporaryTable { return try replaceSingly(rows, columns) }
        let result = try notingOrder {
            try isListed
                ? replaceListed(rows, columns, fields, telling: true)
                : mergeAll(rows, fields, replace(columns))
        }
        defer { withExtendedLifetime(result) {} }
        for row in 0..<result.rowCount {
            guard let value = result.bytes(row, 0) else { continue }
            let number =
                isListed
                ? Int(Int64(bigEndian: value.loadUnaligned(as: Int64.self))) - 1
                : Int(Int32(bigEndian: value.loadUnaligned(as: Int32.self)))
            isFound[number] = true
        }
        return isFound
    }

    /// Whether fields of rows are sent as a list each, as parameters of one statement: a temporary table costs the
    /// server milliseconds, but takes any number of rows and of bytes.
    func canList(_ rows: RowBatch, _ columns: [Int]) -> Bool {
        guard rows.count <= 1 << 14, columns.allSatisfy({ types[$0].arrayName != nil }) else {
            return false
        }
        var size = 0
        for column in columns where types[column].slotKind != .integer {
            for row in 0..<rows.count { size += Int(rows[row, column].length) }
        }
        return size <= 16 << 20
    }

    /// The fields that are sent of rows of which some columns are written: those, and the key.
    private func fields(toReplace columns: [Int]) -> [Int] {
        entity.primaryKey.filter { !columns.contains($0) } + columns
    }

    private func replaceListed(
        _ rows: RowBatch,
        _ columns: [Int],
        _ fields: [Int],
        telling tellsRows: Bool
    ) throws -> Result {
        let statement = try assigning(
            .assignMany(columns, tellsRows: tellsRows),
            replace(columns, byListsOf: fields, telling: tellsRows)
        )
        try bindLists(of: rows, fields, fields, to: statement)
        defer { statement.parameters.releaseCopies() }
        return try statement.run(on: entity)
    }
}

extension DBClientError {
    /// Whether a value was copied in the binary form of another type than the column's, which another
    /// session has altered.
    fileprivate var isAboutForm: Bool { sqlState == "22P03" }
}
