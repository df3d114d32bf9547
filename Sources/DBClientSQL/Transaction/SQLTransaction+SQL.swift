import DBClientCore

// Raw SQL statements. They are prepared for each call: their text is the caller's, so there is
// no shape to know them by.
extension SQLTransaction {
    func rows(_ sql: SQL, isWriting: Bool) throws -> [SQLRow] {
        let (statement, changesSchema) = try statement(sql, isWriting: isWriting)
        var names = statement.columnNames ?? []
        var rows: [SQLRow] = []
        try run(statement, changesSchema) {
            try statement.values(on: nil) { slots in
                if names.isEmpty { names = statement.columnNames ?? [] }
                rows.append(SQLRow(columnNames: names, values: slots.map { StorageValue($0) }))
                return true
            }
        }
        return rows
    }

    func execute(_ sql: SQL, isWriting: Bool) throws -> Int {
        let (statement, changesSchema) = try statement(sql, isWriting: isWriting)
        return try run(statement, changesSchema) { try statement.execute(on: nil) }
    }

    func fetch<Model: Stored>(
        _ type: Model.Type,
        _ sql: SQL,
        isWriting: Bool
    ) throws -> [Model] {
        let entity = Model.schema.entity
        try entity.validate()
        let (statement, changesSchema) = try statement(sql, isWriting: isWriting)
        var columns =
            try statement.columnNames.map { try self.columns(of: entity, in: $0) } ?? []
        var row = [Slot](repeating: .null, count: entity.fields.count)
        let rows = RowBuffer(entity)
        try run(statement, changesSchema) {
            try statement.values(on: entity) { slots in
                if columns.isEmpty {
                    columns = try self.columns(of: entity, in: statement.columnNames ?? [])
                }
                for (field, column) in columns.enumerated() {
                    row[field] = slots[column]
                    if slots[column].kind == .integer, entity.fields[field].type.slotKind == .real {
                        row[field] = .real(Double(slots[column].integer))
                    }
                }
                row.withUnsafeBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return }
                    let batch = RowBatch(
                        slots: start,
                        columnCount: buffer.count,
                        count: 1,
                        entity: entity
                    )
                    rows.append(copying: batch)
                }
                return true
            }
        }
        return try models(type, of: rows)
    }

    /// Returns where the fields of an entity are among the columns of a result.
    private func columns(of entity: EntitySchema, in names: [String]) throws -> [Int] {
        try entity.fields.map { field in
            guard let index = names.firstIndex(of: field.name) else {
                throw DBClientError(
                    .invalidRequest,
                    "The statement does not select this field.",
                    entity: entity.name,
                    field: field.name
                )
            }
            return index
        }
    }

    /// Returns whether a raw SQL statement may have written since the last call.
    func takeUntrackedWrite() -> Bool {
        defer { hasWrittenUnseen = false }
        return hasWrittenUnseen
    }

    /// Returns a statement, its parameters bound, and whether it may change a table's shape.
    private func statement(_ sql: SQL, isWriting: Bool) throws -> (any SQLStatement, Bool) {
        try enterCall(isOne: false)
        let (text, parameters) = try sql.render(dialect)
        try dialect.checkOwn(text)
        let statement = try prepare(text, for: .raw)
        let description = statement.description
        guard description.parameterCount == parameters.count else {
            throw DBClientError(
                .invalidRequest,
                "The statement has placeholders of its own.",
                hint: "Interpolate the values instead."
            )
        }
        var changesSchema = false
        if !description.isReadOnly {
            guard isWriting else {
                throw DBClientError(
                    .readOnly,
                    "The statement writes, and the transaction only reads."
                )
            }
            try connection.checkTransaction()
            // What it writes is not captured, so no view would follow.
            try hold(nil)
            changesSchema = !text.startsWithRowVerb
            if changesSchema { mayChangeSchema = true }
        }
        if description.mayWrite { hasWrittenUnseen = true }
        let holder = RowParameters(parameters)
        try withExtendedLifetime(holder) { try statement.bind(holder.slots) }
        return (statement, changesSchema)
    }

    /// Runs a statement, forgets the tables if it may have changed them, and refuses what ended the
    /// transaction.
    private func run<Value>(
        _ statement: any SQLStatement,
        _ changesSchema: Bool,
        _ body: () throws -> Value
    ) throws -> Value {
        let value =
            statement.description.sql.leadingWord == "DELETE"
            ? try namingDenial(of: nil, body) : try body()
        if changesSchema { forgetSchema() }
        if connection.hasLostTransaction {
            throw DBClientError(
                .invalidRequest,
                "A statement must not begin or end a transaction.",
                hint: "Use the client's transactions and savepoints."
            )
        }
        return value
    }
}

extension String {
    /// Whether a statement begins with a word that leaves every table's shape as it is.
    fileprivate var startsWithRowVerb: Bool {
        ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "SELECT"].contains(leadingWord)
    }
}

/// Parameters whose bytes live as long as this does.
private final class RowParameters {
    private let buffers: [UnsafeMutableRawBufferPointer]
    let slots: [Slot]

    init(_ values: [StorageValue]) {
        var buffers: [UnsafeMutableRawBufferPointer] = []
        slots = values.map { value in
            value.withSlot { slot in
                guard slot.kind == .text || slot.kind == .data else { return slot }
                let copy = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: slot.bytes.count,
                    alignment: 1
                )
                copy.copyMemory(from: slot.bytes)
                buffers.append(copy)
                let bytes = UnsafeRawBufferPointer(copy)
                return slot.kind == .text ? .text(bytes) : .data(bytes)
            }
        }
        self.buffers = buffers
    }

    deinit {
        for buffer in buffers { buffer.deallocate() }
    }
}
