import DBClientCore
import DBClientSQL

/// The verbs on one entity's table.
///
/// A few rows are a prepared statement for each, sent together. Many rows are copied: straight into the table where
/// they are new, and through a temporary table where they may replace existing ones. Fields of existing rows are sent
/// as lists, one a field.
final class PostgreSQLTable: SQLTable {
    let sql: TableSQL
    let entity: EntitySchema
    /// The types of the fields' columns.
    let types: [ServerType]
    /// What the table may do with a write beside what it says.
    let traits: TableTraits
    /// Whether the rows are in partitions.
    let isPartitioned: Bool
    /// Whether each partition keeps the key unique by itself, and no index of the table does.
    let isSharded: Bool
    unowned let connection: PostgreSQLConnection
    var statements: [Verb: PostgreSQLStatement] = [:]
    /// Whether the role may not read the system column by which the server says what an upsert has done, as one with a
    /// right to some columns alone.
    var hidesRowMarks = false
    /// Whether the role may not lock the table, as one with a right to some columns alone.
    var refusesLocks = false
    /// How many rows are sent at once: until the server has refused it for the table.
    var bulk = Bulk.copies
    /// Whether the server takes keys for two that are one to the library: several fields, one of which is a UUID that a
    /// text has in lower or in upper case.
    private(set) lazy var mayRespellKeys =
        entity.primaryKey.count > 1
        && entity.primaryKey.contains { isSpelled($0) }
    /// The unique indexes beside the key of which the server takes rows for two that are one to the library: several
    /// fields, one of which is a UUID that a text has in lower or in upper case.
    private(set) lazy var spelledIndexes = entity.indexes
        .filter { $0.isUnique && $0.fields.count > 1 && $0.fields.contains { isSpelled($0) } }
        .map(\.fields)
        .filter { Set($0) != Set(entity.primaryKey) }
    /// The fields of the key and of unique indexes of which the server takes two spellings of one UUID for two values.
    private(set) lazy var spelledFields = Set(
        ([entity.primaryKey] + entity.indexes.filter(\.isUnique).map(\.fields))
            .filter { $0.contains { isSpelled($0) } }
            .joined()
    )
    /// Fields of which the server is known to have no unique index, though the model has.
    var keysWithoutIndex = Set<[Int]>()
    /// The largest key that the store's sequence is known to be past.
    var sequenceValue = Int64.min

    /// The statements that a table keeps.
    enum Verb: Hashable {
        case select, selectMany, insert, insertGenerated, upsert, update, delete, deleteMany
        case exists, existsElsewhere
        case insertMany(isPartial: Bool)
        case insertAbsent, insertAbsentGenerated, insertAbsentMany
        case upsertBy([Int])
        case upsertGeneratedBy([Int])
        case assign([Int])
        case assignMany([Int], tellsRows: Bool)
        case otherSpelling(index: [Int], setting: [Int]?)

        /// Whether it inserts what lists have.
        var isOfManyNewRows: Bool { if case .insertMany = self { true } else { false } }
    }

    init(
        _ sql: TableSQL,
        _ types: [ServerType],
        _ traits: TableTraits,
        isPartitioned: Bool,
        isSharded: Bool,
        _ connection: PostgreSQLConnection
    ) {
        self.sql = sql
        self.types = types
        self.traits = traits
        self.isPartitioned = isPartitioned
        self.isSharded = isSharded
        self.connection = connection
        entity = sql.entity
    }

    /// Returns a kept statement, prepared when it is first asked for.
    func statement(
        _ verb: Verb,
        _ text: @autoclosure () -> String
    ) throws -> PostgreSQLStatement {
        if let statement = statements[verb] { return statement }
        let statement = try connection.statement(text(), isKept: true)
        statement.isReading = verb != .insert && verb != .insertGenerated && !verb.isOfManyNewRows
        statements[verb] = statement
        return statement
    }

    /// Returns a kept statement that writes some fields, of which there may be many.
    func assigning(
        _ verb: Verb,
        _ text: @autoclosure () -> String
    ) throws -> PostgreSQLStatement {
        if statements.count > 64 { statements.removeAll() }
        return try statement(verb, text())
    }

    // MARK: Reading

    func get(_ keys: RowBatch, _ visit: (Int, RowBatch) throws -> Void) throws {
        if keys.count > 1 { return try getMany(keys, visit) }
        guard keys.count == 1 else { return }
        let statement = try statement(.select, sql.selectByKey)
        try bind(key: keys, to: statement)
        let result = try statement.run(on: entity)
        defer { withExtendedLifetime(result) {} }
        guard result.rowCount > 0 else { return }
        statement.row.begin(entity)
        try visit(0, statement.row.batch(result.handle, 0, of: entity))
    }

