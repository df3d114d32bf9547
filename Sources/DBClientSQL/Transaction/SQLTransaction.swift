public import DBClientCore

/// Reading and writing rows over one connection: the engine's side of every relational client, written
/// once above the driver.
///
/// It lives as long as its connection and is begun and ended many times, so what it prepared stays
/// prepared. Used by one thread at a time; the caller that takes it from a pool owns it until it is
/// returned, which is why it may cross threads.
public final class SQLTransaction: @unchecked Sendable {
    /// Reused memory for keys and rows.
    public let buffers = RowBuffers()
    /// The connection that the transaction runs on.
    public let connection: any SQLConnection
    /// How many statements were prepared, for tests and diagnostics.
    package internal(set) var preparedCount = 0

    let dialect: any SQLDialect
    let traits: SQLTraits
    /// Whether the database calls the functions of the library.
    let hasLibraryFunctions: Bool
    let schemaVersion: SQLSchemaVersion
    @exclusivity(unchecked) var tables = SQLTableCache()
    @exclusivity(unchecked) var shape: QueryShape
    /// The bytes of values that were rounded by the last update.
    let roundedValues = RowBuffer(.constant, columns: [])
    /// The tables with columns that the database has computed anew, by an update of others.
    @exclusivity(unchecked) var recomputedTables: Set<String> = []
    /// The entities of links that do not go with their owners by themselves, whether that may change once the
    /// owners have a table, and whether the table of the links was made here.
    @exclusivity(unchecked) var untiedLinks: [EntitySchema: (mayBeTied: Bool, isNew: Bool)] =
        [:]
    /// The entities of links that had no table.
    @exclusivity(unchecked) var absentLinks: Set<EntitySchema> = []
    /// What joined rows and those of walks are read from, with the tables of their parts.
    @exclusivity(unchecked) var joins: [ObjectIdentifier: (parts: [TableSQL], sql: TableSQL)] = [:]
    /// Whether a raw SQL statement may have changed a table's shape in this transaction.
    var mayChangeSchema = false
    /// Whether a raw SQL statement may have written rows that the change capture did not see.
    var hasWrittenUnseen = false
    /// Whether a read by one call took a second statement, which another snapshot would answer.
    ///
    /// The caller that began it runs it again in a transaction.
    @exclusivity(unchecked) public internal(set) var callTakesStatements = false
    /// The mark that the connection holds, so that it may write rows of which views are kept; nil where that is not known.
    @exclusivity(unchecked) var heldMark: String?? = .some(nil)
    /// The marks that were held when the open savepoints began.
    @exclusivity(unchecked) var marksOfSavepoints: [String??] = []
    /// How far a read by one call has come without a transaction.
    @exclusivity(unchecked) var call = SQLCall.none
    @exclusivity(unchecked) private var statements: [ShapeKey: any SQLStatement] = [:]
    @exclusivity(unchecked) private var seenVersion = 0
    /// The database's number of the tables' shapes from which everything was derived.
    private var schemaNumber: Int64? {
        didSet { connection.noteSchema(schemaNumber) }
    }
    /// Whether the open transaction writes, so that no other connection changes the tables meanwhile.
    @exclusivity(unchecked) private var isWriting = false
    /// Whether another program was found to have changed them since.
    @exclusivity(unchecked) private var hasStaleSchema = false
    /// Whether that was asked for in this transaction.
    @exclusivity(unchecked) private var hasAskedForSchema = false

    /// More statements than this are not kept: an application has some dozens of shapes, and one that
    /// makes them up without end must not fill the memory.
    private static let statementLimit = 256

    /// Creates the transactions of a connection.
    ///
    /// - Parameters:
    ///   - connection: The connection, which nothing else uses from now on.
    ///   - schemaVersion: Shared by the connections to one database.
    public init(_ connection: any SQLConnection, _ schemaVersion: SQLSchemaVersion) {
        self.connection = connection
        self.schemaVersion = schemaVersion
        dialect = connection.dialect
        traits = dialect.traits
        hasLibraryFunctions = traits.naturalOrderFunction != nil
        shape = QueryShape(dialect)
        seenVersion = schemaVersion.current
    }

    /// Begins a transaction that reads one snapshot or writes.
    public func begin(_ kind: SQLTransactionKind) throws {
        if kind == .call && traits.readsWithoutTransaction {
            call = .awaited
            callTakesStatements = false
        } else {
            try connection.begin(kind)
        }
        if schemaVersion.current != seenVersion || hasStaleSchema { forgetSchema() }
        hasAskedForSchema = false
        recomputedTables = []
        heldMark = .some(nil)
        marksOfSavepoints = []
        isWriting = kind == .write
    }

    /// Commits the transaction and makes its writes visible.
    public func commit() throws {
        try connection.commit()
        let hasMadeTables = tables.commit()
        endSchemaChange()
        if hasMadeTables && seenVersion == schemaVersion.current {
            // This connection knows what it made; the others must look again.
            schemaVersion.advance()
            seenVersion = schemaVersion.current
        }
    }

    /// Rolls the transaction back and discards its writes.
    public func rollback() {
        // The number of the tables' shapes is undone as well.
        if tables.rollback() { forgetSchema() }
        if call == .none { connection.rollback() }
        call = .none
        endSchemaChange()
    }

    /// Closes the connection and everything that was prepared on it.
    public func close() {
        forgetSchema()
        connection.close()
    }

