public import DBClientCore

extension ReadTransaction {
    /// Runs a statement of one's own and returns its rows.
    ///
    /// - Throws: `.unsupported` when the client's engine is not relational, `.readOnly` when the
    ///   statement writes and the transaction may not.
    public func rows(_ sql: SQL) throws -> [SQLRow] {
        try running(.query, sql) { try $0.rows(sql, isWriting: $1) }
    }

    /// Runs a statement of one's own whose rows are those of a model: a column for each of its
    /// fields, by name, in any order.
    public func fetch<Model: StoredConvertible>(_ type: Model.Type, sql: SQL) throws -> [Model] {
        try running(.query, sql) {
            try Model.conversion(in: self).fetch(sql, in: self, $0, isWriting: $1)
        }
    }

    /// Runs a body on the engine's transaction, told whether it may write, and tells the observers when
    /// it wrote.
    fileprivate func running<Value>(
        _ kind: TransactionCall.Kind,
        _ sql: SQL,
        _ body: (SQLTransaction, Bool) throws -> Value
    ) throws -> Value {
        guard let transaction = self as? any EngineBackedTransaction,
            let reader = try transaction.storeReader as? SQLTransaction
        else { throw refusal }
        defer { if reader.takeUnseenWrite() { transaction.noteUnseenWrite() } }
        let call = TransactionCall(kind, entity: nil, statement: sql.shape)
        return try transaction.intercept(call) { try body(reader, transaction.writesRows) }
    }

    private var refusal: DBClientError {
        if (self as? any EngineBackedTransaction)?.clientType is SQLDBClient.Type {
            return DBClientError(
                .readOnly,
                "A client that checks what is written, or that only reads, runs no statements of one's"
                    + " own in a write.",
                hint: "Run them in a read of its own, or through the client behind it."
            )
        }
        return DBClientError(
            .unsupported,
            "The client's engine does not speak SQL.",
            hint: "Statements of one's own need an SQLDBClient."
        )
    }
}

extension ModelConversion {
    fileprivate func fetch(
        _ sql: SQL,
        in transaction: any ReadTransaction,
        _ statements: SQLTransaction,
        isWriting: Bool
    ) throws -> [Model] {
        let shapes = try statements.fetch(Shape.self, sql, isWriting: isWriting)
        return try models(shapes, in: transaction)
    }
}

extension WriteTransaction {
    /// Runs a statement of one's own and returns how many rows it changed.
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        try running(.execute, sql) { try $0.execute(sql, isWriting: $1) }
    }
}

extension DBClient {
    /// Runs a statement of one's own as a write transaction and returns how many rows it changed.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try await write { try $0.execute(sql) }
    }

    /// Runs a query of one's own on one snapshot and returns its rows.
    public func rows(_ sql: SQL) async throws -> [SQLRow] {
        try await read { try $0.rows(sql) }
    }

    /// Runs a query of one's own whose rows are those of a model.
    public func fetch<Model: StoredConvertible>(
        _ type: Model.Type,
        sql: SQL
    ) async throws -> [Model] {
        try await read { try $0.fetch(type, sql: sql) }
    }
}

extension BlockingDBClient {
    /// Runs a statement of one's own as a write transaction and returns how many rows it changed.
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        try write { try $0.execute(sql) }
    }

    /// Runs a query of one's own on one snapshot and returns its rows.
    public func rows(_ sql: SQL) throws -> [SQLRow] {
        try read { try $0.rows(sql) }
    }

    /// Runs a query of one's own whose rows are those of a model.
    public func fetch<Model: StoredConvertible>(_ type: Model.Type, sql: SQL) throws -> [Model] {
        try read { try $0.fetch(type, sql: sql) }
    }
}
