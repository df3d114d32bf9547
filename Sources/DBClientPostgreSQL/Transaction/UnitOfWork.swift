import DBClientCore
import DBClientSQL

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A body that is run in a transaction, again where the server asks for it.
struct UnitOfWork {
    private var kind: SQLTransactionKind
    private let configuration: PostgreSQLConfiguration
    private let cancellation: UnitCancellation?
    private let store: PostgreSQLStore
    /// Notifies the observers of what is written.
    private let hub: ChangeHub?
    private let deadline: Deadline
    private var plan = TransactionPlan()
    private var attempt = 0
    private var losses = 0
    private var doubts = 0
    private var repairs = 0
    private var hasLookedForWriter = false
    /// Whether it has written to a store that has, or may have got, a journal, and other processes must be notified.
    private(set) var mustNotify = false

    init(
        _ kind: SQLTransactionKind,
        _ configuration: PostgreSQLConfiguration,
        _ cancellation: UnitCancellation?,
        _ store: PostgreSQLStore,
        _ hub: ChangeHub?
    ) {
        self.kind = kind
        self.configuration = configuration
        self.cancellation = cancellation
        self.store = store
        self.hub = hub
        deadline = Deadline(after: configuration.retryTimeout)
    }

    /// How often a unit is run again for violations alone.
    ///
    /// A body that goes on after more than that, each about other values, gets the errors of the others at once.
    private static let maximumDoubts = 16

    /// How often a unit is run again for what it repairs, beside what others conflict with.
    private static let maximumRepairs = 10

    /// Runs the body until it is committed, its error is its own, or it was tried long enough.
    mutating func run<Value>(
        on lease: inout Lease,
        _ body: (any EngineWriter) throws -> Value
    ) throws -> Value {
        while true {
            guard let session = lease.session else {
                throw DBClientError(.closed, "The connection was given up.")
            }
            let value: Value
            do {
                value = try runOnce(on: session, body)
            } catch {
                try prepareAgain(after: error, on: &lease)
                continue
            }
            // It is committed, so whatever comes of this is not for another attempt.
            let indexed = session.connection.state.indexed
            if !indexed.isEmpty { try IndexBuild(session, cancellation).run(for: indexed) }
            return value
        }
    }

    /// Makes an attempt that failed good for another one, or throws what it failed for.
    ///
    /// Waits for the server.
    mutating func prepareAgain(after error: any Error, on lease: inout Lease) throws {
        guard let session = lease.session else { throw error }
        let connection = session.connection
        disarm(connection)
        // An answer to a call that ends here is discarded.
        connection.answer = nil
        attempt += 1
        if cancellation?.isCancelled == true, isCancellation(error, connection) {
            throw UnitCancellation.error
        }
        let mayMeetOthers = attempt < configuration.maximumAttempts && !deadline.hasPassed
        plan.known = connection.state.violations
        if connection.state.isInDoubt { doubts += 1 }
        plan.known.areProven = doubts >= Self.maximumDoubts
        switch connection.state.finalVerdict {
        case _ where connection.link.isBroken:
            // What was not committed is undone by the server; after that it is not repeated.
            losses += 1
            guard mayMeetOthers, losses < 3, isLoss(error) || hasConflicted(error, connection)
            else {
                throw error
            }
            try lease.renew()
        case _ where isDemotion(error, connection):
            hasLookedForWriter = true
            // Where no server accepts writes, the caller gets that error.
            do { try lease.renew() } catch _ { throw error }
        case .conflict, .inDoubt:
            guard mayMeetOthers else { throw error }
            pause(attempt)
        case .locked:
            guard mayMeetOthers else { throw error }
            // Sessions that queued for the lock meanwhile go first.
            let pause = min(configuration.lockTimeout, .seconds(1))
            usleep(UInt32(clamping: pause.nanoseconds / 1_000))
        case .staleSchema: try reread(session, after: error)
        case .lacking: attempt -= 1
        case .careful:
            guard !plan.isCareful || mayMeetOthers else { throw error }
            plan.isCareful = true
        case .unlocked(let tables):
            // Each time there are more, so that this ends by itself.
            plan.locks += tables
            attempt -= 1
        case .needsSerializability:
            plan.isSerializable = true
            attempt -= 1
        case .severalStatements: kind = .read
        case .longValue(let index, let entity):
            try noteRepair(after: error)
            guard try shorten(index, of: entity, on: session) else { throw error }
        case nil where !plan.hasReread && isMisfit(error):
            try reread(session, after: error)
        case nil:
            // A table that was to be locked may have been dropped.
            guard isMissingTable(error), !plan.locks.isEmpty else {
                throw connection.explainedDenial(error)
            }
            try noteRepair(after: error)
            plan.locks = []
        }
    }

    /// Has the next attempt look at the tables anew.
    private mutating func reread(_ session: Session, after error: any Error) throws {
        try noteRepair(after: error)
        plan.hasReread = true
        session.transaction.forgetSchema()
        pause(repairs)
    }

    private mutating func noteRepair(after error: any Error) throws {
        repairs += 1
        if repairs >= Self.maximumRepairs { throw error }
    }

    /// Has a cancellation end what a connection runs; false when the task was cancelled.
    func arm(_ connection: PostgreSQLConnection) -> Bool {
        cancellation?.arm(connection.canceller) ?? true
    }

    /// Ends that, unless a cancellation is under way, which `prepareAgain` waits for; returns whether none is.
    func disarmAtOnce() -> Bool {
        cancellation?.disarmAtOnce() ?? true
    }

