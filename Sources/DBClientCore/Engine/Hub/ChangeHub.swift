import Dispatch
import Synchronization

/// The hub that tells the observers of a store of its commits: one for each store, shared by all its clients
/// in a process.
///
/// One thread at a time has the observers. A writer whose commit is small takes them, if no other thread has
/// them, and tells those that it concerns before it continues, which spares waking a thread and lets what it
/// wrote be observed once its call has returned. Everything else, such as large commits, and whatever comes
/// while another thread has the observers, is left to the hub's own queue: a writer never waits. Without
/// observers, a write costs one look at an atomic number.
///
/// An engine holds a hub and passes it to its `WriteQueue`. One whose store other processes write to calls
/// ``noteForeignCommit(entities:)`` when it learns of such a commit, or ``noteForeignCommit(reading:)`` when
/// it can tell what the commit did; ``ForeignCommits`` tells it when there is an observer that needs it.
public final class ChangeHub: Sendable {
    private struct State {
        var watches = WatchList.empty
        var order = CommitOrder()
        /// Whether a thread has the observers, or the queue was asked to take them.
        var isTaken = false
        /// The work to be done on the observers before they are told of the next commit.
        var joining: [@Sendable (ObserverRegistry) -> Void] = []
        /// The other work to be done on the observers.
        var jobs: [Job] = []
        /// Whether a result waits for commits to end.
        var isAwaited = false
        /// Whether there is anything to tell the observers.
        var hasNews = false

