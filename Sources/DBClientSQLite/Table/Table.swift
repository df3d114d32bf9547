import DBClientCore
import DBClientSQL

/// The verbs on one entity's table: one statement each, bound straight from slots and stepped once
/// for a row.
final class SQLiteTable: SQLTable {
    let sql: TableSQL
    let connection: SQLiteHandle
    let entity: EntitySchema
    private let effects: SQLiteEffects
    /// Whether every field is written with a new row.
    private let writesAll: Bool
    /// Whether the table makes keys, where it has to.
    private let makesKeys: Bool
    /// Whether the rows of a call are known to get keys.
    var hasKeysLeft = false
    @exclusivity(unchecked) private var selecting: SQLiteStatement?
    @exclusivity(unchecked) private var inserting: SQLiteStatement?
    @exclusivity(unchecked) private var insertingIfMissing: SQLiteStatement?
    @exclusivity(unchecked) private var insertingIfAbsent: SQLiteStatement?
    @exclusivity(unchecked) private var updating: SQLiteStatement?
    @exclusivity(unchecked) private var deleting: SQLiteStatement?
    @exclusivity(unchecked) private var finding: SQLiteStatement?
    /// The statements of partial updates, by the fields that they set; the last used comes first.
    @exclusivity(unchecked) private var assigning: [(columns: [Int], statement: SQLiteStatement)] =
        []

    /// More sets of fields than this are not remembered.
    private static let assignmentLimit = 16

    init(
        _ sql: TableSQL,
        _ connection: SQLiteHandle,
        _ effects: SQLiteEffects,
        makesKeys: Bool
    ) {
        self.sql = sql
        self.effects = effects
        self.makesKeys = makesKeys
        writesAll = sql.generated.isEmpty
        self.connection = connection
        entity = sql.entity
    }

