import DBClientCore
import GRDBSQLite

/// SQL functions that a connection has beside SQLite's own.
enum SQLiteFunctions {
    /// Whether a text matches a pattern of `*`, `?` and literal text.
    static let wildcard = "dbclient_wildcard"

    /// Bytes that have the natural order of a text.
    static let naturalOrder = "dbclient_natural"

    /// The number with fractions that has the bits of an integer.
    static let real = "dbclient_real"

    /// The average of integers, added up exactly.
    static let average = "dbclient_average"

    /// The collation of texts that are all equal: see `SQLWalkDepth`.
    static let sameness = "dbclient_same"

    /// What SQLite calls with the context of a call, and the number and the place of its arguments.
    typealias Body =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    static func register(on connection: SQLiteHandle) throws {
        try registerWildcard(on: connection)
        try registerNaturalOrder(on: connection)
        try registerReal(on: connection)
        try registerAverage(on: connection)
        try registerDecimals(on: connection)
        try registerReals(on: connection)
        try registerExpressions(on: connection)
        try registerArithmetic(on: connection)
        try registerZones(on: connection)
        try registerSameness(on: connection)
    }

    private static func registerSameness(on connection: SQLiteHandle) throws {
        let code = sqlite3_create_collation_v2(
            connection.pointer,
            sameness,
            SQLITE_UTF8,
            nil,
            { _, _, _, _, _ in 0 },
            nil
        )
        if code != SQLITE_OK { throw SQLiteError.make(code, connection) }
    }

    /// Registers a function of so many values of one row.
    static func register(
        _ name: String,
        of count: Int32,
        on connection: SQLiteHandle,
        _ function: @escaping Body
    ) throws {
        let code = sqlite3_create_function_v2(
            connection.pointer,
            name,
            count,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            nil,
            function,
            nil,
            nil,
            nil
        )
        if code != SQLITE_OK { throw SQLiteError.make(code, connection) }
    }

    /// Registers a function of one value of each row of a group.
    static func register(
        aggregate name: String,
        on connection: SQLiteHandle,
        adding add: @escaping Body,
        finishing finish: @escaping @convention(c) (OpaquePointer?) -> Void
    ) throws {
        let code = sqlite3_create_function_v2(
            connection.pointer,
            name,
            1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            nil,
            nil,
            add,
            finish,
            nil
        )
        if code != SQLITE_OK { throw SQLiteError.make(code, connection) }
    }

    private static func registerAverage(on connection: SQLiteHandle) throws {
        try register(
            aggregate: average,
            on: connection,
            adding: { context, _, arguments in
                guard let value = arguments?[0] else { return }
                let type = sqlite3_value_type(value)
                if type == SQLITE_NULL { return }
                guard type == SQLITE_INTEGER else {
                    return sqlite3_result_error_code(context, SQLITE_MISMATCH)
                }
                guard let total = IntegerTotal.of(context, isMade: true) else {
                    return sqlite3_result_error_nomem(context)
                }
                total.pointee.add(sqlite3_value_int64(value))
            },
            finishing: { context in
                guard let total = IntegerTotal.of(context, isMade: false) else {
                    return sqlite3_result_null(context)
                }
                sqlite3_result_double(context, total.pointee.average)
            }
        )
    }

    private static func registerReal(on connection: SQLiteHandle) throws {
        try register(real, of: 1, on: connection) { context, _, arguments in
            guard let bits = arguments?[0], sqlite3_value_type(bits) == SQLITE_INTEGER else {
                return sqlite3_result_null(context)
            }
            let value = Double(bitPattern: UInt64(bitPattern: sqlite3_value_int64(bits)))
            sqlite3_result_double(context, value)
        }
    }

    private static func registerNaturalOrder(on connection: SQLiteHandle) throws {
        try register(naturalOrder, of: 1, on: connection) { context, _, arguments in
            guard let text = arguments?[0], sqlite3_value_type(text) == SQLITE_TEXT else {
                return sqlite3_result_null(context)
            }
            var key: [UInt8] = []
            NaturalOrder.appendKey(of: bytes(of: text), to: &key)
            key.withUnsafeBytes { key in
                if let start = key.baseAddress, !key.isEmpty {
                    sqlite3_result_blob(context, start, Int32(clamping: key.count), transient)
                } else {
                    sqlite3_result_zeroblob(context, 0)
                }
            }
        }
    }

    private static func registerWildcard(on connection: SQLiteHandle) throws {
        try register(wildcard, of: 2, on: connection) { context, _, arguments in
            guard let text = arguments?[0], let pattern = arguments?[1],
                sqlite3_value_type(text) == SQLITE_TEXT,
                sqlite3_value_type(pattern) == SQLITE_TEXT
            else { return sqlite3_result_null(context) }
            let matches = TextMatching.matches(
                bytes(of: text),
                bytes(of: pattern),
                ignoringCase: false
            )
            sqlite3_result_int(context, matches ? 1 : 0)
        }
    }
}

/// What integers add up to.
///
/// The sum is kept in halves, since SQLite aligns memory to eight bytes and an `Int128` wants sixteen.
private struct IntegerTotal {
    var high: Int64
    var low: UInt64
    var count: Int64

    /// Returns the total of a group, which SQLite makes of zeros with the group's first value and frees; nil
    /// where there is none.
    static func of(
        _ context: OpaquePointer?,
        isMade: Bool
    ) -> UnsafeMutablePointer<IntegerTotal>? {
        let size = isMade ? Int32(MemoryLayout<IntegerTotal>.size) : 0
        return sqlite3_aggregate_context(context, size)?
            .assumingMemoryBound(to: IntegerTotal.self)
    }

    mutating func add(_ value: Int64) {
        let (sum, carries) = low.addingReportingOverflow(UInt64(bitPattern: value))
        low = sum
        high += (value < 0 ? -1 : 0) + (carries ? 1 : 0)
        count += 1
    }

    var average: Double { Double(Int128(high) << 64 | Int128(low)) / Double(count) }
}

/// The bytes of a text argument: asked for before their number, as SQLite wants it.
private func bytes(of value: OpaquePointer) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_text(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}
