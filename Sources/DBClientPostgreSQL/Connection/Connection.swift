import CLibPQ
import DBClientCore
import DBClientSQL

/// One connection to a PostgreSQL server, used by one thread at a time.
///
/// Statements that only open or close a transaction or a savepoint are not sent by themselves: they
/// wait in `pending` and travel with the next statement in one pipeline, so they cost no trip of
/// their own.
final class PostgreSQLConnection: SQLConnection {
    let link: Link
    let canceller: Canceller
    let configuration: PostgreSQLConfiguration
    /// What the server was found to lack.
    let features: ServerFeatures
    /// Whether the session is the client's own, so that what is prepared and set in it stays: not behind a pooler
    /// that gives each transaction another one.
    @exclusivity(unchecked) var keepsStatements: Bool
    /// The names by which the clients of the store use its tables.
    private(set) lazy var names = TableNames.of(store)
    /// What the session reads and writes.
    var store = StoreIdentity(cluster: 0, isStandby: false, database: "", schema: "", process: "")
    /// What the sessions of one store in one process are known by to other processes.
    var writer = ""
    let dialect: any SQLDialect
    /// What the engine has to know about the open transaction when it ends.
    @exclusivity(unchecked) var state = TransactionState()
    /// The constraints of the tables that this connection looked at, by name.
    var constraints: [String: UniqueConstraint] = [:]
    /// How the collations compare that columns were found to have, by the server's numbers.
    var collations: [Int64: SQLTableDescription.Collation] = [:]
    /// The table that the catalog was last asked for, unless a statement may have changed it since.
    var foundTable: FoundTable?

    /// What a commit of the session's waits for, as the server calls it.
    var commitLevel = "on"
    /// What a commit of the session's survives.
    var durability = PostgreSQLDurability.local
    /// Whether transactions of the session could write when it began.
    var beganWritable = false
    /// The statement that reads the journal.
    var newsStatement: PostgreSQLStatement?
    /// The server's run in which the connection was made.
    var serverRun: ServerRun?

    /// What the server was known to lack when the transaction began.
    @exclusivity(unchecked) var missingAtBegin: Set<PostgreSQLFeature> = []
    /// Control statements that go with the next statement.
    @exclusivity(unchecked) var pending: [String] = []
    /// The rows that are being read.
    @exclusivity(unchecked) private var stream: ResultStream?
    @exclusivity(unchecked) private(set) var deadline: Deadline
    /// How many nanoseconds the server is waited for: a second more than it has for a statement, and as
    /// long as connecting may take while the session begins.
    var patience: UInt64
    @exclusivity(unchecked) private var isPipelining = false
    /// Whether libpq may still take the rows of the next statement in a pipeline one by one.
    @exclusivity(unchecked) private var isRowByRow = false
    private var lastName = 0
    /// What the names of the connection's statements begin with: behind a pooler, connections of several
    /// clients are one to the server.
    private let namePrefix = "s" + String(UInt64.random(in: 0 ... .max), radix: 36) + "_"
    /// Names of statements that are no longer referenced.
    let released = ReleasedNames()
    /// How the next transaction is to go.
    @exclusivity(unchecked) var plan = TransactionPlan()
    /// The call that must not wait for the server, while there is one.
    @exclusivity(unchecked) var suspension: CallSuspension?
    /// The answer that arrived before the call that asks for it, until its end.
    @exclusivity(unchecked) var answer: SentCall?

    /// Connects and makes the session what the library relies on.
    init(
        _ parameters: ConnectionParameters,
        _ configuration: PostgreSQLConfiguration
    ) throws {
        self.configuration = configuration
        features = parameters.features
        keepsStatements = configuration.keepsPreparedStatements
        patience = UInt64(clamping: configuration.connectTimeout.nanoseconds)
        link = try Link(parameters)
        features.learn(from: link)
        dialect = PostgreSQLDialect(
            declaresColumns: configuration.declaresColumns,
            formats: configuration.formats,
            changesColumns: features.changesColumns,
            wholeNames: features.wholeNames
        )
        canceller = Canceller(link, limit: configuration.connectTimeout)
        deadline = Deadline(afterNanoseconds: patience)
        try beginSession(of: parameters.process, beganOnStandby: parameters.beganOnStandby)
        patience = UInt64(clamping: (configuration.statementTimeout + .seconds(1)).nanoseconds)
    }

    func close() {
        // The rows hold the connection.
        stream = nil
        link.breakOff()
    }

    /// Whether the server only follows another one.
    ///
    /// It tells when that changes. A pooler may tell what it heard of another connection, so behind one it is also
    /// what the server was asked when the session began.
    var isStandby: Bool {
        let told = link.tellsStandby
        if let told, keepsStatements { return told }
        return told == true || store.isStandby
    }

    /// Whether a unit of work may begin on the connection, by a look at its socket.
    var isUsable: Bool { isIdle && !link.hasBeenClosed }

    /// Whether the connection is not known to be lost, and nothing is under way.
    var isIdle: Bool {
        !link.isBroken && PQtransactionStatus(link.handle) == PQTRANS_IDLE
    }

