import DBClientCore
import DBClientSQL
import GRDBSQLite

/// A statement over SQLite's own handle: binding from slots and filling slots without a copy.
final class SQLiteStatement: SQLStatement {
    private let sql: String
    let handle: OpaquePointer
    private let connection: SQLiteHandle
    private(set) var isRunning = false
    private let slots: UnsafeMutablePointer<Slot>
    private let columnCount: Int
    /// The kinds of the fields that the columns carry, once the entity is known.
    private var kinds: UnsafeMutablePointer<Slot.Kind>?
    /// How many rows the last two queries found that were read to their ends.
    private var foundCounts = (0, 0)
    /// What the statement writes beside its own table, if it does.
    private let effects: (log: SQLiteEffects, tables: Set<String>)?
    /// What notices that the tables were changed since the statement was made; none for one of the tables themselves.
    private let schema: SQLiteSchemaWatch?
    /// What finds pages of an encrypted file that were damaged; none for a statement of the tables themselves.
    private let proof: SQLitePageProof?
    /// How often SQLite had prepared the statement again when it was last found to be for the tables as they are.
    private var repreparedCount: Int32 = 0

    /// Prepares a statement.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - sql: The text.
    ///   - effects: Where runs of the statement note what they write beside their table.
    /// - Throws: `.invalidRequest` when the text is not exactly one statement.
    init(_ connection: SQLiteHandle, _ sql: String, _ effects: SQLiteEffects? = nil) throws {
        let handle: OpaquePointer
        if let effects {
            let tables: Set<String>
            (handle, tables) = try effects.preparing(on: connection) {
                try Self.prepare(connection, sql)
            }
            self.effects = tables.isEmpty ? nil : (effects, tables)
        } else {
            handle = try Self.prepare(connection, sql)
            self.effects = nil
        }
        self.sql = sql
        self.connection = connection
        self.handle = handle
        schema = effects?.schema
        proof = effects?.proof
        columnCount = Int(sqlite3_column_count(handle))
        slots = .allocate(capacity: max(columnCount, 1))
    }

