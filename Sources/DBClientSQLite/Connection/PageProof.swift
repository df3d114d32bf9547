import DBClientCore
import GRDBSQLite

/// Finds out, within a transaction, whether all pages of an encrypted file that were read were what had been written.
///
/// SQLCipher fills a page that it finds damaged with zeros, and has every later page fail that the transaction asks for.
/// Mostly the zeros make no sense, and the statement fails. But those of the last page of a long value pass for its
/// end. So another page is asked for, before a long value is handed on and at the end of each statement.
final class SQLitePageProof {
    private let connection: SQLiteHandle
    private var statement: OpaquePointer?

    /// From how many bytes on a row may have a page of its own.
    ///
    /// SQLite keeps 979 in that of an index.
    static let longRow = 900

    init(_ connection: SQLiteHandle) {
        self.connection = connection
    }

    /// Asks for a page once more.
    ///
    /// - Throws: `.corrupt` where SQLCipher found a page damaged that the transaction had asked for before.
    func check() throws {
        if statement == nil {
            let code = sqlite3_prepare_v3(
                connection.pointer,
                "SELECT 1 FROM sqlite_schema LIMIT 1",
                -1,
                UInt32(SQLITE_PREPARE_PERSISTENT),
                &statement,
                nil
            )
            if code != SQLITE_OK { throw failure(code) }
        }
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW || code == SQLITE_DONE {
            sqlite3_reset(statement)
            return
        }
        let failure = failure(code)
        sqlite3_reset(statement)
        throw failure
    }

    func close() {
        sqlite3_finalize(statement)
        statement = nil
    }

    private func failure(_ code: Int32) -> DBClientError {
        // The first page does not fit the key, or what failed is no page.
        let isOfPage = code == SQLITE_ERROR || code == SQLITE_CORRUPT
        if !isOfPage { return SQLiteError.make(code, connection) }
        return DBClientError(
            .corrupt,
            "The store's file is damaged.",
            hint: "Restore a backup.",
            engineCode: .number(Int(SQLITE_CORRUPT))
        )
    }
}
