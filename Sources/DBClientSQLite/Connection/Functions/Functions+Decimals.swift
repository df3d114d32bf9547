import DBClientCore
import GRDBSQLite

extension SQLiteFunctions {
    /// The sum of decimals in their order-preserving form, with as many digits as it has.
    static let decimalSum = "dbclient_decimal_sum"

    /// The average of decimals, added up exactly.
    static let decimalAverage = "dbclient_decimal_average"

    static func registerDecimals(on connection: SQLiteHandle) throws {
        try register(aggregate: decimalSum, on: connection, adding: addDecimal) { context in
            guard let total = AggregateTotal<DecimalSum>.take(from: context) else {
                return sqlite3_result_null(context)
            }
            guard let form = total.sum.form else {
                return sqlite3_result_error_code(context, SQLITE_MISMATCH)
            }
            sqlite3_result_blob(context, form, Int32(clamping: form.count), transient)
        }
        try register(aggregate: decimalAverage, on: connection, adding: addDecimal) { context in
            guard let total = AggregateTotal<DecimalSum>.take(from: context) else {
                return sqlite3_result_null(context)
            }
            guard let average = total.sum.divided(by: total.count) else {
                return sqlite3_result_error_code(context, SQLITE_MISMATCH)
            }
            sqlite3_result_double(context, average)
        }
    }
}

private func addDecimal(
    _ context: OpaquePointer?,
    _: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let value = arguments?[0] else { return }
    let type = sqlite3_value_type(value)
    if type == SQLITE_NULL { return }
    guard type == SQLITE_BLOB else {
        return sqlite3_result_error_code(context, SQLITE_MISMATCH)
    }
    guard let total = AggregateTotal.of(context, DecimalSum()) else {
        return sqlite3_result_error_nomem(context)
    }
    // Asked for before their number, as SQLite wants it.
    let start = sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    total.sum.add(UnsafeRawBufferPointer(start: start, count: count))
    total.count += 1
}