    /// Finds all keys by one statement, which numbers them.
    private func getMany(_ keys: RowBatch, _ visit: (Int, RowBatch) throws -> Void) throws {
        let statement = try statement(.selectMany, selectMany)
        try bindLists(of: keys, keys.columnRange, entity.primaryKey, to: statement)
        defer { statement.parameters.releaseCopies() }
        let result = try statement.run(on: entity)
        defer { withExtendedLifetime(result) {} }
        let row = statement.row
        row.begin(entity)
        for index in 0..<result.rowCount {
            let number = try row.value(result.handle, index, entity.fields.count).integer
            try visit(Int(number) - 1, row.batch(result.handle, index, of: entity))
        }
    }

    /// Sets a statement's parameters, from one on, to a key.
    @inline(__always)
    private func bind(key: RowBatch, to statement: PostgreSQLStatement, at first: Int = 0) throws {
        if first == 0 { statement.parameters.releaseCopies() }
        for column in 0..<key.columnCount {
            try statement.parameters.set(key[0, column], at: first + column)
        }
    }

    /// Sets a statement's parameters to the lists of the values of columns, which are those of fields.
    ///
    /// The lists take memory until they are released.
    func bindLists(
        of rows: RowBatch,
        _ columns: some Sequence<Int>,
        _ fields: [Int],
        to statement: PostgreSQLStatement
    ) throws {
        statement.parameters.releaseCopies()
        for (index, (column, field)) in zip(columns, fields).enumerated() {
            try naming(field) { try statement.parameters.setList(rows, column, at: index) }
        }
    }

    // MARK: Writing single rows

    private func insert(_ rows: RowBuffer) throws {
        let keyColumn = entity.hasKeysOfServer ? entity.integerKey : nil
        var makesKeys = false
        if let keyColumn { makesKeys = try fillKeys(of: rows, keyColumn) }
        let batch = rows.batch
        try willInsert(batch)
        if mayRespellKeys { try checkSpellings(of: batch) }
        if !spelledIndexes.isEmpty { try checkIndexSpellings(of: batch) }
        if isLarge(batch.count) {
            return try makingKeysAgain(makesKeys) { try insertMany(rows, batch) }
        }
        if try insertTogether(rows, batch, keyColumn) { return }
        for row in 0..<batch.count {
            if let keyColumn, batch[row, keyColumn].isNull {
                try insertGenerated(row, of: batch, rows, keyColumn)
            } else {
                try insert(row, of: batch)
            }
        }
    }

    /// Inserts a row with its key.
    func insert(_ row: Int, of batch: RowBatch) throws {
        let statement = try statement(.insert, sql.insert)
        try bind(row, of: batch, sql.written, to: statement)
        do {
            let result = try statement.run(on: entity)
            if traits.mayIgnore, result.changedCount == 0 { try checkInserted(row, of: batch) }
        } catch let error as DBClientError {
            throw named(error, row, of: batch)
        }
    }

