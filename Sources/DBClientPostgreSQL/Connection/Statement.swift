import CLibPQ
import DBClientCore
import DBClientSQL

/// A statement whose parameters and columns the server has described.
final class PostgreSQLStatement: SQLStatement {
    let sql: String
    let parameters: Parameters
    private(set) var row: Row
    /// The names of the columns, which a result has where the server has described none.
    private(set) var columnNames: [String]?
    private(set) var isRunning = false
    private unowned let connection: PostgreSQLConnection
    /// The name on the server; empty for a statement that is sent as a whole each time.
    private let name: String

    /// Whether the statement was made for an earlier call and may be outdated.
    private let isKept: Bool
    /// Whether the server parses the unnamed statement each time, perhaps for other columns than it
    /// described.
    private let isReadAnew: Bool
    /// Whether the unit of work learns of stored rows by it.
    var isReading = false
    private let released: ReleasedNames

    init(
        _ connection: PostgreSQLConnection,
        _ sql: String,
        _ name: String,
        isKept: Bool,
        _ description: Result
    ) {
        self.connection = connection
        self.isKept = isKept
        isReadAnew = isKept && name.isEmpty
        released = connection.released
        self.sql = sql
        self.name = name
        defer { withExtendedLifetime(description) {} }
        let result = description.handle
        parameters = Parameters((0..<PQnparams(result)).map { PQparamtype(result, $0) })
        row = Row(of: result)
        columnNames = Row.columnNames(of: result)
    }

    /// Creates a statement of which the server has reported the parameters' types alone.
    init(
        _ connection: PostgreSQLConnection,
        _ sql: String,
        _ name: String,
        isKept: Bool,
        _ types: [Oid]
    ) {
        self.connection = connection
        self.isKept = isKept
        isReadAnew = isKept && name.isEmpty
        released = connection.released
        self.sql = sql
        self.name = name
        parameters = Parameters(types)
        row = Row([])
    }

    deinit {
        if !name.isEmpty { released.append(name) }
    }

    /// What begins with one of these words leaves the database as it is, or is refused by the server in a
    /// transaction that only reads.
    ///
    /// A query may call a function that writes, and `EXPLAIN ANALYZE` runs the statement
    /// that it explains.
    var description: SQLStatementDescription {
        let word = sql.leadingWord
        let isReadOnly = connection.state.isReadOnly
        return SQLStatementDescription(
            sql: sql,
            parameterCount: parameters.count,
            isReadOnly: isReadOnly
                || ["SELECT", "VALUES", "TABLE", "SHOW", "EXPLAIN"].contains(word),
            mayWrite: !isReadOnly && word != "SHOW"
        )
    }

    func bind(_ slots: [Slot]) throws {
        parameters.releaseCopies()
        for (index, slot) in slots.enumerated() {
            try parameters.set(slot, at: index, copying: true)
        }
    }

    /// Hands the statement with its parameters to libpq.
    @inline(__always)
    func send(_ handle: OpaquePointer) -> Int32 {
        let count = Int32(truncatingIfNeeded: parameters.count)
        if name.isEmpty {
            return parameters.types.withUnsafeBufferPointer { types in
                PQsendQueryParams(
                    handle,
                    sql,
                    count,
                    types.baseAddress,
                    parameters.values,
                    parameters.lengths,
                    parameters.formats,
                    1
                )
            }
        }
        return PQsendQueryPrepared(
            handle,
            name,
            count,
            parameters.values,
            parameters.lengths,
            parameters.formats,
            1
        )
    }

    /// Runs the statement and returns its whole result.
    func run(on entity: EntitySchema?) throws -> Result {
        do {
            if entity != nil { try connection.state.checkCall() }
            let result = try connection.run(self)
            try check(result.handle)
            if isReading { connection.state.hasRead = true }
            return result
        } catch  where connection.isAwaited {
            throw error
        } catch let error as DBClientError {
            throw explained(error, entity)
        }
    }

    /// Runs the statement several times in one trip, with parameters that a body sets before each, and
    /// appends the results, up to the first that fails.
    func run(
        _ count: Int,
        on entity: EntitySchema,
        into results: inout [Result],
        _ bind: (Int) throws -> Void
    ) throws {
        // A value that cannot be bound must be found before anything is sent.
        for index in 0..<count { try bind(index) }
        do {
            try connection.state.checkCall()
            try withoutActuallyEscaping(bind) { bind in
                // libpq copies the parameters, so they can be set again.
                let sends: [(OpaquePointer) -> Int32] = (0..<count).map { index in
                    { [self] in (try? bind(index)) == nil ? 0 : send($0) }
                }
                try connection.collect(sends, into: &results)
            }
            if let first = results.first { try check(first.handle) }
            if isReading { connection.state.hasRead = true }
        } catch let error as DBClientError {
            throw explained(error, entity)
        }
    }

    private func explained(_ error: DBClientError, _ entity: EntitySchema?) -> DBClientError {
        // Another session dropped or altered what the statement was prepared for.
        if isKept, error.isAboutNames || error.isAboutTypes { connection.state.noteRace() }
        return connection.explained(error, entity, sql)
    }

    /// Learns the columns where the server has described none, and throws when a result has other columns than it
    /// described: values would be read as what they are not.
    private func check(_ result: OpaquePointer) throws {
        if columnNames == nil {
            row = Row(of: result)
            columnNames = Row.columnNames(of: result)
        }
        if !isReadAnew || row.fits(result) { return }
        connection.state.noteRace()
        throw DBClientError(
            .transactionConflict,
            "The table was altered after the statement was made.",
            engineMessage: sql
        )
    }

    func execute(on entity: EntitySchema?) throws -> Int {
        try run(on: entity).changedCount
    }

    func query(
        _ entity: EntitySchema,
        forCaller: Bool,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        do {
            try connection.state.checkCall()
            // A call by itself has no transaction in which a setting would end.
            let stream =
                try forCaller && connection.state.isOpen
                ? connection.streamForCaller { send($0) } : connection.stream { send($0) }
            if isReading { connection.state.hasRead = true }
            isRunning = true
            defer {
                isRunning = false
                stream.close()
            }
            var results: [OpaquePointer] = []
            results.reserveCapacity(Row.batchSize)
            defer { for result in results { PQclear(result) } }
            var isToBeChecked = true
            while let first = try stream.next() {
                results.append(first)
                if isToBeChecked {
                    try check(first)
                    row.begin(entity)
                    row.reserveBatch()
                }
                isToBeChecked = false
                // Rows that have arrived are not held back to wait for more.
                while results.count < Row.batchSize, let next = try stream.nextIfThere() {
                    results.append(next)
                }
                if try !visit(row.batch(results, of: entity)) { return }
                for result in results { PQclear(result) }
                results.removeAll(keepingCapacity: true)
            }
        } catch let error as DBClientError {
            throw explained(error, entity)
        }
    }

    func values(
        on entity: EntitySchema?,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Bool
    ) throws {
        let result = try run(on: entity)
        defer { withExtendedLifetime(result) {} }
        isRunning = true
        defer { isRunning = false }
        for index in 0..<result.rowCount {
            if try !visit(row.values(result.handle, index)) { return }
        }
    }
}
