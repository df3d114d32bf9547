import Dispatch

/// Runs units of work on an embedded engine's one writer, and lets those that wait share a commit.
///
/// While one group is being made durable, the units that arrive wait together and become the next group, and
/// one sync to disk serves them all. A blocking caller that finds the writer idle runs on its own thread,
/// with no hop; the units of all other callers run on the queue's thread.
///
/// A blocking caller that is inside a transaction, which is of another store, waits for the writer and then
/// runs on its own thread too: elsewhere its unit would not be inside that transaction any more, would not
/// see what was written there, and might wait for its end.
///
/// Callers that write one unit after another come back within microseconds of being told of the last one.
/// The thread begins the next group when the first of them are there, and others join it while it runs; it
/// gives them a moment before it commits. Otherwise the first to come back would have a sync to itself, and
/// all the others would wait for it.
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
        /// How many units the thread waits for before it continues.
        var wanted: Int?
    }

    let committer: any GroupCommitter
    let hub: ChangeHub?
    private let state = UnfairMutex(State())
    private let thread: DispatchQueue
    private let patience: @Sendable (UInt64) -> UInt64
    /// Signalled once, when the queue is closed and its last unit has ended.
    private let lastUnitEnded = DispatchSemaphore(value: 0)
    /// Signalled when as many units wait as are wanted.
    private let wantedUnitsCame = MonotonicSemaphore()

    /// The most units that share a commit: beyond this the sync is spread thinly enough, and the
    /// first of the group should not wait longer.
    private static let groupLimit = 512

    /// A group begins once one in this many of the callers that may come back has done so.
    private static let headStart = 8

    /// After a unit has thrown in a group, this many groups expect another to: a caller that does so often
    /// must not make the other callers' units run twice.
    private static let cautiousGroupCount = 32

    /// Creates a queue for an engine, whose commits a hub tells to the observers of the store.
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

    /// Returns how many nanoseconds to wait for callers to come back, given how many the group took.
    ///
    /// At most an eighth of them: that much is lost when no caller comes, and as much as a whole group is won
    /// when all do. A thread sleeps 50 us about as well as not at all, and a caller that comes back has done
    /// so within a millisecond.
    package static func patience(after duration: UInt64) -> UInt64 {
        let wait = duration / 8
        return wait < 50_000 ? 0 : min(wait, 1_000_000)
    }

    /// How many units wait for the writer.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

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
                turn: ThreadSlot.hasTransaction ? DispatchSemaphore(value: 0) : nil,
                run: { writer in result = .success(try body(writer)) },
                complete: { error in
                    if let error { result = .failure(error) }
                    done.signal()
                }
            )
            let leads = try enqueue(unit, mayLead: true)
            if !leads { unit.turn?.wait() }
            if leads || unit.turn != nil {
                run(WriteGroup([unit]))
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

    /// Returns whether the caller must run the unit itself.
    private func enqueue(_ unit: WriteUnit, mayLead: Bool) throws -> Bool {
        let (leads, wakes, isEnough) = try state.withLock { state in
            if state.isClosed { throw DBClientError(.closed, "The client was closed.") }
            if mayLead, state.thread == currentThread() {
                throw DBClientError(
                    .busy,
                    "A write must not wait for one of the same store that runs on the same thread.",
                    hint: "Use the open transaction, or its client."
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
        var guests = ExpectedWriters()
        while true {
            if guests.count > 1 { wait(for: max(guests.count / Self.headStart, 1), &guests) }
            let units = state.withLock { state -> [WriteUnit] in
                let units = Self.nextUnits(of: &state.waiting, Self.groupLimit)
                if units.isEmpty, state.waiting.isEmpty { becomeIdle(&state) }
                return units
            }
            guard let first = units.first else { return }
            if let turn = first.turn {
                // Its caller passes the writer on in turn.
                turn.signal()
                return
            }
            let start = DispatchTime.now().uptimeNanoseconds
            let callers = run(WriteGroup(units, guests))
            guests = ExpectedWriters(
                count: min(callers, Self.groupLimit),
                patience: patience(DispatchTime.now().uptimeNanoseconds - start)
            )
        }
    }

    /// Takes units that may run together next, up to a limit: the first alone where it stays on its caller's
    /// thread.
    private static func nextUnits(of waiting: inout [WriteUnit], _ limit: Int) -> [WriteUnit] {
        let count =
            waiting.first?.turn == nil ? waiting.prefix(limit).prefix { $0.turn == nil }.count : 1
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    /// Adds units to a group that is running, and returns whether there are any.
    ///
    /// Waits for them as long as the group does.
    func join(_ group: WriteGroup) -> Bool {
        let missing = group.missingGuests
        guard missing > 0, var units = takeGuests(missing) else { return false }
        if units.isEmpty {
            wait(for: missing, &group.guests)
            units = takeGuests(missing) ?? []
        }
        group.append(units)
        return !units.isEmpty
    }

    /// Takes units that may join a group; nil when the next one has a transaction of its own, since it stays
    /// on its caller's thread.
    private func takeGuests(_ count: Int) -> [WriteUnit]? {
        state.withLock { state in
            if state.waiting.first?.turn != nil { return nil }
            return Self.nextUnits(of: &state.waiting, count)
        }
    }

    /// Waits until a number of units wait, as long as there is patience.
    private func wait(for wanted: Int, _ guests: inout ExpectedWriters) {
        guard guests.patience > 0 else { return }
        let waits = state.withLock { state in
            guard state.waiting.count < wanted, !state.isClosed else { return false }
            state.wanted = wanted
            return true
        }
        guard waits else { return }
        let start = DispatchTime.now().uptimeNanoseconds
        if !wantedUnitsCame.wait(nanoseconds: guests.patience) {
            let isSignalled = state.withLock { state in
                defer { state.wanted = nil }
                return state.wanted == nil
            }
            if isSignalled { wantedUnitsCame.wait() }
        }
        let time = DispatchTime.now().uptimeNanoseconds - start
        guests.patience -= min(time, guests.patience)
    }

    private func becomeIdle(_ state: inout State) {
        state.isActive = false
        if state.isClosed { lastUnitEnded.signal() }
    }

    /// Runs a group and tells its callers how it ended.
    ///
    /// - Returns: How many callers had a part in it or came before those were told of its end.
    @discardableResult
    private func run(_ group: WriteGroup) -> Int {
        state.withLock { $0.thread = currentThread() }
        runWhole(group)
        let arrived = state.withLock { state in
            state.thread = nil
            return state.waiting.count { !$0.isEmpty }
        }
        group.finish()
        return group.units.count + arrived
    }

    /// Whether the next group is to run with savepoints from the start, which counts as one such group.
    func takeCaution() -> Bool {
        state.withLock { state in
            defer { state.cautiousGroups = max(state.cautiousGroups - 1, 0) }
            return state.cautiousGroups > 0
        }
    }

    /// Has the next groups expect a unit to throw.
    func beCautious() {
        state.withLock { $0.cautiousGroups = Self.cautiousGroupCount }
    }
}
