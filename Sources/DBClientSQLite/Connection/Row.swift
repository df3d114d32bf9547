import DBClientCore
import GRDBSQLite

/// The current row of a statement, as slots that borrow SQLite's bytes until the next step.
struct SQLiteRow {
    private let handle: OpaquePointer
    private let entity: EntitySchema
    private let slots: UnsafeMutablePointer<Slot>
    private let kinds: UnsafePointer<Slot.Kind>
    private let columnCount: Int
    /// The row as a batch of one; what it holds changes with each `fill`.
    let batch: RowBatch

    /// Creates a view of a statement whose columns are the entity's fields.
    @inline(__always)
    init(
        _ handle: OpaquePointer,
        _ entity: EntitySchema,
        _ slots: UnsafeMutablePointer<Slot>,
        _ kinds: UnsafePointer<Slot.Kind>,
        _ columnCount: Int
    ) {
        self.handle = handle
        self.entity = entity
        self.slots = slots
        self.kinds = kinds
        self.columnCount = columnCount
        batch = RowBatch(slots: slots, columnCount: columnCount, count: 1, entity: entity)
    }

    /// Fills the slots, each of its field's kind or null.
    ///
    /// A column is looked up once, as a value; what is asked of the value costs a few instructions,
    /// where `sqlite3_column_…` would look it up again and take a mutex that is not there. Reading such
    /// a value directly is for connections without a mutex, as GRDB opens all, used by one thread at a
    /// time.
    ///
    /// - Throws: `.decoding` where the table holds another kind, which SQLite would convert.
    @inline(__always)
    func fill() throws {
        for column in 0..<columnCount {
            let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
            switch sqlite3_value_type(value) {
            case SQLITE_INTEGER:
                let integer = sqlite3_value_int64(value)
                if kinds[column] == .integer {
                    slots[column] = .integer(integer)
                } else if kinds[column] == .real {
                    // A table of another's making may keep a number without a fraction so.
                    slots[column] = .real(Double(integer))
                } else {
                    throw misfit(.integer, column)
                }
            case SQLITE_TEXT:
                if kinds[column] != .text { throw misfit(.text, column) }
                let bytes = Self.text(value)
                if !bytes.isStoredText { throw Self.malformed(entity, column) }
                slots[column] = .text(bytes)
            case SQLITE_NULL: slots[column] = .null
            case SQLITE_FLOAT:
                if kinds[column] != .real { throw misfit(.real, column) }
                slots[column] = .real(sqlite3_value_double(value))
            default:
                if kinds[column] != .data { throw misfit(.data, column) }
                slots[column] = .data(Self.data(value))
            }
        }
    }

    /// Returns a column of whatever kind is stored.
    static func value(
        _ handle: OpaquePointer,
        _ column: Int32,
        _ entity: EntitySchema?
    ) throws -> Slot {
        let value = sqlite3_column_value(handle, column)
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_NULL: return .null
        case SQLITE_TEXT:
            let bytes = text(value)
            if !bytes.isUTF8 { throw malformed(entity, nil) }
            return .text(bytes)
        default: return .data(data(value))
        }
    }

    /// The text first, its length second: asking for the text may change it.
    @inline(__always)
    private static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_text(value)
        let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    @inline(__always)
    private static func data(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    @inline(never)
    private func misfit(_ kind: Slot.Kind, _ column: Int) -> DBClientError {
        var error = DBClientError.misfit(kind, entity, entity.fields[column])
        error.key = key
        return error
    }

    /// The key of the row in words; nil where the statement does not read every field, or the key is no value either.
    private var key: String? {
        guard columnCount == entity.fields.count else { return nil }
        let values = entity.primaryKey.compactMap { column -> StorageValue? in
            let slot = try? Self.value(handle, Int32(column), entity)
            return slot?.kind == kinds[column] ? slot.map { StorageValue($0) } : nil
        }
        return values.count == entity.primaryKey.count ? entity.describe(key: values) : nil
    }

    @inline(never)
    private static func malformed(_ entity: EntitySchema?, _ column: Int?) -> DBClientError {
        DBClientError(
            .decoding,
            "The stored text is not UTF-8, or has a NUL character.",
            entity: entity?.name,
            field: column.flatMap { entity?.fields[$0].name }
        )
    }
}
