import DBClientCore
import GRDBSQLite

// Time zones: the rules are a constant of the statement, whose bytes are read where SQLite has them.
extension SQLiteFunctions {
    static func registerZones(on connection: SQLiteHandle) throws {
        try register(.localTime, on: connection) { SQLiteFunctions.zoned(.localTime, $0, $2) }
        try register(.firstMoment, on: connection) { SQLiteFunctions.zoned(.firstMoment, $0, $2) }
    }

    private static func register(
        _ function: RowFunction,
        on connection: SQLiteHandle,
        _ compute:
            @escaping @convention(c) (
                OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
            ) -> Void
    ) throws {
        let code = sqlite3_create_function_v2(
            connection.pointer,
            name(of: function),
            2,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            nil,
            compute,
            nil,
            nil,
            nil
        )
        if code != SQLITE_OK { throw SQLiteError.make(code, connection) }
    }

    private static func zoned(
        _ function: RowFunction,
        _ context: OpaquePointer?,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let arguments else { return sqlite3_result_error_code(context, SQLITE_MISUSE) }
        let (rules, date) = (arguments[0], arguments[1])
        switch sqlite3_value_type(date) {
        case SQLITE_NULL: return sqlite3_result_null(context)
        case SQLITE_INTEGER: break
        default: return sqlite3_result_error_code(context, SQLITE_MISMATCH)
        }
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_value_blob(rules),
            count: Int(sqlite3_value_bytes(rules))
        )
        let call = RowFunctionCall(function, returning: .date, of: .date, count: 2)
        let value = call.value(of: sqlite3_value_int64(date), inZone: bytes)
        guard let value else { return sqlite3_result_error_code(context, SQLITE_MISMATCH) }
        sqlite3_result_int64(context, value)
    }
}
