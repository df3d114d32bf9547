import CSQLiteFiles
import DBClientCore
import DBClientSQL
import GRDB
import GRDBSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Turns SQLite's result codes into the library's errors.
enum SQLiteError {
    /// Returns the error of a connection's last call, which returned a result code.
    static func make(
        _ code: Int32,
        _ handle: SQLiteHandle?,
        on entity: EntitySchema? = nil
    ) -> DBClientError {
        let message = handle.flatMap { sqlite3_errmsg($0.pointer) }.map { String(cString: $0) }
        let extended = handle.map { sqlite3_extended_errcode($0.pointer) } ?? code
        // A reset may have replaced the connection's code, never by one of another kind.
        let precise = extended & 0xFF == code & 0xFF ? extended : code
        if let handle, handle.isEncrypted {
            if code & 0xFF == SQLITE_NOTADB { return handle.lockFailure }
            // SQLCipher has a page that it finds damaged fail so, where others ask for it again.
            if code == SQLITE_ERROR, message == "SQL logic error" {
                return make(SQLITE_CORRUPT, message: message, on: entity)
            }
        }
        var cause: Int32?
        if code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN {
            cause = handle.flatMap(causeOfFailure)
        }
        return make(precise, message: message, on: entity, cause: cause)
    }

    /// Returns the error of a statement that could not be prepared, with SQLite's own words where they are about
    /// its text.
    static func preparing(_ code: Int32, _ handle: SQLiteHandle?) -> DBClientError {
        let error = make(code, handle)
        guard error.code == .engine, error.engineCode == .number(Int(SQLITE_ERROR)),
            let message = error.engineMessage
        else { return error }
        let words = EngineWords.withoutConstants(message)
        return DBClientError(
            .invalidRequest,
            "The statement is not valid: \(words).",
            engineCode: error.engineCode,
            engineMessage: message
        )
    }

    /// The error number of the operating system's call for which a call of a connection failed.
    private static func causeOfFailure(_ handle: SQLiteHandle) -> Int32? {
        if let number = lastErrorNumber(handle) { return number }
        // What SQLite does with the log's index leaves no number behind.
        let number = sqlite3_system_errno(handle.pointer)
        if [ENOSPC, EDQUOT, EFBIG].contains(number) { return number }
        return sqlite3_db_filename(handle.pointer, "main").flatMap {
            lacksSpace(String(cString: $0))
        }
    }

    /// The error number of a full disk, where the one of a path is.
    private static func lacksSpace(_ path: String) -> Int32? {
        let free = csqlite_free_space(path)
        return free >= 0 && free < largestStep ? ENOSPC : nil
    }

    /// More than SQLite lengthens a file by in one step that is not a write of a page: a part of the log's index.
    private static var largestStep: Int64 { 64 << 10 }

