import DBClientCore
import DBClientSQL

// How many rows are sent, and what is learnt when the server refuses it.
extension PostgreSQLTable {
    /// Fewer rows than this are replaced by a statement each, which go together in one trip: a temporary
    /// table costs about a millisecond.
    static let bulkThreshold = 16

    /// The ways in which many rows are sent, from the fastest.
    enum Bulk {
        /// Copied, into the table itself or into a temporary one.
        case copies
        /// As one list for each field, which one statement takes apart into rows.
        case lists
        /// By a prepared statement for each row, sent together.
        case rows
    }

    func isLarge(_ count: Int) -> Bool {
        count >= Self.bulkThreshold && bulk != .rows && !connection.state.isCareful
    }

    /// Whether many rows are copied into the table.
    ///
    /// What is copied goes to another server row by row, and what a statement inserts in batches.
    var copies: Bool { bulk == .copies && !isSharded && !connection.lacks(.binaryCopy) }

    /// Whether many rows are copied into a temporary table, from which a statement takes them.
    var usesTemporaryTable: Bool { copies && !connection.lacks(.temporaryTables) }

    /// Has many rows sent as lists from now on, and the unit run again, where the server refuses to copy them: into a
    /// table with policies for its rows, into a temporary table, or at all.
    func noteRefusal(ofCopy error: DBClientError) {
        // What the server refused ahead of the copy is noted.
        if connection.state.verdict == .lacking { return }
        guard error.isRefusal(of: .binaryCopy) || error.sqlState == "42501" else { return }
        bulk = .lists
        let server = error.underlying as? PostgreSQLServerError
        // The server's own function of copies refuses those into some tables.
        if error.sqlState != "42501", server?.function != "DoCopy" {
            connection.features.note(.binaryCopy)
        }
        connection.state.noteLack()
    }

    /// Has rows go one by one from now on, and the unit run again, where the role may not use the sequence.
    func noteRefusal(ofSequence error: DBClientError) {
        // It may have been the lock of the table.
        guard error.sqlState == "42501", connection.state.verdict != .lacking else { return }
        bulk = .rows
        connection.state.noteLack()
    }

    /// Whether the server says of each row of an upsert what it did.
    var upsertsAtOnce: Bool {
        !isSharded && !mayRespellKeys && spelledIndexes.isEmpty && !hidesRowMarks
            && !connection.lacks(.rowMarks) && !connection.lacks(.conflictClauses)
    }

    /// Runs a body that inserts or replaces rows by one statement, and learns where the server has none.
    func usingConflictClause<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try connection.using(.rowMarks) { try connection.using(.conflictClauses, body) }
        } catch let error as DBClientError where error.sqlState == "42501" && !hidesRowMarks {
            // If it is another right that the role lacks, the next attempt is refused for that.
            hidesRowMarks = true
            connection.state.noteLack()
            throw error
        }
    }

    /// Whether nothing keeps other sessions from writing while this one moves the sequence.
    var lacksLocks: Bool { connection.lacks(.tableLocks) || refusesLocks }
}