    func willInsert(_ rows: RowBatch) throws {
        noteWrite(.insert)
        if traits.hasLengths { try checkLengths(of: rows, sql.written) }
        if !spelledFields.isEmpty { try connection.requireSerializability() }
    }

    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        // Rows that are left out are looked for while the buffer has them.
        guard isLarge(rows.count), copies, !entity.hasKeysOfServer, !traits.mayIgnore,
            !traits.hasLengths,
            sql.forms.allSatisfy({ $0.stored == "#" })
        else {
            repeat { try insert(rows) } while try next()
            return
        }
        noteWrite(.insert)
        try copy(rows, thenThoseOf: next)
    }

    /// Inserts a row whose key the server makes, and fills it in.
    func insertGenerated(
        _ row: Int,
        of batch: RowBatch,
        _ rows: RowBuffer,
        _ keyColumn: Int
    ) throws {
        let statement = try statement(.insertGenerated, insertGenerated)
        try bind(row, of: batch, sql.values, to: statement)
        let result = try makingKeysAgain { try statement.run(on: entity) }
        defer { withExtendedLifetime(result) {} }
        guard result.rowCount > 0 else { throw ignored }
        let key = try statement.row.value(result.handle, 0, 0)
        noteMade(key.integer)
        rows.replace(row: row, column: keyColumn, with: key)
    }

    func update(
        _ rows: RowBatch,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        noteWrite(.update)
        if traits.hasLengths { try checkLengths(of: rows, columns) }
        try willSpell(columns)
        if !mayAssign(columns) { return try updateSpelled(rows, setting: columns, missing) }
        guard columns.count == sql.values.count else {
            if isLarge(rows.count) { return try updateMany(rows, setting: columns, missing) }
            for row in 0..<rows.count where try !update(row, of: rows, setting: columns) {
                try missing(row)
            }
            return
        }
        if isLarge(rows.count) { return try updateMany(rows, missing) }
        if try updateTogether(rows, missing) { return }
        for row in 0..<rows.count where try !update(row, of: rows) { try missing(row) }
    }

    /// Sets some fields and returns whether the row exists.
    func update(_ row: Int, of batch: RowBatch, setting columns: [Int]) throws -> Bool {
        let statement = try assigning(.assign(columns), sql.update(columns))
        try bind(row, of: batch, columns, to: statement)
        var index = columns.count
        for column in entity.primaryKey {
            try statement.parameters.set(batch[row, column], at: index)
            index += 1
        }
        if try statement.execute(on: entity) > 0 { return true }
        try checkMissing(row, of: batch, entity.primaryKey)
        return false
    }

    /// Sets every field but the key's and returns whether the row exists.
    func update(_ row: Int, of batch: RowBatch) throws -> Bool {
        // A row of nothing but its key is only looked for.
        let statement = try statement(
            .update,
            sql.values.isEmpty ? sql.exists : sql.update(sql.values)
        )
        try bind(row, of: batch, sql.values + entity.primaryKey, to: statement)
        let result = try statement.run(on: entity)
        if sql.values.isEmpty { return result.rowCount > 0 }
        if result.changedCount > 0 { return true }
        try checkMissing(row, of: batch, entity.primaryKey)
        return false
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        let keyColumn = entity.hasKeysOfServer ? entity.integerKey : nil
        var made = Set<Int>()
        if let keyColumn {
            let batch = rows.batch
            for row in 0..<batch.count where batch[row, keyColumn].isNull { made.insert(row) }
            _ = try fillKeys(of: rows, keyColumn)
        }
        let batch = rows.batch
        try willInsert(batch)
        noteWrite(.update)
        guard upsertsAtOnce, usesTemporaryTable || !isLarge(batch.count) else {
            return try upsertInSteps(rows, batch, making: made, outcome)
        }
        if isLarge(batch.count) { return try upsertMany(batch, making: made, outcome) }
        if try made.isEmpty && upsertTogether(batch, outcome) { return }
        for row in 0..<batch.count {
            if let keyColumn, made.contains(row), batch[row, keyColumn].isNull {
                try insertGenerated(row, of: batch, rows, keyColumn)
                outcome(row, true)
                continue
            }
            try usingConflictClause {
                let statement = try statement(.upsert, upsert)
                try bind(row, of: batch, sql.written, to: statement)
                outcome(row, try wasInserted(row, of: batch, statement.run(on: entity), statement))
            }
        }
    }

    /// Returns whether a row was inserted, by the result of its upsert.
    func wasInserted(
        _ row: Int,
        of batch: RowBatch,
        _ result: Result,
        _ statement: PostgreSQLStatement
    ) throws -> Bool {
        if result.rowCount == 0 {
            try checkInserted(row, of: batch)
            return true
        }
        return try statement.row.value(result.handle, 0, 0).integer != 0
    }

    func delete(_ keys: RowBatch) throws -> Int {
        noteWrite(.delete)
        let isSingle = keys.count == 1
        let statement =
            try isSingle
            ? statement(.delete, sql.deleteByKey) : statement(.deleteMany, deleteMany)
        if isSingle {
            try bind(key: keys, to: statement)
        } else {
            try bindLists(of: keys, keys.columnRange, entity.primaryKey, to: statement)
        }
        defer { statement.parameters.releaseCopies() }
        let count = try statement.execute(on: entity)
        if traits.mayIgnore, count < keys.count {
            for row in 0..<keys.count { try checkMissing(row, of: keys, Array(keys.columnRange)) }
        }
        return count
    }

    /// Sets a statement's parameters to columns of a row, whose bytes are borrowed.
    @inline(__always)
    func bind(
        _ row: Int,
        of batch: RowBatch,
        _ columns: some Sequence<Int>,
        to statement: PostgreSQLStatement
    ) throws {
        statement.parameters.releaseCopies()
        var index = 0
        for column in columns {
            try naming(column) { try statement.parameters.set(batch[row, column], at: index) }
            index += 1
        }
    }

    /// Adds the field to an error about its value.
    @inline(__always)
    private func naming(_ field: Int, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch var error as DBClientError {
            error.entity = entity.name
            error.field = entity.fields[field].name
            throw error
        }
    }

    /// Adds the key to an error that says it exists.
    func named(
        _ error: DBClientError,
        _ row: Int,
        of batch: RowBatch
    ) -> DBClientError {
        guard error.code == .duplicateKey else { return error }
        var error = error
        error.key = entity.describe(
            key: entity.primaryKey.map { StorageValue(batch[row, $0]) }
        )
        return error
    }
}

extension RowBatch {
    /// The positions of all columns of the batch.
    var columnRange: Range<Int> { 0..<columnCount }
}

extension EntitySchema {
    /// Whether the server makes keys of new rows, for all of a buffer at once.
    fileprivate var hasKeysOfServer: Bool { keyGeneration == .generated && integerKey != nil }
}

extension PostgreSQLConnection {
    func hints(for entity: EntitySchema) -> EngineHints {
        EngineHints(rowsOfInsert: entity.hasKeysOfServer ? nil : 1_024, updatesTogether: true)
    }
}
