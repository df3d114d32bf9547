import DBClientCore

/// The state of a connection's open transaction, as the client knows it.
struct TransactionState {
    /// Why a unit of work has to run again.
    enum Verdict: Equatable {
        /// It conflicted with other transactions, as with a failed serialization or a deadlock.
        case conflict
        /// Other transactions have locked a table that a migration changes.
        case locked
        /// The tables are not what the prepared statements take them for.
        case staleSchema
        /// A call takes several statements, which need one snapshot, or a raw SQL statement.
        case severalStatements
        /// The server lacks what an attempt asked for, and the next one goes without.
        case lacking
        /// A call failed and the unit went on, which needs a savepoint round each call.
        case careful
        /// A value is too long for an index as it is: for the one that is named, or else for any.
        case longValue(index: String?, EntitySchema)
        /// Other transactions may have written to tables after what was read, which is to be all that there is.
        case unlocked([String])
        /// The server alone does not keep values unique that are written, and does so among serializable transactions.
        case needsSerializability
        /// A unique value is taken, perhaps by a transaction that what was read before does not show.
        case inDoubt
    }

    /// Whether a transaction was begun and not ended, on the server or only in `pending`.
    var isOpen = false
    /// Whether the server knows of it.
    var hasBegun = false
    var isReadOnly = false
    /// How isolated a transaction that writes is, once it was begun.
    var isolation = PostgreSQLIsolation.serializable
    /// Whether there is no transaction because there is one statement.
    var isCall = false
    private var hasCalled = false
    /// Whether each call is wrapped in a savepoint.
    var isCareful: Bool
    /// The tables that no other transaction has written to since the snapshot.
    let locked: [String]
    /// The tables that were dropped and whose writes journals noted, each with their triggers.
    var journaled: [String: [JournalTrigger]] = [:]
    /// The number of savepoints that are open.
    var depth = 0
    /// The transaction's number on the server, once known.
    var number: UInt64?
    /// Whether the transaction changes tables, for which it waits no longer than `lockTimeout` at a time.
    var isMigrating = false
    /// The entities whose indexes are built once the transaction is committed.
    var indexed: [EntitySchema] = []
    /// The tables that calls have written since that was last taken, and whether the database may have written more
    /// by that.
    private(set) var written: Set<String> = []
    private(set) var hasEffects = false
    /// The last statement that the server denied the role.
    var denied: PostgreSQLConnection.DeniedStatement?
    /// Whether a raw SQL statement may have changed a setting of the whole session.
    var mayHaveSettings = false
    /// Whether a statement failed and nothing was undone since, so that the server takes no other.
    var hasFailed = false
    /// Whether the transaction has learnt anything of the stored rows.
    var hasRead = false
    /// What the attempt before was refused for.
    let known: Violations
    /// What this attempt was refused for.
    private(set) var violations = Violations()
    /// Whether the last refusal may be news to what was read before.
    private(set) var isInDoubt = false
    private(set) var verdict: Verdict?

    /// Whether the tables were described again for the transaction.
    private let hasReread: Bool

    init(_ plan: TransactionPlan = TransactionPlan()) {
        hasReread = plan.hasReread
        isCareful = plan.isCareful
        known = plan.known
        locked = plan.locks
    }

    /// Why the unit of work has to run again, when it ends with an error; nil when the error is its own.
    var finalVerdict: Verdict? { verdict ?? (isInDoubt ? .inDoubt : nil) }

    /// Notes that a call writes to a table.
    mutating func noteWrite(to table: String, hasEffects: Bool) {
        if isReadOnly { return }
        if hasEffects { self.hasEffects = true }
        if !written.contains(table) { written.insert(table) }
    }

    /// Returns the tables that calls have written, where the database may have written more by that, and forgets
    /// them; else nil.
    mutating func takeWritten() -> Set<String>? {
        defer {
            written = []
            hasEffects = false
        }
        return hasEffects ? written : nil
    }

    /// Notes an error of the server's.
    mutating func note(_ error: DBClientError) {
        if isOpen { hasFailed = true }
        if isOpen, let violation = Violation(error), hasRead || violation.isMissingValue {
            violations.add(violation, after: known)
            if !known.confirm(violation) {
                if violation.isMissingValue { verdict = .staleSchema } else { isInDoubt = true }
            }
        }
        switch error.sqlState {
        case "40001", "40P01": verdict = .conflict
        case "55P03" where isMigrating: verdict = .locked
        case "26000": verdict = .staleSchema
        // Another program may have narrowed the column, so that its limits are not those that are known.
        case "22001", "22003": if !isReadOnly, !hasReread { verdict = .staleSchema }
        // A parameter takes the type of its column, which may be another one since the table was looked at.
        case "22P02", "22P03", "22021", "08P01": if !hasReread { verdict = .staleSchema }
        // It may make the values by itself by now.
        case "428C9": if !hasReread { verdict = .staleSchema }
        case "0A000" where error.isAboutCachedPlan: verdict = .staleSchema
        case "42P01" where error.isAboutReplacedTable: verdict = .staleSchema
        default: break
        }
    }

    /// Notes that the server was found to lack something.
    mutating func noteLack() {
        verdict = .lacking
        // Also where a savepoint has undone the statement: the unit must not go on.
        if isOpen { hasFailed = true }
    }

    /// Notes that two connections made the same table or index.
    mutating func noteRace() {
        verdict = .staleSchema
    }

    /// Notes that a body goes on after a savepoint in which an error that is in doubt was thrown to it.
    mutating func noteDoubt() {
        if verdict == nil { verdict = .inDoubt }
    }

    /// Notes that a value does not fit an index.
    mutating func noteLongValue(index: String?, of entity: EntitySchema) {
        verdict = .longValue(index: index, entity)
    }

    /// Notes that what failed together may succeed one after another, as the careful way does it, or as many
    /// rows what succeeds row by row.
    mutating func noteOrder() {
        if verdict == nil { verdict = .careful }
    }

    /// Throws when a call needs more than one statement.
    mutating func checkCall() throws {
        guard isCall else { return }
        if hasCalled {
            verdict = .severalStatements
            throw Self.repeating
        }
        hasCalled = true
    }

    /// Throws in a call: without a transaction that only reads, the server lets any statement write.
    mutating func refuseCall() throws {
        guard isCall else { return }
        verdict = .severalStatements
        throw Self.repeating
    }

    /// Notes that tables are to be locked before the transaction has its snapshot.
    mutating func refuseSnapshot(without locks: [String]) -> DBClientError {
        verdict = .unlocked(locks)
        return Self.repeating
    }

    /// Notes that the transaction is to be serializable, which it is no longer in time for.
    mutating func refuseIsolation() -> DBClientError {
        verdict = .needsSerializability
        // Also where a savepoint undoes the call: the unit must not go on.
        if isOpen { hasFailed = true }
        return Self.repeating
    }

    /// Throws when the server would refuse the next statement because an earlier one failed.
    mutating func check() throws {
        guard hasFailed else { return }
        if verdict == nil { verdict = .careful }
        throw Self.repeating
    }

    /// Notes that a failed transaction was to be committed.
    mutating func refuseCommit() -> DBClientError {
        if verdict == nil { verdict = .careful }
        return Self.repeating
    }

    /// Thrown inside a unit that will be run again.
    private static let repeating = DBClientError(
        .transactionConflict,
        "The transaction failed before and is to be repeated."
    )
}

extension DBClientError {
    /// Whether a prepared statement would have other columns by now.
    var isAboutCachedPlan: Bool {
        (underlying as? PostgreSQLServerError)?.function == "RevalidateCachedQuery"
    }
}