    /// Runs the body as a call by itself, which the connection answers or suspends.
    func runCall<Value>(
        on session: Session,
        _ body: (any EngineWriter) throws -> Value
    ) throws -> Value {
        let transaction = session.transaction
        try transaction.begin(.call)
        do {
            let value = try body(transaction)
            try transaction.commit()
            return value
        } catch {
            transaction.rollback()
            throw error
        }
    }

    private mutating func runOnce<Value>(
        on session: Session,
        _ body: (any EngineWriter) throws -> Value
    ) throws -> Value {
        let transaction = session.transaction
        let connection = session.connection
        guard arm(connection) else { throw UnitCancellation.error }
        connection.plan = plan
        defer { disarm(connection) }
        try transaction.begin(kind)
        var capture = CommitCapture(
            transaction,
            hub,
            readsSnapshot: connection.state.isolation != .readCommitted
        )
        do {
            let value = try body(capture.writer)
            disarm(connection)
            capture.endUnit()
            let hasBegun = connection.state.hasBegun
            capture.willCommit()
            try transaction.commit()
            if kind == .write {
                store.noteWrite()
                mustNotify =
                    hasBegun && (store.journal.isInstalled || store.journal.mustSearch())
            }
            if capture.isObserved {
                let number = connection.state.number
                let written = store.lookAfterCommit(of: number, on: connection)
                capture.didCommit(
                    unseen: capture.untouchedNames.intersection(written.map { EntityName($0) })
                )
            } else {
                capture.didCommit()
            }
            return value
        } catch {
            if let error = error as? DBClientError, error.code == .commitOutcomeUnknown {
                let commit = error.underlying as? UnansweredCommit
                if let number = commit?.transaction { store.journal.noteDoubt(of: number) }
                store.noteWrite()
                capture.mayHaveCommitted()
            } else {
                capture.didFail()
            }
            transaction.rollback()
            let state = connection.state
            defer { connection.state = state }
            throw connection.explainedAfterwards(error)
        }
    }

    /// Ends what a cancellation does, waiting for a request under way.
    private func disarm(_ connection: PostgreSQLConnection) {
        if cancellation?.disarm() == false { connection.link.breakOff() }
    }

    /// Makes indexes again whose entries are limited in length.
    ///
    /// - Returns: Whether there was any to make again, here or by another session at the same time.
    private func shorten(
        _ index: String?,
        of entity: EntitySchema,
        on session: Session
    ) throws -> Bool {
        var hasChanged = false
        let connection = session.connection
        let table = connection.dialect.tableName(of: entity)
        var isLarge = false
        try session.transaction.begin(.write)
        do {
            // The unit may have made the table itself, and undone that.
            try session.transaction.makeTable(of: entity)
            // A pooler's session is not one to build in.
            isLarge = try connection.keepsStatements && !connection.buildsIndexes(of: table)
            if !isLarge {
                hasChanged = try PrefixIndex.shorten(index, of: table, on: connection)
            }
            try session.transaction.commit()
        } catch {
            session.transaction.rollback()
            guard connection.state.verdict != nil else { throw error }
            hasChanged = true
            if (error as? DBClientError)?.sqlState == "54000", connection.keepsStatements {
                // Stored values are too long for an index that is not there yet.
                try IndexBuild(session, cancellation).makeMissing(of: entity)
            }
        }
        // The other writers go on meanwhile.
        if isLarge { hasChanged = try IndexBuild(session, cancellation).shorten(index, of: table) }
        session.transaction.forgetSchema()
        return hasChanged
    }

    /// Whether a parameter got another type than its value has, as where its column was given another one.
    private func isMisfit(_ error: any Error) -> Bool {
        (error as? DBClientError)?.underlying is ParameterMisfit
    }

    private func isMissingTable(_ error: any Error) -> Bool {
        (error as? DBClientError)?.sqlState == "42P01"
    }

    /// Whether a server that took writes when the session began takes none any more, for the first time.
    private func isDemotion(_ error: any Error, _ connection: PostgreSQLConnection) -> Bool {
        kind == .write && !hasLookedForWriter && connection.beganWritable
            && (error as? DBClientError)?.code == .readOnly
            && (error as? DBClientError)?.sqlState != nil
    }

    /// Whether the server had rolled the unit back for a conflict before the connection was lost.
    private func hasConflicted(_ error: any Error, _ connection: PostgreSQLConnection) -> Bool {
        connection.state.finalVerdict == .conflict
            && (error as? DBClientError)?.code == .transactionConflict
    }

    private func isLoss(_ error: any Error) -> Bool {
        (error as? DBClientError)?.code == .connectionLost
    }

    /// Whether an error is what comes of a cancellation, and not what would have come anyway.
    private func isCancellation(_ error: any Error, _ connection: PostgreSQLConnection) -> Bool {
        guard let error = error as? DBClientError else { return false }
        if error.code == .commitOutcomeUnknown { return false }
        return error.code == .cancelled || error.sqlState == "57014"
            || error.code == .transactionConflict || connection.link.isBroken
    }

    /// Waits longer from attempt to attempt, with random jitter, so that transactions that conflicted once do
    /// not conflict again.
    private func pause(_ attempt: Int) {
        let ceiling = min(100_000, 500 << min(attempt, 8))
        usleep(UInt32.random(in: 0...UInt32(ceiling)))
    }
}
