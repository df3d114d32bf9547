import DBClientCore
import GRDBSQLite

extension SQLiteFunctions {
    /// The sum of reals, exact and then rounded once; the text `NaN` where it is NaN.
    static let realSum = "dbclient_real_sum"

    /// The average of numbers with fractions, added up exactly.
    static let realAverage = "dbclient_real_average"

    static func registerReals(on connection: SQLiteHandle) throws {
        try register(aggregate: realSum, on: connection, adding: addReal) { context in
            guard let total = AggregateTotal<RealSum>.take(from: context) else {
                return sqlite3_result_null(context)
            }
            returnReal(total.sum.value, context)
        }
        try register(aggregate: realAverage, on: connection, adding: addReal) { context in
            guard let total = AggregateTotal<RealSum>.take(from: context) else {
                return sqlite3_result_null(context)
            }
            returnReal(total.sum.divided(by: total.count), context)
        }
    }
}

/// Adds a number; one without a fraction may be stored as an integer.
private func addReal(
    _ context: OpaquePointer?,
    _: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let value = arguments?[0] else { return }
    let type = sqlite3_value_type(value)
    if type == SQLITE_NULL { return }
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else {
        return sqlite3_result_error_code(context, SQLITE_MISMATCH)
    }
    guard let total = AggregateTotal.of(context, RealSum()) else {
        return sqlite3_result_error_nomem(context)
    }
    total.sum.add(sqlite3_value_double(value))
    total.count += 1
}

/// Returns a number, of which SQLite makes null where it is none.
private func returnReal(_ value: Double, _ context: OpaquePointer?) {
    guard value.isNaN else { return sqlite3_result_double(context, value) }
    sqlite3_result_text(context, "NaN", 3, transient)
}
