import DBClientCore
import DBClientSQL

// Texts that are longer than their columns take.
extension PostgreSQLTable {
    /// Throws when a text is longer than its column takes.
    ///
    /// The server itself refuses one only when it would cut more than blanks: the others would be stored as another
    /// text than the caller and the observers have.
    func checkLengths(of rows: RowBatch, _ columns: some Sequence<Int>) throws {
        for column in columns {
            guard let length = traits.lengths[column] else { continue }
            for row in 0..<rows.count {
                let slot = rows[row, column]
                guard slot.kind == .text, slot.bytes.count > length else { continue }
                // The bytes of UTF-8 that begin a character.
                let count = slot.bytes.count { $0 & 0xC0 != 0x80 }
                if count <= length { continue }
                throw DBClientError(
                    .invalidValue,
                    "A text must have at most \(length) characters in its column; got \(count).",
                    entity: entity.name,
                    field: entity.fields[column].name
                )
            }
        }
    }

    /// Checks what the rows of a query are set to, and notes that the table is written.
    func willWrite(_ assignments: RowAssignments?) throws {
        if let assignments, traits.hasLengths {
            try checkLengths(of: assignments.values, assignments.columns)
        }
        if let assignments { try willSpell(assignments.columns) }
        noteWrite(assignments == nil ? .delete : .update)
    }

    /// Whether no column takes texts of some length alone.
    func mayCompute(_ columns: [Int]) -> Bool {
        !traits.hasLengths || columns.allSatisfy { traits.lengths[$0] == nil }
    }

    /// What a call does to rows.
    enum Write {
        case insert, update, delete
    }

    /// Has the next statement fail unless the rows that were copied were taken for values of the columns' types.
    ///
    /// It comes after them, when the table's lock is held: another program may have altered it while they waited for that.
    func checkCopied() {
        guard let check = traits.checkOfTypes, connection.pending.last != check else { return }
        connection.pending.append(check)
    }

    /// Notes that a call writes to the table, by which the database may write more.
    func noteWrite(_ write: Write) {
        let hasEffects =
            traits.hasTriggers || (traits.hasDeleteActions && write == .delete)
            || (traits.hasUpdateActions && write == .update)
        connection.state.noteWrite(to: sql.name, hasEffects: hasEffects)
        // The server rounds without a word, and callers and observers would be told something else.
        if write != .delete, let check = traits.checksOfLimits.last,
            connection.pending.last != check
        {
            connection.pending +=
                connection.lacks(.tableLocks) ? [check] : traits.checksOfLimits
        }
    }
}

// Rows that a trigger or a rule has left out.
extension PostgreSQLTable {
    /// The error of rows that the server did not write and did not refuse either.
    var ignored: DBClientError {
        DBClientError(
            .constraintViolation,
            "The table did not take the change: a trigger or a rule of it ignored it.",
            entity: entity.name,
            hint: "Look for triggers that return NULL, and for rules with DO INSTEAD."
        )
    }

    /// Throws when the table lacks a row of a call that the server has not counted.
    ///
    /// A trigger may have put it into another table, one that inherits from this one: then it is there.
    func checkInserted(_ row: Int, of batch: RowBatch) throws {
        guard traits.mayIgnore, try isElsewhere(row, of: batch) else { throw ignored }
    }

    /// Throws when a row is there that a call was to write and that the server has not counted.
    func checkMissing(_ row: Int, of batch: RowBatch, _ key: [Int]) throws {
        if traits.mayIgnore, try exists(row, of: batch, key) { throw ignored }
    }

    private func exists(_ row: Int, of batch: RowBatch, _ key: [Int]) throws -> Bool {
        let statement = try statement(.exists, sql.exists)
        try bind(row, of: batch, key, to: statement)
        return try statement.run(on: entity).rowCount > 0
    }

    func isElsewhere(_ row: Int, of batch: RowBatch) throws -> Bool {
        if traits.isView { return try exists(row, of: batch, entity.primaryKey) }
        let statement = try statement(
            .existsElsewhere,
            sql.exists + " AND tableoid <> \(connection.quoted(sql.name).sqlLiteral)::regclass"
        )
        try bind(row, of: batch, entity.primaryKey, to: statement)
        return try statement.run(on: entity).rowCount > 0
    }
}
