public import DBClientCore

extension ReadTransaction {
    /// Runs a statement of one's own and returns its rows.
    ///
    /// - Throws: `.unsupported` when the client's engine is not relational, `.readOnly` when the
    ///   statement writes and the transaction may not.
    public func rows(_ sql: SQL) throws -> [SQLRow] {
        try running { try $0.rows(sql, isWriting: self is any WriteTransaction) }
    }

    /// Runs a statement of one's own whose rows are those of a model: a column for each of its
    /// fields, by name, in any order.
    public func fetch<Model: StoredConvertible>(_ type: Model.Type, sql: SQL) throws -> [Model] {
        try running { try Model.conversion(in: self).fetch(sql, in: self, $0) }
    }

    /// Runs a body on the engine's transaction, and tells the observers when it wrote.
    fileprivate func running<Value>(_ body: (SQLTransaction) throws -> Value) throws -> Value {
        guard let transaction = self as? any EngineBackedTransaction,
            let reader = try transaction.storeReader as? SQLTransaction
        else {
            throw DBClientError(
                .unsupported,
                "The client's engine does not speak SQL.",
                hint: "Statements of one's own need an SQLDBClient."
            )
        }
        defer { if reader.takeUnseenWrite() { transaction.noteUnseenWrite() } }
        return try body(reader)
    }
}

extension ModelConversion {
    fileprivate func fetch(
        _ sql: SQL,
        in transaction: any ReadTransaction,
        _ statements: SQLTransaction
    ) throws -> [Model] {
        let shapes = try statements.fetch(
            Shape.self,
            sql,
            isWriting: transaction is any WriteTransaction
        )
        return try models(shapes, in: transaction)
    }
}

extension WriteTransaction {
    /// Runs a statement of one's own and returns how many rows it changed.
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        try running { try $0.execute(sql) }
    }
}

extension SQLDBClient {
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