    /// Has every connection look at the tables again after indexes were built outside of a transaction.
    package func didBuildIndexes() {
        schemaVersion.advance()
        forgetSchema()
    }

    private func endSchemaChange() {
        guard mayChangeSchema else { return }
        mayChangeSchema = false
        schemaVersion.advance()
        forgetSchema()
    }

    /// Forgets what was derived from the tables as they were.
    public func forgetSchema() {
        seenVersion = schemaVersion.current
        schemaNumber = nil
        hasStaleSchema = false
        tables.removeAll()
        untiedLinks.removeAll()
        absentLinks.removeAll()
        statements.removeAll()
        joins.removeAll()
    }

    /// Forgets what was derived from the tables if another program has changed their shape since, and returns
    /// whether it has: then what failed may succeed.
    public func forgetStaleSchema() -> Bool {
        noteStaleSchema()
        guard hasStaleSchema else { return false }
        forgetSchema()
        return true
    }

    private func noteStaleSchema() {
        guard let schemaNumber, let current = try? connection.schemaNumber() else { return }
        if current != schemaNumber { hasStaleSchema = true }
    }

    /// Throws where a savepoint may have failed for tables that another program has changed.
    ///
    /// They do not change under a transaction that writes, so it asks once.
    func checkSchema() throws {
        if !hasAskedForSchema { noteStaleSchema() }
        hasAskedForSchema = true
        if hasStaleSchema { throw DBClientError.changedTables }
    }

    /// Begins to derive something from the tables as they are.
    ///
    /// - Throws: `.transactionConflict` where what was read in the transaction may have been taken for the tables as
    ///   they were.
    func readSchema() throws {
        guard let current = try connection.schemaNumber() else { return }
        if let schemaNumber, current != schemaNumber {
            guard isWriting else {
                hasStaleSchema = true
                throw DBClientError.changedTables
            }
            forgetSchema()
        }
        schemaNumber = current
    }

    /// Goes on after a change of the tables by this connection.
    func didChangeSchema() throws {
        schemaNumber = try connection.schemaNumber()
    }

    /// Returns the statement of a verb over a query, its parameters bound.
    func statement(
        _ verb: QueryVerb,
        _ query: RowQuery,
        setting assignments: RowAssignments? = nil,
        _ table: TableSQL
    ) throws -> any SQLStatement {
        var query = query
        if isComputedHere(query) { query = try queryByKeys(query) }
        if traits.namesShards, query.isSharded { query = query.namingShards() }
        try shape.read(verb, query, setting: assignments)
        if shape.nesting > 8 {
            query.condition = query.condition.deepestFirst
            try shape.read(verb, query, setting: assignments)
        }
        if !shape.relatedEntities.isEmpty, try lacksTable(of: shape.relatedEntities) {
            query.condition = try query.condition.withoutMissing {
                try self.table(reading: $0) == nil
            }
            if var walk = query.walk {
                walk.passing = try walk.passing.withoutMissing {
                    try self.table(reading: $0) == nil
                }
                query.walk = walk
            }
            // What leads nowhere is nil for every row, and no order.
            query.orderings = try query.orderings.filter { ordering in
                try !ordering.path.contains { try self.table(reading: $0.entity) == nil }
            }
            try shape.read(verb, query, setting: assignments)
        }
        try checkParameterCount(query.entity)
        if let statement = statements[shape.key], !statement.isRunning {
            try statement.bind(shape.parameters)
            return statement
        }
        let related = try shape.relatedEntities.compactMap { try self.table(reading: $0)?.sql }
        let statement = try prepare(
            QueryRenderer.render(verb, query, table, related),
            for: .repeated
        )
        let description = statement.description
        guard description.parameterCount == shape.parameters.count else {
            throw DBClientError(
                .engine,
                "The statement does not fit its parameters.",
                entity: query.entity.name,
                engineMessage: description.sql
            )
        }
        // A statement that runs while another of its shape is wanted stays in the cache.
        if statements[shape.key] == nil {
            if statements.count >= Self.statementLimit { statements.removeAll() }
            statements[shape.key] = statement
        }
        try statement.bind(shape.parameters)
        return statement
    }

    private func checkParameterCount(_ entity: EntitySchema) throws {
        let limit = traits.maximumParameterCount
        if shape.parameters.count <= limit { return }
        throw DBClientError(
            .invalidRequest,
            "A request has at most \(limit) constants in this database.",
            entity: entity.name,
            hint: "The values of isIn, however many, and keys count as a few."
        )
    }

    /// Whether a query has functions of the library that the database does not call, or is sorted by what the library
    /// computes from figures of all rows.
    func isComputedHere(_ query: RowQuery) -> Bool {
        !hasLibraryFunctions && query.usesLibraryFunctions || query.isRanked
    }

    /// Checks the tables of entities and returns whether one is missing.
    private func lacksTable(of entities: [EntitySchema]) throws -> Bool {
        var isMissing = false
        for entity in entities where try table(reading: entity) == nil { isMissing = true }
        return isMissing
    }

    func prepare(_ sql: String, for use: SQLStatementUse) throws -> any SQLStatement {
        preparedCount += 1
        return try connection.prepare(sql, for: use)
    }
}

extension DBClientError {
    /// The error of a transaction that has read tables as they were before another program changed them.
    package static var changedTables: DBClientError {
        DBClientError(
            .transactionConflict,
            "Another program has changed the tables; the transaction is to be repeated."
        )
    }
}
