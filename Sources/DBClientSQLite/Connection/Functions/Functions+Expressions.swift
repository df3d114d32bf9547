import DBClientCore
import GRDBSQLite

// Functions of expressions that SQLite does not have as the library defines them: its integers turn into reals where
// they overflow, and a division by zero into null. Each computes what the core does, and takes the types as a number
// behind its operands.
extension SQLiteFunctions {
    /// Returns the name of a function.
    static func name(of function: RowFunction) -> String {
        names[function, default: ""]
    }

    /// The names, kept because each connection registers all functions, and the name of a case is made by reflection.
    private static let names = Dictionary(
        uniqueKeysWithValues: RowFunction.allCases.map {
            ($0, "dbclient_\($0.name.lowercased())")
        }
    )

    /// The beginning of the message of a statement that failed because a value was not to be had.
    static let noValue = "dbclient: "

    /// The types that numbers of calls stand for, by their positions.
    private static let types: [FieldType] = [
        .integer(bits: 8, signed: true), .integer(bits: 16, signed: true),
        .integer(bits: 32, signed: true), .integer(bits: 64, signed: true),
        .integer(bits: 8, signed: false), .integer(bits: 16, signed: false),
        .integer(bits: 32, signed: false), .integer(bits: 64, signed: false),
        .double, .float, .json, .date, .text, .boolean, .data, .uuid, .decimal,
    ]

    /// Returns the number that stands for the types of a call.
    static func code(of call: RowFunctionCall) -> Int {
        let (type, operand) = (types.firstIndex(of: call.type), types.firstIndex(of: call.operand))
        return (type ?? 0) << 8 | (operand ?? 0)
    }

    /// Returns the call that a number stands for; nil for one that is none.
    private static func call(
        _ function: RowFunction,
        _ code: Int64,
        count: Int
    ) -> RowFunctionCall? {
        let (type, operand) = (Int(code >> 8), Int(code & 255))
        guard types.indices.contains(type), types.indices.contains(operand) else { return nil }
        return RowFunctionCall(
            function,
            returning: types[type],
            of: types[operand],
            count: count
        )
    }

    static func registerExpressions(on connection: SQLiteHandle) throws {
        for function in RowFunction.allCases {
            let code = sqlite3_create_function_v2(
                connection.pointer,
                name(of: function),
                -1,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                UnsafeMutableRawPointer(bitPattern: Int(function.rawValue) + 1),
                { context, count, arguments in
                    guard let arguments, count > 1, let last = arguments[Int(count) - 1] else {
                        return sqlite3_result_error_code(context, SQLITE_MISUSE)
                    }
                    let number = Int(bitPattern: sqlite3_user_data(context)) - 1
                    guard let function = RowFunction(rawValue: UInt8(truncatingIfNeeded: number)),
                        let call = SQLiteFunctions.call(
                            function,
                            sqlite3_value_int64(last),
                            count: Int(count) - 1
                        )
                    else { return sqlite3_result_error_code(context, SQLITE_MISUSE) }
                    SQLiteFunctions.compute(call, context, arguments)
                },
                nil,
                nil,
                nil
            )
            if code != SQLITE_OK { throw SQLiteError.make(code, connection) }
        }
    }

    static func compute(
        _ call: RowFunctionCall,
        _ context: OpaquePointer?,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>
    ) {
        withUnsafeTemporaryAllocation(of: Slot.self, capacity: call.count) { operands in
            for index in 0..<call.count {
                guard let slot = slot(arguments[index], call.operand) else {
                    return sqlite3_result_error_code(context, SQLITE_MISMATCH)
                }
                operands.initializeElement(at: index, to: slot)
            }
            do throws(DBClientError) {
                let hasBytes = call.type.slotKind == .text || call.type.slotKind == .data
                let bytes = hasBytes ? RowBuffer(.constant, columns: []) : noBytes
                let value = try call.value(of: operands, bytes)
                switch value.kind {
                case .integer: sqlite3_result_int64(context, value.integer)
                case .real: sqlite3_result_double(context, value.real)
                case .text: result(value.bytes, context)
                case .data:
                    let count = Int32(clamping: value.bytes.count)
                    if count == 0 { return sqlite3_result_zeroblob(context, 0) }
                    sqlite3_result_blob(context, value.bytes.baseAddress, count, transient)
                case .null: sqlite3_result_null(context)
                }
            } catch {
                sqlite3_result_error(context, noValue + error.message, -1)
            }
        }
    }

    /// Returns a text, of which SQLite makes a copy.
    private static func result(_ text: UnsafeRawBufferPointer, _ context: OpaquePointer?) {
        let bytes = text.bindMemory(to: CChar.self)
        // SQLite takes no address for null.
        guard let start = bytes.baseAddress else {
            return sqlite3_result_text(context, "", 0, transient)
        }
        sqlite3_result_text(context, start, Int32(clamping: bytes.count), transient)
    }

    /// Numbers have no bytes to be kept.
    private nonisolated(unsafe) static let noBytes = RowBuffer(.constant, columns: [])

    /// Returns a value of a type; nil where it is of another, or a text of another program that is not UTF-8.
    private static func slot(_ value: OpaquePointer?, _ type: FieldType) -> Slot? {
        switch (sqlite3_value_type(value), type.slotKind) {
        case (SQLITE_NULL, _): .null
        case (SQLITE_INTEGER, .integer): .integer(sqlite3_value_int64(value))
        case (SQLITE_INTEGER, .real), (SQLITE_FLOAT, .real): .real(sqlite3_value_double(value))
        case (SQLITE_TEXT, .text): text(value)
        case (SQLITE_BLOB, .data):
            .data(
                UnsafeRawBufferPointer(
                    start: sqlite3_value_blob(value),
                    count: Int(sqlite3_value_bytes(value))
                )
            )
        default: nil
        }
    }

    private static func text(_ value: OpaquePointer?) -> Slot? {
        let start = sqlite3_value_text(value)
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        return bytes.isUTF8 ? .text(bytes) : nil
    }
}
