import CSQLiteFiles
import DBClientCore
import GRDBSQLite

extension SQLiteConfiguration {
    /// When a file is checked as a client opens it.
    public enum Verification: Sendable {
        /// When something may have written to the file since a client of this library closed it: its time says so, its
        /// log was left behind, or nothing is known of it, as of a copy, of a file of another program's and where the
        /// file system keeps no extended attributes.
        ///
        /// Up to 16 MB everything is checked that SQLite's `integrity_check` finds damaged, and up to 128 MB what
        /// `quick_check` does, which leaves the entries of indexes out. A larger file is not checked. That is a quarter of a
        /// second at most, on a machine that checks 100 MB and 600 MB in a second.
        case whenChanged
        /// Each time, by `integrity_check`, whatever the file's size.
        case always
        /// Never.
        case never
    }
}

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

    /// Runs one of SQLite's own checks, and returns whether it came to an end: in a file of another program's it may
    /// need functions or collations that are not there.
    ///
    /// Rows that break a rule of their table are no damage: whoever wrote them had the rule switched off, or was an older
    /// SQLite.
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
}
