public import DBClientCore

extension ReadCalls {
    /// Runs a raw SQL query on one snapshot and returns its rows.
    ///
    /// - Throws: `.unsupported` when the client's engine is not relational, `.readOnly` when the
    ///   statement writes and the transaction may not.
    public func rows(_ sql: SQL) throws -> [SQLRow] {
        try reading(asOneCall: false) { transaction in
            try transaction.running(.query, sql) { try $0.rows(sql, isWriting: $1) }
        }
    }

    /// Runs a raw SQL query and decodes its rows as models: it must return a column for each field, by name, in
    /// any order.
    public func fetch<Model: StoredConvertible>(_ type: Model.Type, sql: SQL) throws -> [Model] {
        try reading(asOneCall: false) { transaction in
            try transaction.running(.query, sql) {
                try Model.mapping(in: transaction).fetch(sql, in: transaction, $0, isWriting: $1)
            }
        }
    }
}

extension WriteCalls {
    /// Runs a raw SQL statement and returns how many rows it changed.
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        try writing(asOneCall: false) { transaction in
            try transaction.running(.execute, sql) { try $0.execute(sql, isWriting: $1) }
        }
    }
}

extension ReadTransaction {
    /// Runs a body on the engine's transaction, with whether it may write, and notifies the observers when
    /// it wrote.
    fileprivate func running<Value>(
        _ kind: TransactionCall.Kind,
        _ sql: SQL,
        _ body: (SQLTransaction, Bool) throws -> Value
    ) throws -> Value {
        guard clientType is SQLDBClient.Type else {
            throw DBClientError(
                .unsupported,
                "The client's engine does not speak SQL.",
                hint: "Statements of one's own need an SQLDBClient."
            )
        }
        guard writesRows || !isPartOfWrite, let reader = try storeReader as? SQLTransaction else {
            throw DBClientError(
                .readOnly,
                "A client that checks what is written, or that only reads, runs no statements of one's"
                    + " own in a write.",
                hint: "Run them in a read of its own, or through the client behind it."
            )
        }
        defer { if reader.takeUntrackedWrite() { noteUntrackedWrite() } }
        return try intercept(TransactionCall(kind, entity: nil, statement: sql.shape)) {
            try body(reader, writesRows)
        }
    }
}

extension ModelMapping {
    fileprivate func fetch(
        _ sql: SQL,
        in transaction: ReadTransaction,
        _ statements: SQLTransaction,
        isWriting: Bool
    ) throws -> [Model] {
        let shapes = try statements.fetch(Shape.self, sql, isWriting: isWriting)
        return try models(shapes, in: transaction)
    }
}

extension DBClient {
    /// Runs a raw SQL statement as a write transaction and returns how many rows it changed.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try await write { try $0.execute(sql) }
    }

    /// Runs a raw SQL query on one snapshot and returns its rows.
    public func rows(_ sql: SQL) async throws -> [SQLRow] {
        try await read { try $0.rows(sql) }
    }

    /// Runs a raw SQL query and decodes its rows as models.
    public func fetch<Model: StoredConvertible>(
        _ type: Model.Type,
        sql: SQL
    ) async throws -> [Model] {
        try await read { try $0.fetch(type, sql: sql) }
    }
}
