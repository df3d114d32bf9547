import CSQLiteFiles

/// What a connection refuses of a file that another program made.
enum SQLiteDefense {
    /// Functions and virtual tables in a schema are not trusted unless the file is, and pages are checked before use.
    static func pragmas(trustsSchema: Bool) -> String {
        "PRAGMA trusted_schema = \(trustsSchema ? "ON" : "OFF"); PRAGMA cell_size_check = ON;"
    }

    /// Switches defensive mode on: the file's internals cannot be written by a statement.
    static func apply(to connection: SQLiteHandle) {
        csqlite_switch_on(UnsafeMutableRawPointer(connection.pointer), csqlite_defensive)
    }
}