    private static func prepare(_ connection: SQLiteHandle, _ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        var isAlone = true
        var text = sql
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    connection.pointer,
                    text.baseAddress,
                    Int32(text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &statement,
                    &tail
                )
                if let tail, let start = text.baseAddress {
                    isAlone = text[(tail - start)...].allSatisfy {
                        [0x20, 0x09, 0x0A, 0x0D, 0x3B].contains($0)
                    }
                }
                return code
            }
        }
        guard code == SQLITE_OK else { throw SQLiteError.preparing(code, connection) }
        guard let statement, isAlone else {
            sqlite3_finalize(statement)
            throw DBClientError(.invalidRequest, "The text is not exactly one statement.")
        }
        return statement
    }

    /// Notes that the tables may be written which the statement writes beside its own.
    @inline(__always)
    func noteEffects() {
        if let effects { effects.log.note(effects.tables) }
    }

    deinit {
        sqlite3_finalize(handle)
        slots.deallocate()
        kinds?.deallocate()
    }

    private var writesRows: Bool {
        ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(sql.leadingWord)
    }

    var description: SQLStatementDescription {
        SQLStatementDescription(
            sql: sql,
            parameterCount: Int(sqlite3_bind_parameter_count(handle)),
            isReadOnly: isReadOnly
        )
    }

    private var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    var columnNames: [String]? { names }

    /// The names of the columns of a result, which SQLite knows from the beginning.
    var names: [String] {
        (0..<sqlite3_column_count(handle)).map { column in
            sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
        }
    }

    func bind(_ parameters: [Slot]) throws {
        for (index, slot) in parameters.enumerated() {
            try bind(slot, at: Int32(index + 1), copying: true)
        }
    }

    /// Binds one parameter, without a copy when the slot's bytes outlive the statement's run.
    @inline(__always)
    func bind(_ slot: Slot, at index: Int32, copying: Bool = false) throws {
        let code: Int32
        switch slot.kind {
        case .integer: code = sqlite3_bind_int64(handle, index, slot.integer)
        case .null: code = sqlite3_bind_null(handle, index)
        case .real: code = sqlite3_bind_double(handle, index, slot.real)
        case .text:
            // An empty text needs an address, or it would be null.
            let start = slot.bytes.baseAddress ?? emptyBytes
            code = sqlite3_bind_text(
                handle,
                index,
                start.assumingMemoryBound(to: CChar.self),
                Int32(truncatingIfNeeded: slot.length),
                copying ? transient : nil
            )
        case .data:
            code = sqlite3_bind_blob(
                handle,
                index,
                slot.bytes.baseAddress ?? emptyBytes,
                Int32(truncatingIfNeeded: slot.length),
                copying ? transient : nil
            )
        }
        if code != SQLITE_OK { throw SQLiteError.make(code, connection) }
    }

    /// Runs the statement to its end, leaving its rows unread.
    @inline(__always)
    func step(on entity: EntitySchema?) throws {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW || code == SQLITE_DONE {
            sqlite3_reset(handle)
            return
        }
        throw failure(code, on: entity)
    }

    func execute(on entity: EntitySchema?) throws -> Int {
        noteEffects()
        var code = sqlite3_step(handle)
        // The rows of a RETURNING clause are not wanted, the writes before them are.
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else { throw failure(code, on: entity) }
        let isReadOnly = isReadOnly
        sqlite3_reset(handle)
        // What defines something leaves the count of the statement before.
        return isReadOnly || entity == nil && !writesRows ? 0 : connection.changeCount
    }

    func write(_ entity: EntitySchema, returning visit: (RowBatch) throws -> Void) throws {
        noteEffects()
        try query(entity, forCaller: false) { batch in
            try visit(batch)
            return true
        }
    }

    func query(
        _ entity: EntitySchema,
        forCaller: Bool,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        let row = row(of: entity)
        isRunning = true
        defer { end() }
        var count = 0
        guard try first(entity) else {
            try proof?.check()
            return didFind(0)
        }
        var batch = row.batch
        batch.expectedCount = likelyCount
        repeat {
            try fill(row)
            if proof != nil { try proveRow() }
            if try !visit(batch) {
                try proof?.check()
                return
            }
            batch.expectedCount = 0
            count += 1
        } while try next(entity)
        try proof?.check()
        didFind(count)
    }

    /// How many rows a query is likely to find: as many as twice before, and a few more, since an array that
    /// turns out too small is copied.
    private var likelyCount: Int {
        let count = min(foundCounts.0, foundCounts.1)
        return count + count / 8
    }

    private func didFind(_ count: Int) {
        foundCounts = (foundCounts.1, count)
    }

    func values(
        on entity: EntitySchema?,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Bool
    ) throws {
        isRunning = true
        defer { end() }
        guard try first(entity) else {
            try proof?.check()
            return
        }
        repeat {
            do {
                for column in 0..<columnCount {
                    slots[column] = try SQLiteRow.value(handle, Int32(column), entity)
                }
            } catch {
                try proof?.check()
                throw error
            }
            if proof != nil { try proveRow() }
            if try !visit(UnsafeBufferPointer(start: slots, count: columnCount)) { break }
        } while try next(entity)
        try proof?.check()
    }

    /// Fills the slots.
    ///
    /// What does not fit its field may be the zeros of a damaged page.
    @inline(__always)
    private func fill(_ row: SQLiteRow) throws {
        do {
            try row.fill()
        } catch {
            try proof?.check()
            throw error
        }
    }

    /// Checks the pages that a row was read from, where it is so long that its end may have one of its own.
    private func proveRow() throws {
        var length = 0
        for column in 0..<columnCount
        where slots[column].kind == .text || slots[column].kind == .data {
            length += Int(slots[column].length)
        }
        if length >= SQLitePageProof.longRow { try proof?.check() }
    }

    /// Visits the one row that the statement finds, if any, and returns whether it did.
    @inline(__always)
    func visitOne(_ entity: EntitySchema, _ visit: (RowBatch) throws -> Void) throws -> Bool {
        isRunning = true
        defer { end() }
        guard try first(entity) else {
            try proof?.check()
            return false
        }
        let row = row(of: entity)
        try fill(row)
        try proof?.check()
        try visit(row.batch)
        return true
    }

    @inline(__always)
    private func row(of entity: EntitySchema) -> SQLiteRow {
        SQLiteRow(handle, entity, slots, UnsafePointer(kinds ?? makeKinds(entity)), columnCount)
    }

    private func makeKinds(_ entity: EntitySchema) -> UnsafeMutablePointer<Slot.Kind> {
        let kinds = UnsafeMutablePointer<Slot.Kind>.allocate(capacity: max(columnCount, 1))
        for column in 0..<columnCount {
            (kinds + column).initialize(to: entity.fields[column].type.slotKind)
        }
        self.kinds = kinds
        return kinds
    }

    /// Steps to the first row, and returns whether there is one.
    ///
    /// Checks the shapes of the tables where SQLite has prepared the statement anew.
    @inline(__always)
    private func first(_ entity: EntitySchema?) throws -> Bool {
        let isFound = try next(entity)
        let count = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        if count != repreparedCount { try checkSchema(count) }
        return isFound
    }

    @inline(never)
    private func checkSchema(_ count: Int32) throws {
        try schema?.check(connection)
        repreparedCount = count
    }

    /// Steps to the next row, and returns whether there is one.
    @inline(__always)
    private func next(_ entity: EntitySchema?) throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code, on: entity)
    }

    private func end() {
        sqlite3_reset(handle)
        isRunning = false
    }

    private func failure(_ code: Int32, on entity: EntitySchema?) -> DBClientError {
        let error = SQLiteError.make(code, connection, on: entity)
        sqlite3_reset(handle)
        return error
    }
}

/// Tells SQLite to copy what is bound.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// An address for values without bytes.
private nonisolated(unsafe) let emptyBytes = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
)
