import CLibPQ
import DBClientCore
import DBClientSQL

extension PostgreSQLConnection {
    func begin(_ kind: SQLTransactionKind) throws {
        let plan = self.plan
        self.plan = TransactionPlan()
        state = TransactionState(plan)
        missingAtBegin = features.all
        // One statement is a snapshot by itself, unless its settings must be sent with it, behind a pooler.
        if kind == .call && keepsStatements && !plan.isCareful {
            pending = released.take()
            state.isCall = true
            state.isReadOnly = true
            return
        }
        state.isOpen = true
        state.isReadOnly = kind != .write
        let isStrict = lacks(.weakIsolation)
        if state.isReadOnly {
            pending.append(
                isStrict
                    ? "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"
                    : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            )
        } else {
            state.isolation =
                isStrict || plan.isSerializable ? .serializable : configuration.isolation
            pending.append(Self.beginning(state.isolation))
        }
        if !keepsStatements {
            pending += sessionSettings.map { "SET LOCAL \($0)" }
        }
        // The first statement of another kind takes the snapshot.
        if !plan.locks.isEmpty, !lacks(.tableLocks) {
            willAlter()
            pending.append(lockStatement(plan.locks))
        }
        // Not before the beginning: nothing may precede it in a pipeline.
        pending += released.take()
        if !state.isReadOnly && configuration.tracksCommits && !lacks(.transactionNumbers) {
            pending.append("SELECT pg_current_xact_id()")
        }
    }

    private static func beginning(_ isolation: PostgreSQLIsolation) -> String {
        "BEGIN ISOLATION LEVEL \(isolation.rawValue)"
    }

    /// Has a transaction that writes be serializable, whatever the configuration says.
    ///
    /// Nothing may have been sent for that. Otherwise the unit of work is run again.
    func requireSerializability() throws {
        guard state.isOpen, !state.isReadOnly, state.isolation != .serializable else { return }
        let beginning = Self.beginning(state.isolation)
        guard !state.hasBegun, let place = pending.firstIndex(of: beginning) else {
            throw state.refuseIsolation()
        }
        state.isolation = .serializable
        pending[place] = Self.beginning(.serializable)
    }

    func commit() throws {
        // The body may have gone on all the same.
        if state.isCall, state.verdict == .severalStatements { throw state.refuseCommit() }
        // A transaction that only reads is as good undone.
        if endAbandonedStream() { return rollback() }
        guard state.isOpen, state.hasBegun else { return endTransaction() }
        if link.isBroken { throw PostgreSQLError.lost(link.handle) }
        if state.hasFailed { throw state.refuseCommit() }
        try checkTransaction()
        // The commit closes what savepoints are open, but for what they undo.
        if pending.allSatisfy({ !$0.hasPrefix("ROLLBACK") }) {
            pending.removeAll { !Self.isCheck($0) }
        }
        state.isCareful = false
        var results: [Result] = []
        do {
            let restoring = state.mayHaveSettings && keepsStatements ? restoringSettings : []
            let sends = (["COMMIT"] + restoring).map(Self.send(text:))
            try collect(sends, into: &results)
        } catch let error as DBClientError {
            // The commit stands, and the session is closed with its settings.
            if !results.isEmpty {
                link.breakOff()
            } else if link.isBroken && !state.isReadOnly {
                throw CommitOutcome.unknown(state.number, serverRun, error)
            } else {
                throw error
            }
        }
        if results.first?.command == "ROLLBACK" { throw state.refuseCommit() }
        endTransaction()
    }

    /// The statements that make the session what it was when it began.
    private var restoringSettings: [String] {
        let settings = sessionSettings.map { "SET \($0)" }
        return ["RESET SESSION AUTHORIZATION", "RESET ROLE", "RESET ALL"] + settings
    }

    func rollback() {
        defer { endTransaction() }
        _ = endAbandonedStream()
        guard state.isOpen, state.hasBegun, !link.isBroken else { return }
        pending.removeAll()
        state.isCareful = false
        state.hasFailed = false
        do {
            try execute("ROLLBACK")
        } catch {
            link.breakOff()
        }
    }

    /// The verdict stays until the next transaction begins.
    private func endTransaction() {
        if !pending.isEmpty, !state.hasBegun { released.takeBack(pending) }
        pending.removeAll()
        state.isOpen = false
        state.hasBegun = false
        state.depth = 0
        answer = nil
    }

    /// Locks tables, which a transaction with one snapshot does before it has that.
    func lock(_ tables: [String]) throws {
        if tables.isEmpty { return }
        // An attempt before may have been to lock them.
        if lacks(.tableLocks) {
            throw refusal(of: .tableLocks, to: "convert or delete the stored rows of a model")
        }
        let missing = tables.filter { !state.locked.contains($0) }
        if missing.isEmpty { return }
        guard state.isolation == .readCommitted else {
            throw state.refuseSnapshot(without: missing)
        }
        try using(.tableLocks) { try execute(lockStatement(missing)) }
    }

    /// Limits how long the transaction waits for a table's lock: by `lockTimeout`, or by what the connection string says.
    ///
    /// A reader queues behind the migration that waits, for as long.
    func willAlter() {
        if state.isMigrating { return }
        state.isMigrating = true
        // Each session has it from its beginning then, unless a pooler gave it to another client.
        if keepsStatements, StartupOptions(link.options).names("lock_timeout") { return }
        let milliseconds = max(configuration.lockTimeout.nanoseconds / 1_000_000, 1)
        pending.append("SET LOCAL lock_timeout = \(milliseconds)")
    }

    private func lockStatement(_ tables: [String]) -> String {
        var text = SQLText(dialect)
        text.append("LOCK TABLE ")
        text.append(tables, separator: ", ") { $0.append(table: $1) }
        text.append(" IN ACCESS EXCLUSIVE MODE")
        return text.sql
    }

    var transactionLoss: SQLTransactionLoss? {
        if link.isBroken { return .connection }
        return hasEndedTransaction ? .ended : nil
    }

    /// Whether a raw SQL statement has ended the transaction.
    private var hasEndedTransaction: Bool {
        state.isOpen && state.hasBegun && PQtransactionStatus(link.handle) == PQTRANS_IDLE
    }

    func savepoint(_ step: SQLSavepointStep) throws {
        switch step {
        case .begin: beginSavepoint()
        case .release: releaseSavepoint()
        case .rollback: rollbackSavepoint()
        }
    }

    func beginSavepoint() {
        // What follows may define anything.
        foundTable = nil
        pending.append("SAVEPOINT s\(state.depth)")
        state.depth += 1
    }

    func releaseSavepoint() {
        state.depth -= 1
        let name = "s\(state.depth)"
        // What was never sent needs no end.
        if let start = pending.firstIndex(of: "SAVEPOINT \(name)") {
            pending.removeSubrange(start...)
        } else {
            if state.hasFailed { return }
            pending.append("RELEASE SAVEPOINT \(name)")
        }
    }

    func rollbackSavepoint() {
        state.depth -= 1
        let name = "s\(state.depth)"
        if let start = pending.firstIndex(of: "SAVEPOINT \(name)") {
            pending.removeSubrange(start...)
        } else {
            pending = ["ROLLBACK TO SAVEPOINT \(name)", "RELEASE SAVEPOINT \(name)"]
            // A conflict loses the whole transaction; anything else is undone.
            if state.isInDoubt, state.hasFailed { state.noteDoubt() }
            if state.verdict == nil { state.hasFailed = false }
        }
    }
}
