import Dispatch

/// Runs units of work on an embedded engine's one writer, and lets those that wait share a commit.
///
/// While one group is being made durable, the units that arrive wait together and become the next
/// group, and one sync to disk serves them all. A blocking caller that finds the writer idle runs on
/// its own thread, with no hop; everyone else's units run on the queue's thread.
///
/// A blocking caller that is inside a transaction, which is of another store, waits for the writer and then
/// runs on its own thread too: elsewhere its unit would not be inside that transaction any more, would not
/// see what was written there, and might wait for its end.
///
/// Callers that write one unit after another come back within microseconds of being told of the last one.
/// The thread gives them a moment before it begins the next group; otherwise the first to come back would
/// have a sync to itself, and all the others would wait for it.
///
/// Units fail rarely and savepoints are not free, so a group first runs without. When a unit throws,
/// the whole group is undone and runs again, each unit in a savepoint of its own: either way each stays
/// atomic and isolated, and one that has thrown leaves nothing.
public final class WriteQueue: Sendable {
    private struct State {
        var waiting: [WriteUnit] = []
        var isActive = false
        var isClosed = false
        /// The thread on which a group runs.
        var thread: UInt?
        /// How many groups are still to run with savepoints from the start.
        var cautiousGroups = 0
        /// How many units the thread waits for before it begins a group.
        var wanted: Int?
    }

    private let committer: any GroupCommitter
    private let hub: ChangeHub?
    private let state = UnfairMutex(State())
    private let thread: DispatchQueue
    private let patience: @Sendable (UInt64) -> UInt64
    /// Signalled once, when the queue is closed and its last unit has ended.
    private let lastUnitEnded = DispatchSemaphore(value: 0)
    /// Signalled when as many units wait as are wanted.
    private let wantedUnitsCame = DispatchSemaphore(value: 0)

    /// The most units that share a commit: beyond this the sync is spread thinly enough, and the
    /// first of the group should not wait longer.
    private static let groupLimit = 512

    /// After a unit has thrown in a group, this many groups expect another to: a caller that makes a
    /// habit of it shall not make the others' units run twice.
    private static let cautiousGroupCount = 32

    /// Creates a queue for an engine, whose commits a hub tells to those who observe the store.
    public convenience init(_ committer: any GroupCommitter, label: String, hub: ChangeHub? = nil) {
        self.init(committer, label: label, hub: hub, patience: Self.patience)
    }

    /// Creates a queue that waits for callers to come back as long as a function says, of nanoseconds
    /// as ``patience(after:)`` is.
    package init(
        _ committer: any GroupCommitter,
        label: String,
        hub: ChangeHub? = nil,
        patience: @escaping @Sendable (UInt64) -> UInt64
    ) {
        self.committer = committer
        self.hub = hub
        self.thread = DispatchQueue(label: label)
        self.patience = patience
    }

    /// Returns how many nanoseconds to wait for callers to come back, after a group that took so many.
    ///
    /// At most an eighth of them: that much is lost when nobody comes, and as much as a whole group is
    /// won when all do. A thread sleeps 50 us about as well as not at all, and whoever is to come back
    /// has within a millisecond.
    package static func patience(after duration: UInt64) -> UInt64 {
        let wait = duration / 8
        return wait < 50_000 ? 0 : min(wait, 1_000_000)
    }

    /// Runs a unit and blocks until it is durable.
    ///
    /// Inside a transaction of another store the unit runs on the thread of that.
    ///
    /// - Parameter body: The unit, which may run more than once.
    /// - Returns: What the body returns.
    /// - Throws: `.busy` inside a unit of the same queue on the same thread, which would wait for
    ///   itself; `.closed`; what the body or the commit throws.
    public func runBlocking<Value>(
        _ body: (any EngineWriter) throws -> Value
    ) throws -> Value {
        var result: Result<Value, any Error>?
        try withoutActuallyEscaping(body) { body in
            let done = DispatchSemaphore(value: 0)
            let unit = WriteUnit(
                turn: TransactionFrame.isOnThread ? DispatchSemaphore(value: 0) : nil,
                run: { writer in result = .success(try body(writer)) },
                complete: { error in
                    if let error { result = .failure(error) }
                    done.signal()
                }
            )
            let leads = try enqueue(unit, mayLead: true)
            if !leads { unit.turn?.wait() }
            if leads || unit.turn != nil {
                runGroup([unit])
                handOver()
            }
            done.wait()
        }
        guard let result else {
            throw DBClientError(.engine, "The write unit ended without a result.")
        }
        return try result.get()
    }

