import DBClientCore
import GRDBSQLite

extension SQLiteFunctions {
    /// The sum of decimals in their order-preserving form, with as many digits as it has.
    static let decimalSum = "dbclient_decimal_sum"

    /// The average of decimals, added up exactly.
    static let decimalAverage = "dbclient_decimal_average"

    static func registerDecimals(on connection: OpaquePointer) throws {
        try register(aggregate: decimalSum, on: connection, adding: addDecimal) { context in
            guard let total = DecimalTotal.take(from: context) else {
                return sqlite3_result_null(context)
            }
            guard let form = total.sum.form else {
                return sqlite3_result_error_code(context, SQLITE_MISMATCH)
            }
            sqlite3_result_blob(context, form, Int32(clamping: form.count), transient)
        }
        try register(aggregate: decimalAverage, on: connection, adding: addDecimal) { context in
            guard let total = DecimalTotal.take(from: context) else {
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
    guard let total = DecimalTotal.of(context) else {
        return sqlite3_result_error_nomem(context)
    }
    // Asked for before their number, as SQLite wants it.
    let start = sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    total.sum.add(UnsafeRawBufferPointer(start: start, count: count))
    total.count += 1
}

/// What decimals add up to.
///
/// The memory that SQLite keeps for a group holds a reference to it. SQLite ends every group that it
/// began, also where a statement fails.
private final class DecimalTotal {
    var sum = DecimalSum()
    var count = 0

    /// Returns the total of a group, made with its first value; nil where there is no memory.
    static func of(_ context: OpaquePointer?) -> DecimalTotal? {
        guard let place = place(context, size: MemoryLayout<UnsafeRawPointer?>.size) else {
            return nil
        }
        if let held = place.pointee {
            return Unmanaged<DecimalTotal>.fromOpaque(held).takeUnretainedValue()
        }
        let total = DecimalTotal()
        place.pointee = UnsafeRawPointer(Unmanaged.passRetained(total).toOpaque())
        return total
    }

    /// Returns the total of a group that ends, which is let go of; nil where there was no value.
    static func take(from context: OpaquePointer?) -> DecimalTotal? {
        guard let held = place(context, size: 0)?.pointee else { return nil }
        return Unmanaged<DecimalTotal>.fromOpaque(held).takeRetainedValue()
    }

    private static func place(
        _ context: OpaquePointer?,
        size: Int
    ) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
        sqlite3_aggregate_context(context, Int32(size))?
            .assumingMemoryBound(to: UnsafeRawPointer?.self)
    }
}
