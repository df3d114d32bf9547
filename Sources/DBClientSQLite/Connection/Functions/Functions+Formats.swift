import DBClientCore
import GRDBSQLite

/// The functions of a format of columns, which a connection has once it meets a table with the format.
extension SQLiteFunctions {
    /// The functions of one format: what each makes of a column's value or a field's.
    enum FormatFunction: String {
        /// The field's value of what the column holds; what is no value in the format stays as it is, for the reader of
        /// the row to refuse.
        case value
        /// What the column holds of a value.
        case stored
        /// A constant as the bare column is tested for equality with it.
        case compared
        /// The greatest value of the bare column that is no more than a constant.
        case floored
        /// The smallest value of the bare column that is no less than a constant.
        case ceiled
    }

    static func name(of function: FormatFunction, _ format: ColumnFormat) -> String {
        // SQLite takes names that differ in case for one, and words may be any text.
        let parts = format.name.split(separator: "-").enumerated().map { index, part in
            index > 0 && format.columnKind == .text && Int(part) == nil
                ? part.utf8.map { "\($0)" }.joined(separator: "_") : String(part)
        }
        return "dbclient_\(function.rawValue)_\(parts.joined(separator: "_"))"
    }

    static func register(_ format: ColumnFormat, on connection: SQLiteHandle) throws {
        try register(.value, format, on: connection) { context, _, arguments in
            convert(context, arguments) { $0.value(ofStored: $1) }
        }
        try register(.stored, format, on: connection) { context, _, arguments in
            convert(context, arguments) { $0.stored($1) }
        }
        guard format.comparesAsStored else { return }
        try register(.compared, format, on: connection) { context, _, arguments in
            convert(context, arguments) { $0.compared($1) }
        }
        try register(.floored, format, on: connection) { context, _, arguments in
            convert(context, arguments) { $0.floored($1) }
        }
        try register(.ceiled, format, on: connection) { context, _, arguments in
            convert(context, arguments) { $0.ceiled($1) }
        }
    }

    private static func register(
        _ function: FormatFunction,
        _ format: ColumnFormat,
        on connection: SQLiteHandle,
        _ body: @escaping Body
    ) throws {
        let code = sqlite3_create_function_v2(
            connection.pointer,
            name(of: function, format),
            1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            Unmanaged.passRetained(FormatBox(format)).toOpaque(),
            body,
            nil,
            nil,
            { box in
                guard let box else { return }
                Unmanaged<FormatBox>.fromOpaque(box).release()
            }
        )
        if code != SQLITE_OK { throw SQLiteError.make(code, connection) }
    }
}

/// What a function of a format is called with.
private final class FormatBox {
    let format: ColumnFormat

    init(_ format: ColumnFormat) { self.format = format }
}

@inline(__always)
private func convert(
    _ context: OpaquePointer?,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ conversion: (ColumnFormat, Slot) -> StorageValue?
) {
    guard let value = arguments?[0], let box = sqlite3_user_data(context) else {
        return sqlite3_result_null(context)
    }
    let format = Unmanaged<FormatBox>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.format }
    let slot = slot(of: value)
    // Another program's text may be no UTF-8, and is then no value in any format.
    let isText = slot.kind != .text || slot.bytes.isUTF8
    switch slot.isNull ? .null : isText ? conversion(format, slot) : nil {
    // An integer may be what another value's field would be of; a number with a fraction is none.
    case nil where slot.kind == .integer: sqlite3_result_double(context, Double(slot.integer))
    case nil: sqlite3_result_value(context, value)
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text):
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                let count = Int32(clamping: bytes.count)
                sqlite3_result_text(context, bytes.baseAddress, count, transient)
            }
        }
    case .data(let data):
        data.withUnsafeBytes {
            sqlite3_result_blob(context, $0.baseAddress, Int32(clamping: $0.count), transient)
        }
    }
}

/// The bytes are asked for before their number, as SQLite wants it.
private func slot(of value: OpaquePointer) -> Slot {
    func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT: return .text(bytes(sqlite3_value_text(value)))
    case SQLITE_BLOB: return .data(bytes(sqlite3_value_blob(value)))
    default: return .null
    }
}