    func get(_ keys: RowBatch, _ visit: (Int, RowBatch) throws -> Void) throws {
        let statement = try prepared(&selecting, sql.selectByKey)
        for row in 0..<keys.count {
            for column in 0..<keys.columnCount {
                try statement.bind(keys[row, column], at: Int32(column + 1))
            }
            _ = try statement.visitOne(entity) { try visit(row, $0) }
        }
    }

    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        repeat { try insert(rows) } while try next()
    }

    private func insert(_ rows: RowBuffer) throws {
        if !makesKeys { throw lackOfKeys }
        if makesIntegers { try prepareKeys(of: rows) }
        let statement = try prepared(&inserting, sql.insert)
        let batch = rows.batch
        for row in 0..<batch.count { try insert(row, of: batch, rows, statement) }
    }

    @inline(__always)
    private func insert(
        _ row: Int,
        of batch: RowBatch,
        _ rows: RowBuffer,
        _ statement: SQLiteStatement
    ) throws {
        try bind(row, of: batch, to: statement)
        do {
            try statement.step(on: entity)
        } catch let error as DBClientError {
            throw diagnose(error, row, of: batch)
        }
        if connection.changeCount == 0 { throw ignored(row, of: batch) }
        if makesIntegers { fillKey(row, of: batch, rows) }
    }

    /// Binds the fields of a row that are written.
    @inline(__always)
    private func bind(
        _ row: Int,
        of batch: RowBatch,
        to statement: SQLiteStatement
    ) throws {
        if writesAll {
            for column in 0..<batch.columnCount {
                try statement.bind(batch[row, column], at: Int32(truncatingIfNeeded: column + 1))
            }
            return
        }
        for (index, column) in sql.written.enumerated() {
            try statement.bind(batch[row, column], at: Int32(truncatingIfNeeded: index + 1))
        }
    }

    /// The error of a row that SQLite did not write and did not refuse either.
    @inline(never)
    private func ignored(_ row: Int, of batch: RowBatch) -> DBClientError {
        let isThere =
            !batch[row, entity.primaryKey[0]].isNull && (try? exists(row, of: batch)) == true
        let error =
            isThere
            ? DBClientError(
                .duplicateKey,
                "The primary key exists already.",
                entity: entity.name,
                field: entity.keyName
            ) : Self.ignored(entity)
        return naming(error, row, of: batch, entity.primaryKey)
    }

    private static func ignored(_ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .constraintViolation,
            "The table did not take the change: a trigger of it, or what it does on a conflict, ignored it.",
            entity: entity.name,
            hint: "Look for RAISE(IGNORE) and ON CONFLICT IGNORE in the table's schema."
        )
    }

    private var lackOfKeys: DBClientError {
        DBClientError(
            .schemaMismatch,
            "The table makes no keys: its primary key is not the rowid.",
            entity: entity.name,
            field: entity.keyName,
            hint: "Declare the key's column as INTEGER PRIMARY KEY, with these very words."
        )
    }

    private func fillKey(_ row: Int, of batch: RowBatch, _ rows: RowBuffer) {
        let column = entity.primaryKey[0]
        let key = connection.lastRowID
        noteKey(key)
        if batch[row, column].isNull {
            rows.replace(row: row, column: column, with: .integer(key))
        }
    }

    /// A row may break the primary key and a unique index at once, of which SQLite names either; the
    /// key is what every engine names.
    private func diagnose(
        _ error: DBClientError,
        _ row: Int,
        of batch: RowBatch
    ) -> DBClientError {
        var error = error
        if error.code == .uniqueViolation, (try? exists(row, of: batch)) == true {
            error = DBClientError(
                .duplicateKey,
                "The primary key exists already.",
                entity: entity.name,
                field: entity.keyName,
                engineCode: error.engineCode,
                engineMessage: error.engineMessage
            )
        }
        return naming(error, row, of: batch, entity.primaryKey)
    }

    /// Names the row that was to be written, whose batch has the primary key in some columns, in the error of a key or
    /// a unique value that is taken.
    @inline(never)
    private func naming(
        _ error: DBClientError,
        _ row: Int,
        of batch: RowBatch,
        _ columns: [Int]
    ) -> DBClientError {
        var error = error
        // A key that SQLite was to make is not known.
        if error.code == .duplicateKey || error.code == .uniqueViolation,
            !columns.contains(where: { batch[row, $0].isNull })
        {
            error.key = entity.describe(key: columns.map { StorageValue(batch[row, $0]) })
        }
        return error
    }

    func update(
        _ rows: RowBatch,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        let isWhole = columns.count == sql.values.count
        for row in 0..<rows.count {
            if try isWhole ? update(row, of: rows) : update(row, of: rows, setting: columns) {
                continue
            }
            if try exists(row, of: rows) { throw Self.ignored(entity) }
            try missing(row)
        }
    }

    /// Sets every field but the key's and returns whether the row exists.
    @inline(__always)
    private func update(_ row: Int, of batch: RowBatch) throws -> Bool {
        if sql.values.isEmpty { return try exists(row, of: batch) }
        return try set(sql.values, row, of: batch, prepared(&updating, sql.update(sql.values)))
    }

    @inline(__always)
    private func set(
        _ columns: [Int],
        _ row: Int,
        of batch: RowBatch,
        _ statement: SQLiteStatement
    ) throws -> Bool {
        var index: Int32 = 1
        for column in columns {
            try statement.bind(batch[row, column], at: index)
            index += 1
        }
        try bindKey(row, of: batch, to: statement, from: index)
        do {
            try statement.step(on: entity)
        } catch let error as DBClientError {
            throw naming(error, row, of: batch, entity.primaryKey)
        }
        return connection.changeCount > 0
    }

    private func exists(_ row: Int, of batch: RowBatch) throws -> Bool {
        try exists(row, of: batch, at: entity.primaryKey)
    }

    /// Whether there is a row with the key that is in some columns of a batch's row.
    private func exists(_ row: Int, of batch: RowBatch, at columns: [Int]) throws -> Bool {
        let statement = try prepared(&finding, sql.exists)
        for (offset, column) in columns.enumerated() {
            try statement.bind(batch[row, column], at: Int32(offset + 1))
        }
        var found = false
        try statement.values(on: entity) { _ in
            found = true
            return false
        }
        return found
    }

    @inline(__always)
    private func bindKey(
        _ row: Int,
        of batch: RowBatch,
        to statement: SQLiteStatement,
        from index: Int32
    ) throws {
        for (offset, column) in entity.primaryKey.enumerated() {
            try statement.bind(batch[row, column], at: index + Int32(offset))
        }
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        if !makesKeys { throw lackOfKeys }
        if makesIntegers { try prepareKeys(of: rows) }
        let batch = rows.batch
        // Rows of one call are mostly all new or all known: what the last one was is tried first.
        var expectsInsert = false
        for row in 0..<batch.count {
            let wasInserted: Bool
            if batch[row, entity.primaryKey[0]].isNull {
                let statement = try prepared(&inserting, sql.insert)
                try insert(row, of: batch, rows, statement)
                wasInserted = true
            } else if expectsInsert {
                wasInserted = try insertIfMissing(row, of: batch)
                if !wasInserted, try !update(row, of: batch) { throw Self.ignored(entity) }
            } else if try update(row, of: batch) {
                wasInserted = false
            } else {
                wasInserted = try insertIfMissing(row, of: batch)
                if !wasInserted { throw Self.ignored(entity) }
            }
            expectsInsert = wasInserted
            outcome(row, wasInserted)
        }
    }

    @inline(__always)
    private func insertIfMissing(_ row: Int, of batch: RowBatch) throws -> Bool {
        let statement = try prepared(&insertingIfMissing, sql.insertIfMissing)
        try bind(row, of: batch, to: statement)
        do {
            try statement.step(on: entity)
        } catch let error as DBClientError {
            throw naming(error, row, of: batch, entity.primaryKey)
        }
        let wasInserted = connection.changeCount > 0
        if makesIntegers, wasInserted { noteKey(batch[row, entity.primaryKey[0]].integer) }
        return wasInserted
    }

    func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws -> Bool {
        if !makesKeys { throw lackOfKeys }
        if makesIntegers { try prepareKeys(of: rows) }
        let statement = try prepared(&insertingIfAbsent, sql.insertIfAbsent)
        let batch = rows.batch
        for row in 0..<batch.count {
            try bind(row, of: batch, to: statement)
            try statement.step(on: entity)
            let wasInserted = connection.changeCount > 0
            if makesIntegers, wasInserted { fillKey(row, of: batch, rows) }
            outcome(row, wasInserted)
        }
        return true
    }

    var mayReturnRows: Bool { true }

    func mayInsert(_ columns: [Int], makingKeys: Bool) throws -> Bool {
        if !makesKeys { throw lackOfKeys }
        return try !makingKeys || mayMakeKeys
    }

    func delete(_ keys: RowBatch) throws -> Int {
        let statement = try prepared(&deleting, sql.deleteByKey)
        var count = 0
        for row in 0..<keys.count {
            for column in 0..<keys.columnCount {
                try statement.bind(keys[row, column], at: Int32(column + 1))
            }
            try statement.step(on: entity)
            let deleted = connection.changeCount
            if deleted == 0, try exists(row, of: keys, at: Array(0..<keys.columnCount)) {
                throw Self.ignored(entity)
            }
            count += deleted
        }
        return count
    }

    /// Sets some fields and returns whether the row exists.
    private func update(_ row: Int, of batch: RowBatch, setting columns: [Int]) throws -> Bool {
        try set(columns, row, of: batch, assigning(columns))
    }

    private func assigning(_ columns: [Int]) throws -> SQLiteStatement {
        if let first = assigning.first, first.columns == columns {
            first.statement.noteEffects()
            return first.statement
        }
        if let index = assigning.firstIndex(where: { $0.columns == columns }) {
            assigning.swapAt(0, index)
            assigning[0].statement.noteEffects()
            return assigning[0].statement
        }
        let statement = try SQLiteStatement(connection, sql.update(columns), effects)
        statement.noteEffects()
        if assigning.count == Self.assignmentLimit { assigning.removeLast() }
        assigning.insert((columns, statement), at: 0)
        return statement
    }

    /// Returns a kept statement, prepared when it is first asked for, or another one while the kept
    /// one runs.
    @inline(__always)
    private func prepared(
        _ kept: inout SQLiteStatement?,
        _ text: @autoclosure () -> String
    ) throws -> SQLiteStatement {
        if let statement = kept, !statement.isRunning {
            statement.noteEffects()
            return statement
        }
        let statement = try SQLiteStatement(connection, text(), effects)
        statement.noteEffects()
        if kept == nil { kept = statement }
        return statement
    }
}
