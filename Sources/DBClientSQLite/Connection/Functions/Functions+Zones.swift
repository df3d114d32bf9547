import DBClientCore
import GRDBSQLite

// Time zones: the rules are a constant of the statement, whose bytes are read where SQLite has them.
extension SQLiteFunctions {
    static func registerZones(on connection: SQLiteHandle) throws {
        try register(name(of: .localTime), of: 2, on: connection) {
            SQLiteFunctions.zoned(.localTime, $0, $2)
        }
        try register(name(of: .firstMoment), of: 2, on: connection) {
            SQLiteFunctions.zoned(.firstMoment, $0, $2)
        }
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
