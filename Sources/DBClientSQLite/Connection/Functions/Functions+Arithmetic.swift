import DBClientCore
import GRDBSQLite

// Sums, differences and products of two 64-bit integers: reports compute them of every row, so they are told by their
// names alone, and what is to be computed is not looked up for each.
extension SQLiteFunctions {
    private static let integer = FieldType.integer(bits: 64, signed: true)

    /// Returns the name of the function that computes a call; nil for a call that is none of these.
    static func arithmeticName(of call: RowFunctionCall) -> String? {
        guard call.count == 2, call.type == integer, call.operand == integer else { return nil }
        return switch call.function {
        case .add, .subtract, .multiply: name(of: call.function) + "_integers"
        default: nil
        }
    }

    static func registerArithmetic(on connection: SQLiteHandle) throws {
        try register(.add, on: connection) { context, _, arguments in
            SQLiteFunctions.compute(.add, context, arguments) { $0.addingReportingOverflow($1) }
        }
        try register(.subtract, on: connection) { context, _, arguments in
            SQLiteFunctions.compute(.subtract, context, arguments) {
                $0.subtractingReportingOverflow($1)
            }
        }
        try register(.multiply, on: connection) { context, _, arguments in
            SQLiteFunctions.compute(.multiply, context, arguments) {
                $0.multipliedReportingOverflow(by: $1)
            }
        }
    }

    private static func register(
        _ function: RowFunction,
        on connection: SQLiteHandle,
        _ compute:
            @escaping @convention(c) (
                OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
            ) -> Void
    ) throws {
        guard let name = arithmeticName(of: call(function)) else { return }
        let code = sqlite3_create_function_v2(
            connection.pointer,
            name,
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

    private static func call(_ function: RowFunction) -> RowFunctionCall {
        RowFunctionCall(function, returning: integer, of: integer, count: 2)
    }

    @inline(__always)
    private static func compute(
        _ function: RowFunction,
        _ context: OpaquePointer?,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) {
        guard let arguments else { return sqlite3_result_error_code(context, SQLITE_MISUSE) }
        let (left, right) = (arguments[0], arguments[1])
        if sqlite3_value_type(left) == SQLITE_INTEGER, sqlite3_value_type(right) == SQLITE_INTEGER {
            let (value, overflow) = operation(
                sqlite3_value_int64(left),
                sqlite3_value_int64(right)
            )
            if !overflow { return sqlite3_result_int64(context, value) }
        }
        // What is absent, of another type or too large is told as of every other function.
        compute(call(function), context, arguments)
    }
}
