import DBClientCore
import DBClientSQL

/// Notices that another process has changed the tables before what is read of them is taken for what it was.
///
/// SQLite prepares a statement again by itself when it finds the tables changed, and counts how often. So the number of
/// their shapes is asked for only then.
final class SQLiteSchemaWatch {
    /// The number of the tables' shapes from which statements were made.
    var number: Int64?
    /// Whether a transaction writes, so that no other connection changes the tables.
    var isWriting = false
    private var asking: SQLiteStatement?

    /// Returns the number of the tables' shapes as a transaction sees them.
    func current(_ connection: SQLiteHandle) throws -> Int64? {
        let statement = try asking ?? SQLiteStatement(connection, "PRAGMA schema_version")
        asking = statement
        var number: Int64?
        try statement.values(on: nil) { row in
            number = row[0].integer
            return false
        }
        return number
    }

    /// Throws when another process has changed the tables since statements were made for them.
    func check(_ connection: SQLiteHandle) throws {
        guard !isWriting, let number, try current(connection) != number else { return }
        throw DBClientError.changedTables
    }

    /// Finalizes the statement, so that the connection can be closed.
    func close() {
        asking = nil
    }
}