    func prepare(_ sql: String, for use: SQLStatementUse) throws -> any SQLStatement {
        if use != .repeated { try state.refuseCall() }
        let statement = try statement(sql, isKept: use == .repeated)
        // Every statement that is run once counts as reading, but for the definition of a table.
        statement.isReading = use == .repeated || !sql.hasPrefix("CREATE ")
        // A function may set something for the whole session: that is undone with the commit, before another caller
        // gets the connection.
        if use == .raw, sql.utf8.contains(UInt8(ascii: "(")) { state.mayHaveSettings = true }
        return statement
    }

    /// Prepares a statement; one that is kept has a name of its own on the server.
    func statement(_ sql: String, isKept: Bool) throws -> PostgreSQLStatement {
        do {
            if sql.parameterCount > PostgreSQLStatement.describedCount {
                return try longStatement(sql, isKept: isKept)
            }
            let name = isKept && keepsStatements ? newName() : ""
            let sends: [(OpaquePointer) -> Int32] = [
                { PQsendPrepare($0, name, sql, 0, nil) },
                { PQsendDescribePrepared($0, name) },
            ]
            return PostgreSQLStatement(self, sql, name, isKept: isKept, try collect(sends))
        } catch let error as DBClientError where isKept && error.isStale {
            // Only the library keeps statements: other code has dropped one that it expects, or has made one of
            // that name.
            state.noteRace()
            throw error
        } catch let error as DBClientError where isRefusalOfCollation(error, in: sql) {
            throw refusalOfCollation(error)
        }
    }

    /// Returns a name for a statement that the session has not had.
    func newName() -> String {
        lastName += 1
        return namePrefix + String(lastName)
    }

    /// Sends a statement and returns its result.
    ///
    /// - Throws: What the server says, or that it does not answer.
    func collect(_ send: (OpaquePointer) -> Int32) throws -> Result {
        try withoutActuallyEscaping(send) { try collect([$0]) }
    }

    /// Sends statements together and returns the result of the last one.
    func collect(_ sends: [(OpaquePointer) -> Int32]) throws -> Result {
        try start(sends)
        return try finish()
    }

    /// Sends statements together and appends the result of each, up to the first that fails.
    func collect(_ sends: [(OpaquePointer) -> Int32], into results: inout [Result]) throws {
        try start(sends) { results.append($0) }
        results.append(try finish())
    }

    /// Sends a statement and returns its rows as they come.
    func stream(_ send: (OpaquePointer) -> Int32) throws -> ResultStream {
        try withoutActuallyEscaping(send) { try start([$0]) }
        guard PQsetSingleRowMode(link.handle) == 1 else { throw link.broken() }
        isRowByRow = true
        let stream = ResultStream(self)
        self.stream = stream
        return stream
    }

    /// Sends one statement and returns its result.
    ///
    /// Most single calls send nothing with it, and then need no pipeline.
    func collect(_ statement: PostgreSQLStatement) throws -> Result {
        guard pending.isEmpty, !state.isCareful else {
            return try collect { statement.send($0) }
        }
        try prepareToSend()
        guard statement.send(link.handle) == 1 else { throw link.broken() }
        try link.flush(deadline)
        return try finish()
    }

    /// Ends what is under way, and begins to wait for the server.
    ///
    /// - Throws: Why nothing can be sent.
    private func prepareToSend() throws {
        if suspension != nil { throw refuse() }
        try endStream()
        if link.isBroken { throw PostgreSQLError.lost(link.handle) }
        try state.check()
        isPipelining = false
        _ = renewedDeadline()
    }

