// Many rows by stored names, such as those of a file, in constant memory.
extension WriteCalls {
    /// Inserts the rows that a function returns, until it returns nil, and returns how many there were.
    ///
    /// As much is in memory as some hundred rows take. A row may refer to one that comes later, of any entity: what
    /// the rows refer to is checked at the end, on all rows of the entities that were written to. Links of to-many
    /// relationships are inserted as rows of ``RelationshipSchema/link``; what those refer to is not checked.
    ///
    /// - Parameter next: Returns the next row; nil after the last one. What it throws undoes the call.
    /// - Returns: The number of rows.
    /// - Throws: `.duplicateKey`, `.uniqueViolation`, `.danglingReference`; nothing of the call is then written.
    @discardableResult
    public func insert(from next: () throws -> DynamicRow?) throws -> Int {
        try writing(asOneCall: false) { transaction in
            let writer = try transaction.rowWriter()
            let registry = transaction.registry
            defer { transaction.openContext?.noteWrite() }
            do {
                return try writer.atomically(2) {
                    var insertion = StreamedInsertion(transaction, writer, registry)
                    while let row = try next() { try insertion.add(row) }
                    return try insertion.end()
                }
            } catch {
                registry.forget()
                throw error
            }
        }
    }
}

/// Rows that are gathered, written together and checked at the end.
private struct StreamedInsertion {
    private let transaction: WriteTransaction
    private let writer: any EngineWriter
    private let registry: RelationshipRegistry
    private var rows: RowBuffer?
    private var count = 0
    /// The entities whose rows refer to others.
    private var referring: [EntitySchema] = []

    private static let rowLimit = 512

    init(
        _ transaction: WriteTransaction,
        _ writer: any EngineWriter,
        _ registry: RelationshipRegistry
    ) {
        self.transaction = transaction
        self.writer = writer
        self.registry = registry
    }

    mutating func add(_ row: DynamicRow) throws {
        let entity = row.entity
        if rows?.entity !== entity || rows?.count == Self.rowLimit {
            try flush()
            if rows?.entity !== entity {
                try entity.validate()
                try entity.requireStored()
                // Links are known with their owner.
                if entity.linkOwner == nil { try registry.register(entity, with: writer) }
                if !entity.isFlat, !referring.contains(entity) { referring.append(entity) }
                rows = RowBuffer(entity)
            }
        }
        guard let rows else { return }
        try row.write(to: rows)
        count += 1
    }

    mutating func end() throws -> Int {
        try flush()
        for entity in referring {
            var pages = RowPages(of: entity, in: transaction)
            let rows = RowBuffer(entity)
            while try pages.next(into: rows) {
                try transaction.checkNotCancelled()
                try entity.check(rows, with: writer, registry)
            }
        }
        return count
    }

    private func flush() throws {
        guard let rows, rows.count > 0 else { return }
        try transaction.checkNotCancelled()
        rows.fillGeneratedKeys()
        try rows.checkKeyLengths()
        try transaction.intercept(.on(rows.entity, .insert, rows.count)) {
            try writer.insert(rows)
        }
        rows.removeAll()
    }
}