        /// Notes that there is something to do, and returns whether the caller is the one to do it.
        mutating func take() -> Bool {
            hasNews = true
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// Something to do with the observers once every commit up to a number was told.
    private struct Job {
        let number: UInt64
        let run: @Sendable (ObserverRegistry) -> Void
    }

    /// The work to be done on the observers.
    private struct News {
        let joining: [@Sendable (ObserverRegistry) -> Void]
        let commits: [CapturedCommit]
        let isAwaited: Bool
        let jobs: [Job]
    }

    /// The consequence of the end of a commit.
    private enum Consequence {
        case none
        case wakeQueue
        /// Small, and the caller has the observers.
        case tell(CapturedCommit)
    }

    private let state = UnfairMutex(State())
    /// Rises with each change of the watch list; even while there are no observers.
    private let generation = Atomic<Int>(0)
    /// Tells observers where the writer must not: too many of them, or another thread that is telling them.
    private let queue = DispatchQueue(label: "DBClientCore.ChangeHub", qos: .userInitiated)
    private let registry = ObserverRegistry()
    private let foreign = ForeignCommitWatch()

    /// Creates a hub for one store, without observers; it captures nothing until there are some.
    public init() {}

    // MARK: Watching

    /// Changes which entities are observed.
    ///
    /// A unit that began before does not capture the new entities, so its end counts as an unseen
    /// change of them.
    func changeWatches(_ change: (WatchList) -> WatchList) {
        setWatches(change)
        // Before anything is read, so that foreign commits meanwhile are noticed.
        foreign.update { state.withLock { $0.watches.names } }
    }

    private func setWatches(_ change: (WatchList) -> WatchList) {
        state.withLock { state in
            state.watches = change(state.watches)
            let odd = generation.load(ordering: .relaxed) | 1
            generation.store(
                state.watches.needsNothing ? odd + 1 : odd + 2,
                ordering: .sequentiallyConsistent
            )
        }
    }

    /// Runs a body with the observers before any commit is told that ends from now on, so that an observer
    /// which it adds misses none.
    ///
    /// - Parameters:
    ///   - note: Takes the number of the last earlier commit, before any later one is told. Earlier ones
    ///     may be told as well.
    ///   - body: The body.
    func join(
        after note: (UInt64) -> Void = { _ in },
        _ body: @escaping @Sendable (ObserverRegistry) -> Void
    ) {
        let mustWake = state.withLock { state in
            note(state.order.resolved)
            state.joining.append(body)
            return state.take()
        }
        if mustWake { wakeQueue() }
    }

    /// Runs a body with the observers, later.
    ///
    /// In turn, it runs once every commit was told that has begun, so that an observer which it adds finds
    /// what was committed before, and after those that were to run in turn before it.
    func perform(
        inTurn: Bool = false,
        _ body: @escaping @Sendable (ObserverRegistry) -> Void
    ) {
        let mustWake = state.withLock { state in
            state.jobs.append(Job(number: inTurn ? state.order.begun : 0, run: body))
            return state.take()
        }
        if mustWake { wakeQueue() }
    }

    /// Every commit up to this number has ended, and a snapshot taken from now on has it.
    var resolvedNumber: UInt64 { state.withLock { $0.order.resolved } }
    /// No commit after this number has begun, and no snapshot taken until now has one.
    var begunNumber: UInt64 {
        foreign.catchUp()
        return state.withLock { $0.order.begun }
    }

    /// Whether a snapshot may have a foreign commit that has no number yet.
    var mayTellLate: Bool { foreign.mayTellLate }

    /// The begun number, once every foreign commit has one that a snapshot taken until now has.
    var settledNumber: UInt64 {
        get async {
            await foreign.settle()
            return begunNumber
        }
    }

    // MARK: Capturing

    /// The state of the watch list, to be compared when the unit ends.
    var watchGeneration: Int { generation.load(ordering: .sequentiallyConsistent) }

    /// Returns a recorder for a transaction, or nil while there are no observers.
    func makeRecorder(_ generation: Int) -> CommitRecorder? {
        if generation & 1 == 0 { return nil }
        return CommitRecorder(state.withLock { $0.watches })
    }

    /// Takes the next number; called inside the engine's write transaction, so that numbers follow the
    /// order of commits.
    func beginCommit() -> UInt64 {
        state.withLock { $0.order.begin() }
    }

    /// Publishes a commit that succeeded, or resolves the number of one that failed.
    ///
    /// - Parameters:
    ///   - number: The commit's number.
    ///   - recorder: What it did; nil when it failed.
    ///   - generation: The state of the watch list when the transaction began.
    ///   - names: The entities that the store wrote to by itself.
    func endCommit(
        _ number: UInt64,
        _ recorder: CommitRecorder?,
        since generation: Int,
        unseen names: Set<EntityName> = []
    ) {
        end(number) { watches in
            let isStale = self.generation.load(ordering: .relaxed) != generation
            return recorder?.finish(isStale ? watches : nil, unseen: names) ?? []
        }
    }

    private func end(_ number: UInt64, _ units: (WatchList) -> [CapturedUnit]) {
        let consequence = state.withLock { state in
            Self.resolve(number, units(state.watches), in: &state)
        }
        carryOut(consequence)
    }

    /// Publishes changes of which only the entities are known, and perhaps not before which commits they were
    /// made that have begun and not ended.
    func publishUnseen(_ unseen: UntrackedChanges, mayBeEarlier: Bool = false) {
        let unit = CapturedUnit(
            logs: [],
            unseen: unseen,
            silenced: [],
            mayBeEarlier: mayBeEarlier
        )
        let consequence = state.withLock { state in
            if state.watches.isEmpty { return Consequence.none }
            return Self.resolve(state.order.begin(), [unit], in: &state)
        }
        carryOut(consequence)
    }

    private func carryOut(_ consequence: Consequence) {
        switch consequence {
        case .none: break
        case .wakeQueue: wakeQueue()
        case .tell(let commit): tell(commit)
        }
    }

    /// Notes the end of a commit, and delivers the commits that are next in order.
    private static func resolve(
        _ number: UInt64,
        _ units: [CapturedUnit],
        in state: inout State
    ) -> Consequence {
        let isIdle = !state.hasNews && !state.isTaken && !state.isAwaited
        if let commit = state.order.end(number, units, canTell: isIdle) {
            state.isTaken = true
            return .tell(commit)
        }
        guard !state.order.inbox.isEmpty || state.isAwaited else { return .none }
        return state.take() ? .wakeQueue : .none
    }

    /// Tells the observers of a small commit on the writer's thread, which has them, unless they are many.
    private func tell(_ commit: CapturedCommit) {
        guard registry.receive(commit, atMost: Self.readerLimit) else {
            return queue.async {
                _ = self.registry.receive(commit)
                self.drain()
            }
        }
        let mustWake = state.withLock { state in
            if !state.hasNews { state.isTaken = false }
            return state.isTaken
        }
        if mustWake { wakeQueue() }
    }

    /// The most observers that a writer tells itself; the queue tells more.
    private static let readerLimit = 16

    /// How many commits wait for the queue, and how many written rows they have.
    var backlog: (commits: Int, rows: Int) {
        state.withLock { ($0.order.inbox.count, $0.order.inboxRows) }
    }

    /// How many commits wait for the end of an earlier one, and how many written rows they have.
    var earlyBacklog: (commits: Int, rows: Int) { state.withLock { $0.order.earlyBacklog } }

    /// How many bodies wait to run with the observers, in turn or not.
    var waitingJobCount: Int { state.withLock { $0.jobs.count } }

    /// Returns whether every commit up to a number has ended and was delivered; if not, the observers are
    /// called when more have.
    func hasHandedOver(_ number: UInt64) -> Bool {
        state.withLock { state in
            if state.order.hasHandedOver(number) {
                return true
            }
            state.isAwaited = true
            return false
        }
    }

    private func wakeQueue() {
        queue.async { self.drain() }
    }

    /// Does what there is to do, and gives the observers back.
    private func drain() {
        while let news = takeNews() {
            for join in news.joining { join(registry) }
            for commit in news.commits { _ = registry.receive(commit) }
            if news.isAwaited { registry.proceed() }
            for job in news.jobs { job.run(registry) }
        }
    }

    private func takeNews() -> News? {
        state.withLock { state in
            guard state.hasNews else {
                state.isTaken = false
                return nil
            }
            let later = state.jobs.filter { $0.number > state.order.resolved }
            defer {
                state.order.emptyInbox()
                state.joining = []
                state.jobs = later
                state.hasNews = false
                state.isAwaited = !later.isEmpty
            }
            return News(
                joining: state.joining,
                commits: state.order.inbox,
                isAwaited: state.isAwaited,
                jobs: later.isEmpty
                    ? state.jobs : state.jobs.filter { $0.number <= state.order.resolved }
            )
        }
    }

    // MARK: Engines

    /// Adds a source of foreign commits to the store.
    public func add(_ source: any ForeignCommits) {
        foreign.add(source)
    }

    /// Removes a source of foreign commits, before the engine closes.
    public func remove(_ source: any ForeignCommits) {
        foreign.remove(source)
    }

    /// Tells the observers that another process or connection committed rows of some entities, given by
    /// their stored names, or of any, for nil.
    ///
    /// Called when the commit can be read. What depends on the entities is read again and compared, so
    /// a call too many costs a look and changes nothing. The commit comes before those of this process that
    /// have not ended: no observer is told of one of these without it.
    public func noteForeignCommit(entities: Set<String>? = nil) {
        publishUnseen(
            entities.map { .entities(Set($0.map { EntityName($0) })) } ?? .all,
            mayBeEarlier: true
        )
    }

    /// Tells the observers what another process or connection committed.
    ///
    /// The commit, or several as one, takes its place in the order now, before every commit that begins
    /// later. What it did is read later, when no writer waits for it.
    ///
    /// - Parameter reading: Returns what was committed, one unit after another; it is called once, on
    ///   the hub's queue, with the entities that are observed, by their names. What it does
    ///   not know exactly it tells by ``CapturedUnit/init(logs:unseen:)``.
    public func noteForeignCommit(
        reading: @escaping @Sendable (_ observed: [EntityName: EntitySchema]) -> [CapturedUnit]
    ) {
        let (number, observed) = state.withLock { state in
            if !state.watches.isEmpty { _ = state.order.begin() }
            return (state.order.begun, state.watches.entities)
        }
        if observed.isEmpty { return }
        queue.async {
            let units = reading(observed)
            self.end(number) { _ in units }
        }
    }

    /// Has the rows of some entities captured for other processes, given by their names.
    ///
    /// What the units of a transaction that begins from now on do to them is passed to the engine by
    /// ``GroupCommitter/prepare(_:units:)``.
    public func capture(forOthers names: Set<EntityName>) {
        setWatches { $0.changing(others: names) }
    }

    /// Ends everything that is observed through an engine, whose client was closed, and whatever begins
    /// later.
    func end(subscribersOf engine: any Engine, _ error: DBClientError) {
        perform { $0.end(subscribersOf: engine, error) }
    }

    /// Ends everything that is observed with an error, since the store is not what is under its name any more: its file
    /// was deleted or replaced.
    ///
    /// Observations that begin later are not ended by this call.
    public func noteLoss(_ error: DBClientError) {
        perform { $0.end(error) }
    }
}