    /// Sends what is pending and then statements, and reads up to the last one's results.
    ///
    /// `visit` takes those of the statements before the last one.
    func start(
        _ sends: [(OpaquePointer) -> Int32],
        _ visit: (Result) -> Void = { _ in }
    ) throws {
        try prepareToSend()
        if state.isCareful, state.isOpen { pending.append("SAVEPOINT \(Self.callSavepoint)") }
        var controls = pending
        pending.removeAll(keepingCapacity: true)
        let handle = link.handle
        isPipelining = sends.count > 1 || !controls.isEmpty
        // libpq begins a pipeline as the statement before ended: each row would be a result, and be taken for that of
        // a statement of its own. An empty statement has no row.
        if isPipelining, isRowByRow, controls.isEmpty { controls = [""] }
        isRowByRow = false
        if !isPipelining {
            guard sends[0](handle) == 1 else { throw link.broken() }
            return try link.flush(deadline)
        }
        guard PQenterPipelineMode(handle) == 1 else { throw link.broken() }
        for control in controls {
            guard PQsendQueryParams(handle, control, 0, nil, nil, nil, nil, 1) == 1 else {
                throw link.broken()
            }
        }
        for send in sends {
            guard send(handle) == 1 else { throw link.broken() }
        }
        guard PQpipelineSync(handle) == 1 else { throw link.broken() }
        try link.flush(deadline)
        if !controls.isEmpty { state.hasBegun = true }
        try readAhead(controls, controls.count + sends.count - 1) { index, result in
            if index >= controls.count {
                visit(result)
            } else if result.rowCount == 1, let text = PQgetvalue(result.handle, 0, 0) {
                // The one control statement with a row returns the transaction's number.
                state.number = UInt64(
                    bigEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self)
                )
            }
        }
    }

    /// Reads the results before the last statement's, of which those of the control statements come first.
    private func readAhead(
        _ controls: [String],
        _ count: Int,
        _ visit: (Int, Result) -> Void
    ) throws {
        for index in 0..<count {
            var failure: DBClientError?
            // Each has its own time: there may be thousands.
            while let result = try link.nextResult(renewedDeadline()) {
                let result = Result(result)
                defer { withExtendedLifetime(result) {} }
                if result.hasFailed {
                    failure = failure ?? PostgreSQLError.make(result.handle)
                } else {
                    visit(index, result)
                }
            }
            guard let failure else { continue }
            // What follows was not run; it says so one by one.
            for _ in index..<count {
                while let result = try link.nextResult(deadline) { PQclear(result) }
            }
            try leavePipeline()
            let error = noted(failure)
            let control = index < controls.count ? controls[index] : nil
            if let feature = control.flatMap(PostgreSQLFeature.neededAhead) {
                noteRefusal(error, of: feature)
            }
            throw error
        }
    }

    /// Reads the results of the statement that was sent last and returns the final one.
    func finish() throws -> Result {
        var last: Result?
        while let result = try link.nextResult(deadline) {
            let result = Result(result)
            if result.isCopy { throw refuseCopy() }
            last = result
        }
        try leavePipeline()
        guard let last else { throw link.broken() }
        defer { withExtendedLifetime(last) {} }
        if last.hasFailed { throw failure(of: last.handle) }
        succeed()
        return last
    }

    /// Closes the connection, since a server that copies accepts nothing else, and returns the error of the
    /// raw SQL statement that has it copy.
    private func refuseCopy() -> DBClientError {
        link.breakOff()
        return DBClientError(
            .invalidRequest,
            "A statement must not copy rows from or to the client.",
            hint: "Insert values, which copies them where they are many, or fetch them."
        )
    }

    /// Returns the next result of the statement that was sent last; nil after the last one.
    func next() throws -> OpaquePointer? {
        if let result = try link.nextResult(renewedDeadline()) { return result }
        try leavePipeline()
        return nil
    }

    /// Restarts the time-out, for work that makes progress step by step.
    func renewedDeadline() -> Deadline {
        deadline = Deadline(afterNanoseconds: patience)
        return deadline
    }

    /// Reads the rest of the rows under way, so that another statement can be sent.
    private func endStream() throws {
        guard let stream else { return }
        self.stream = nil
        try stream.readRest()
    }

    /// Whether a statement may be ended by force, after which the server takes no other in the transaction.
    var mayAbandonRows: Bool { state.isReadOnly && !state.isCareful }

    /// Has the server end a statement whose other rows are not wanted, and returns whether there was one.
    ///
    /// Only where the transaction ends as well, which has nothing to lose: it only reads.
    func endAbandonedStream() -> Bool {
        guard let stream, stream.isAbandoned, !link.isBroken else { return false }
        self.stream = nil
        let request = canceller.request()
        try? stream.readRest()
        if !request.wait() { link.breakOff() }
        return true
    }

    /// Forgets a stream that was read to its end.
    func forget(_ stream: ResultStream) {
        if self.stream === stream { self.stream = nil }
    }

    private func leavePipeline() throws {
        guard isPipelining else { return }
        isPipelining = false
        while let result = try link.nextResult(deadline) {
            let status = PQresultStatus(result)
            PQclear(result)
            if status == PGRES_PIPELINE_SYNC { break }
        }
        guard PQexitPipelineMode(link.handle) == 1 else { throw link.broken() }
    }

    /// The savepoint round one call, where an error must leave the transaction as it was.
    static let callSavepoint = "dbclient_call"

    /// Notes that a statement has succeeded.
    func succeed() {
        if state.isCareful, state.isOpen {
            pending.append("RELEASE SAVEPOINT \(Self.callSavepoint)")
        }
    }

    /// Returns the error of a failed result, which the transaction remembers.
    func failure(of result: OpaquePointer?) -> DBClientError {
        noted(PostgreSQLError.make(result))
    }

    private func noted(_ failure: DBClientError) -> DBClientError {
        let error = isStandby ? failure.onStandby : failure
        if error.code == .connectionLost || PQstatus(link.handle) != CONNECTION_OK {
            link.breakOff()
        }
        state.note(error)
        if state.isCareful, state.hasFailed, state.finalVerdict == nil {
            pending = [
                "ROLLBACK TO SAVEPOINT \(Self.callSavepoint)",
                "RELEASE SAVEPOINT \(Self.callSavepoint)",
            ]
            state.hasFailed = false
        }
        return error
    }
}