    /// Runs a unit and returns when it is durable.
    public func run<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            nonisolated(unsafe) var value: Value?
            let unit = WriteUnit(
                run: { writer in value = try body(writer) },
                complete: { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else if let value {
                        continuation.resume(returning: value)
                    } else {
                        continuation.resume(
                            throwing: DBClientError(
                                .engine,
                                "The write unit ended without a result."
                            )
                        )
                    }
                }
            )
            do {
                _ = try enqueue(unit, mayLead: false)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Runs a transaction without a unit, soon, for what the engine itself writes.
    ///
    /// Units that are enqueued later are committed with it or after it. A failure has no consequence.
    package func runEmpty() {
        _ = try? enqueue(WriteUnit(run: nil, complete: { _ in }), mayLead: false)
    }

    /// Refuses later units, waits for those under way, and runs a body when nothing writes any more.
    public func close(_ body: () -> Void) {
        let (wasClosed, isActive) = state.withLock { state in
            defer { state.isClosed = true }
            return (state.isClosed, state.isActive)
        }
        if wasClosed { return }
        if isActive { lastUnitEnded.wait() }
        body()
    }

    /// Returns whether the caller shall run the unit itself.
    private func enqueue(_ unit: WriteUnit, mayLead: Bool) throws -> Bool {
        let (leads, wakes, isEnough) = try state.withLock { state in
            if state.isClosed { throw DBClientError(.closed, "The client was closed.") }
            if mayLead, state.thread == currentThread() {
                throw DBClientError(
                    .busy,
                    "A write of the same store is running on this thread and would wait for itself.",
                    hint: "Use the transaction that is open, or its client."
                )
            }
            let wasActive = state.isActive
            state.isActive = true
            if !wasActive && mayLead { return (true, false, false) }
            state.waiting.append(unit)
            let isEnough = state.wanted.map { state.waiting.count >= $0 } ?? false
            if isEnough { state.wanted = nil }
            return (false, !wasActive, isEnough)
        }
        if wakes { thread.async { self.drain() } }
        if isEnough { wantedUnitsCame.signal() }
        return leads
    }

    private func handOver() {
        let isIdle = state.withLock { state in
            if state.waiting.isEmpty { becomeIdle(&state) }
            return !state.isActive
        }
        if !isIdle { thread.async { self.drain() } }
    }

    private func drain() {
        while true {
            let group = state.withLock { state -> [WriteUnit] in
                let group = Self.nextGroup(of: state.waiting)
                state.waiting.removeFirst(group.count)
                if group.isEmpty { becomeIdle(&state) }
                return group
            }
            guard let first = group.first else { return }
            if let turn = first.turn {
                // Its caller hands the writer over in turn.
                turn.signal()
                return
            }
            let start = DispatchTime.now().uptimeNanoseconds
            let callers = runGroup(group)
            let duration = DispatchTime.now().uptimeNanoseconds - start
            gather(callers, for: patience(duration))
        }
    }

    /// Returns the units that run together next: the first alone where it stays on its caller's thread.
    private static func nextGroup(of waiting: [WriteUnit]) -> [WriteUnit] {
        if let first = waiting.first, first.turn != nil { return [first] }
        return Array(waiting.prefix(groupLimit).prefix { $0.turn == nil })
    }

    /// Waits until as many units wait as there are callers who may come back, or came meanwhile.
    private func gather(_ callers: Int, for nanoseconds: UInt64) {
        guard nanoseconds > 0 else { return }
        let wanted = min(callers, Self.groupLimit)
        let waits = state.withLock { state in
            // One caller alone shares its commits with nobody.
            guard wanted > 1, state.waiting.count < wanted, !state.isClosed else { return false }
            state.wanted = wanted
            return true
        }
        guard waits else { return }
        let deadline = DispatchTime.now() + .nanoseconds(Int(nanoseconds))
        guard wantedUnitsCame.wait(timeout: deadline) == .timedOut else { return }
        let isSignalled = state.withLock { state in
            defer { state.wanted = nil }
            return state.wanted == nil
        }
        if isSignalled { wantedUnitsCame.wait() }
    }

    private func becomeIdle(_ state: inout State) {
        state.isActive = false
        if state.isClosed { lastUnitEnded.signal() }
    }

    /// Runs units in one transaction.
    ///
    /// Empty ones must not make another run twice, so they have no part in it: what the engine itself writes
    /// is written with any unit, and alone where none was committed.
    ///
    /// - Returns: How many callers had a part in it or came before those were told of its end.
    @discardableResult
    private func runGroup(_ group: [WriteUnit]) -> Int {
        state.withLock { $0.thread = currentThread() }
        let units = group.contains(where: \.isEmpty) ? group.filter { !$0.isEmpty } : group
        if !units.isEmpty { runTogether(units) }
        if units.count < group.count, units.allSatisfy({ $0.failure != nil }) { runTogether([]) }
        let arrived = state.withLock { state in
            state.thread = nil
            return state.waiting.count { !$0.isEmpty }
        }
        for unit in group { unit.finish() }
        return units.count + arrived
    }

    /// Runs units in one transaction, again if the engine could repair what made it fail.
    private func runTogether(_ group: [WriteUnit]) {
        while true {
            do {
                try runOnce(group)
                break
            } catch {
                guard let failure = committer.recover(from: error) else { continue }
                for unit in group where unit.failure == nil { unit.failure = failure }
                break
            }
        }
    }

    /// Runs units in one transaction.
    ///
    /// What a unit itself throws is kept with the unit; what makes the whole transaction fail is
    /// thrown.
    private func runOnce(_ group: [WriteUnit]) throws {
        for unit in group { unit.failure = nil }
        if group.count < 2 {
            return try runInTransaction { capture in
                guard let unit = group.first else { return }
                try run(unit, capture.writer)
                capture.endUnit()
            }
        }
        let isCautious = state.withLock { state in
            defer { state.cautiousGroups = max(state.cautiousGroups - 1, 0) }
            return state.cautiousGroups > 0
        }
        if !isCautious, try runPlainly(group) { return }
        try runInTransaction { capture in
            for unit in group { try runInSavepoint(unit, capture) }
        }
    }

    /// Runs units without savepoints and returns whether all went well; otherwise nothing was done.
    private func runPlainly(_ group: [WriteUnit]) throws -> Bool {
        do {
            try runInTransaction { capture in
                for unit in group {
                    do {
                        try run(unit, capture.writer)
                    } catch {
                        throw capture.writer.hasFailed ? error : UnitFailure()
                    }
                    capture.endUnit()
                }
            }
            return true
        } catch is UnitFailure {
            state.withLock { $0.cautiousGroups = Self.cautiousGroupCount }
            return false
        }
    }

    private func runInTransaction(_ body: (CommitCapture) throws -> Void) throws {
        let writer = try committer.begin()
        var capture = CommitCapture(writer, hub)
        do {
            try body(capture)
            try committer.prepare(writer, units: capture.units)
            capture.willCommit()
            try committer.commit(writer)
        } catch {
            capture.didFail()
            committer.rollback(writer)
            throw error
        }
        capture.didCommit()
    }

    /// Runs a unit, and throws when it went on although the transaction is lost: what it wrote after that, and
    /// what units beside it would write, might stay.
    private func run(_ unit: WriteUnit, _ writer: any EngineWriter) throws {
        try unit.run(writer)
        guard writer.hasFailed else { return }
        throw DBClientError(
            .transactionEnded,
            "The transaction was lost, and the unit of work went on.",
            hint: "End the unit of work when a write of it fails for want of room or the like."
        )
    }

    private func runInSavepoint(_ unit: WriteUnit, _ capture: CommitCapture) throws {
        let writer = capture.writer
        try writer.beginSavepoint()
        do {
            try run(unit, writer)
        } catch {
            if writer.hasFailed { throw error }
            try writer.rollbackSavepoint()
            unit.failure = error
            return
        }
        try writer.releaseSavepoint()
        capture.endUnit()
    }
}

/// A unit threw, which is no failure of the transaction.
private struct UnitFailure: Error {}