    /// The error number of the last call of the operating system that failed on the journal, the write-ahead log
    /// or, if none did, on the file itself.
    ///
    /// That of `sqlite3_system_errno` is another's by the time that a failed commit was undone.
    private static func lastErrorNumber(_ handle: SQLiteHandle) -> Int32? {
        for pointer in [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER] {
            var file: UnsafeMutablePointer<sqlite3_file>?
            guard sqlite3_file_control(handle.pointer, "main", pointer, &file) == SQLITE_OK,
                let file, let methods = file.pointee.pMethods
            else { continue }
            var number: Int32 = 0
            let code = methods.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number)
            if code == SQLITE_OK, number != 0 { return number }
        }
        return nil
    }

    /// Returns the error that GRDB threw when it opened a file, or the error itself.
    static func wrapping(_ error: any Error, _ path: String? = nil) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let mayLackSpace = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(error.resultCode.rawValue)
        return make(
            error.extendedResultCode.rawValue,
            message: error.message,
            on: nil,
            cause: mayLackSpace ? path.flatMap(lacksSpace) : nil
        )
    }

    /// The error of a commit that a foreign key is broken for.
    static var brokenForeignKey: DBClientError {
        make(
            sqliteConstraintForeignKey,
            message: "FOREIGN KEY constraint failed",
            on: nil
        )
    }

    static func make(
        _ code: Int32,
        message: String?,
        on entity: EntitySchema?,
        cause: Int32? = nil
    ) -> DBClientError {
        var error = cause.flatMap(describe(systemError:)) ?? describe(code, message, entity)
        error.engineCode = .number(Int(code))
        error.engineMessage = message
        if error.entity == nil { error.entity = entity?.name }
        return error
    }

    /// Returns the error for a cause of a failed call of the operating system that says more than SQLite
    /// does: it takes one cause alone for a full disk.
    private static func describe(systemError: Int32) -> DBClientError? {
        switch systemError {
        case ENOSPC, EDQUOT: DBClientError(.full, "No space is left for the store.")
        case EFBIG:
            DBClientError(
                .full,
                "A file of the store is as large as this process or the file system allows."
            )
        case EROFS: DBClientError(.readOnly, "The file system can only be read.")
        default: nil
        }
    }

    private static func describe(
        _ code: Int32,
        _ message: String?,
        _ entity: EntitySchema?
    ) -> DBClientError {
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: constraint(code, message ?? "", entity)
        case SQLITE_FULL: DBClientError(.full, "No space is left for the store.")
        case SQLITE_BUSY, SQLITE_LOCKED:
            DBClientError(
                .busy,
                "Another connection holds the store.",
                hint: "Try again, or allow for a longer busyTimeout."
            )
        case SQLITE_READONLY: DBClientError(.readOnly, "The store can only be read.")
        case SQLITE_PERM, SQLITE_AUTH:
            DBClientError(.permission, "Access to the store is refused.")
        case SQLITE_CANTOPEN: DBClientError(.io, "The store's file cannot be opened.")
        case SQLITE_IOERR: DBClientError(.io, "Reading or writing the store's file failed.")
        // Some versions of SQLite take functions of JSON for such, and read no table of the file then.
        case SQLITE_ERROR where message?.contains("unsafe use of") == true,
            SQLITE_CORRUPT where message?.contains("unsafe use of") == true:
            DBClientError(
                .permission,
                "A table, trigger, view or index of the file uses a virtual table or a function that only a "
                    + "trusted file may use.",
                hint:
                    "Set trustsSchema of SQLiteConfiguration if you trust every program that made "
                    + "tables, triggers and views in it."
            )
        case SQLITE_CORRUPT: DBClientError(.corrupt, "The store's file is damaged.")
        case SQLITE_NOTADB: DBClientError(.corrupt, "The file is not a SQLite database.")
        // Nothing else ends a statement.
        case SQLITE_INTERRUPT:
            DBClientError(
                .timeout,
                "The read went on for longer than a snapshot may be held.",
                hint: "End transactions sooner, or raise SQLiteConfiguration.maximumSnapshotAge."
            )
        case SQLITE_TOOBIG: DBClientError(.invalidValue, "A value or a statement is too large.")
        case SQLITE_MISMATCH:
            DBClientError(.decoding, "A value is of another type than its field.")
        case SQLITE_ERROR where message?.hasPrefix(SQLiteFunctions.noValue) == true:
            DBClientError(
                .invalidValue,
                String((message ?? "").dropFirst(SQLiteFunctions.noValue.count))
            )
        case SQLITE_ERROR where message?.contains("malformed JSON") == true:
            DBClientError(.decoding, "A stored text is not the JSON that the field needs.")
        default:
            DBClientError(
                .engine,
                "SQLite refused the statement for a reason that its code alone tells.",
                hint: "The error's engineMessage has its words, which may show values."
            )
        }
    }

    private static func constraint(
        _ code: Int32,
        _ message: String,
        _ entity: EntitySchema?
    ) -> DBClientError {
        if message == SQLiteViewGuard.refusal { return SQLiteViewGuard.error(on: entity) }
        switch code {
        case sqliteConstraintPrimaryKey, sqliteConstraintRowID:
            return DBClientError(
                .duplicateKey,
                "The primary key exists already.",
                field: entity?.keyName
            )
        case sqliteConstraintUnique:
            if let entity, failed(entity.primaryKey, of: entity, in: message) {
                return DBClientError(
                    .duplicateKey,
                    "The primary key exists already.",
                    field: entity.keyName
                )
            }
            return DBClientError(
                .uniqueViolation,
                "A unique field holds this value already.",
                field: entity.flatMap { uniqueFields(of: $0, in: message) }
            )
        case sqliteConstraintNotNull:
            return DBClientError(
                .constraintViolation,
                "A required value is missing.",
                field: entity.flatMap { entity in
                    entity.fields.first { message.hasSuffix(".\($0.name)") }?.name
                }
            )
        case sqliteConstraintForeignKey: return .brokenForeignKey
        // A key that restricts is a trigger of SQLite's own.
        case sqliteConstraintTrigger where message == "FOREIGN KEY constraint failed":
            return .brokenForeignKey
        default:
            return DBClientError(.constraintViolation, "A rule of the table was broken.")
        }
    }

    private static func uniqueFields(of entity: EntitySchema, in message: String) -> String? {
        entity.indexes.first { $0.isUnique && failed($0.fields, of: entity, in: message) }
            .map { index in index.fields.map { entity.fields[$0].name }.joined(separator: ", ") }
    }

    /// Whether a message names these columns.
    ///
    /// Names may contain what separates them, so the message
    /// that SQLite would write is put together and compared.
    private static func failed(
        _ columns: [Int],
        of entity: EntitySchema,
        in message: String
    ) -> Bool {
        let table = SQLiteDialect().tableName(of: entity)
        let names = columns.map { "\(table).\(entity.fields[$0].name)" }
        return message.hasSuffix("failed: " + names.joined(separator: ", "))
    }
}

// The header's own names are macros over expressions, which Swift does not import.
private let sqliteConstraintForeignKey = SQLITE_CONSTRAINT | (3 << 8)
private let sqliteConstraintTrigger = SQLITE_CONSTRAINT | (7 << 8)
private let sqliteConstraintNotNull = SQLITE_CONSTRAINT | (5 << 8)
private let sqliteConstraintPrimaryKey = SQLITE_CONSTRAINT | (6 << 8)
private let sqliteConstraintUnique = SQLITE_CONSTRAINT | (8 << 8)
private let sqliteConstraintRowID = SQLITE_CONSTRAINT | (10 << 8)
