import DBClientCore

extension SQLiteConnection {
    /// Checks a file that is being opened, as far as is asked for.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - hasLog: Whether it is in write-ahead mode.
    ///   - isUnchanged: Whether nothing has written to it since it was known to be sound.
    ///   - verification: What is asked for.
    /// - Returns: Whether the file is known to be sound.
    /// - Throws: `.corrupt`.
    func verify(
        _ path: String,
        hasLog: Bool,
        isUnchanged: Bool,
        _ verification: SQLiteConfiguration.Verification
    ) throws -> Bool {
        let isLeftBehind = hasLog && SQLiteLogMarks(handle)?.isLeftBehind == true
        switch verification {
        case .never: return false
        case .whenChanged:
            if isUnchanged, !isLeftBehind { return true }
            let size = SQLiteFile.size(path)
            if size > Self.quicklyCheckedSize { return false }
            return try isSound(size > Self.checkedSize ? "quick_check" : "integrity_check")
        case .always: return try isSound("integrity_check")
        }
    }

    private static var checkedSize: Int { 16 << 20 }
    private static var quicklyCheckedSize: Int { 128 << 20 }

    /// Runs one of SQLite's own checks, and returns whether it ended: in a file of another program it may need
    /// functions or collations that are missing here.
    ///
    /// Rows that break a constraint of their table are no damage: the program that wrote them had it switched off, or
    /// used an older SQLite.
    private func isSound(_ pragma: String) throws -> Bool {
        var finding: String?
        do {
            try SQLiteStatement(handle, "PRAGMA \(pragma)").values(on: nil) { row in
                let text = String(decoding: row[0].bytes, as: UTF8.self)
                if text == "ok" || Self.isOfRule(text) { return true }
                finding = text
                return false
            }
        } catch let error as DBClientError where error.code != .corrupt {
            return false
        }
        if let finding { throw Self.damaged(finding) }
        return true
    }

    private static func isOfRule(_ finding: String) -> Bool {
        finding.hasPrefix("CHECK constraint failed") || finding.contains(" value in ")
            || finding.hasPrefix("non-unique entry")
    }

    /// Runs one of SQLite's own checks.
    ///
    /// - Throws: `.corrupt` with the first thing that it finds.
    func checkIntegrity(_ pragma: String) throws {
        var finding: String?
        try SQLiteStatement(handle, "PRAGMA \(pragma)(1)").values(on: nil) { row in
            finding = String(decoding: row[0].bytes, as: UTF8.self)
            return false
        }
        if let finding, finding != "ok" { throw Self.damaged(finding) }
    }

    static func damaged(_ finding: String) -> DBClientError {
        DBClientError(
            .corrupt,
            "The store's file is damaged.",
            hint: "Restore a backup, or save what can be read with the sqlite3 shell's .recover.",
            engineMessage: finding
        )
    }

    /// Returns the names of the tables that keep rows of their own.
    func tableNames() throws -> [String] {
        var names: [String] = []
        try SQLiteStatement(
            handle,
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
            """
        )
        .values(on: nil) { row in
            names.append(String(decoding: row[0].bytes, as: UTF8.self))
            return true
        }
        return names
    }
}
