import Dispatch
import Synchronization

/// How an engine finds out about foreign commits: those of other processes, and of programs without the library.
///
/// A hub asks only while it has observers. What is found is told by
/// ``ChangeHub/noteForeignCommit(entities:)`` or ``ChangeHub/noteForeignCommit(reading:)``.
public protocol ForeignCommits: AnyObject, Sendable {
    /// Notes the present state of the store as known; called when the first observer begins.
    ///
    /// Every foreign commit from here on must be told of, now or at the next look.
    func beginWatching()

    /// Looks for foreign commits since the last look, and tells the hub of those that there are or may be, or that the
    /// store was lost.
    func look()

    /// Releases what watching needs; called when the last observer has ended.
    func endWatching()

    /// Learns which entities are observed, by their names; called after ``beginWatching()``
    /// and whenever they change.
    func observe(_ names: Set<EntityName>)

    /// Tells the hub, before it returns, of every commit that a snapshot taken before the call has.
    ///
    /// Needed where commits are told row by row, since a row that was read must not be followed by
    /// what made it. Called on any thread, inside transactions as well, so it must not wait for one.
    func catchUp()

    /// Whether ``catchUp()`` may leave a commit untold that a snapshot has.
    ///
    /// Then ``settle()`` is called before what was read is put together with what was read earlier, or with
    /// the rows of commits.
    var mayTellLate: Bool { get }

    /// Tells the hub, before it returns, of every commit that a snapshot taken before the call has,
    /// whatever it takes: waiting for a write or a server as well.
    ///
    /// Asked for where a reading may have foreign commits: see ``mayTellLate``, and where an observer
    /// need not be told of what it wrote itself. Called outside transactions. Where that cannot be found out, it counts as a
    /// commit.
    func settle() async
}

extension ForeignCommits {
    /// Does nothing: by default an engine looks at the commits to every entity.
    public func observe(_ names: Set<EntityName>) {}

    /// Does nothing, which is the default.
    public func catchUp() {}

    /// False: by default ``catchUp()`` tells of every commit that a snapshot has.
    public var mayTellLate: Bool { false }

    /// Calls ``catchUp()``, which is all that is needed where foreign commits are never told late.
    public func settle() async { catchUp() }
}

/// Looks for foreign commits from time to time while there are observers.
final class ForeignCommitWatch: Sendable {
    private struct State {
        var sources: [any ForeignCommits] = []
        var timer: (any DispatchSourceTimer)?
        /// The names of the entities that are observed; empty while there is no observer.
        var names = Set<EntityName>()
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "DBClientCore.ForeignCommitWatch", qos: .utility)

    /// The time between two looks: short for a person, and some forty looks of a microsecond a second.
    private static let interval = DispatchTimeInterval.milliseconds(25)

    /// Adds a source; each client that has the store open by itself has one.
    func add(_ source: any ForeignCommits) {
        state.withLock { state in
            state.sources.append(source)
            guard state.timer != nil else { return }
            source.beginWatching()
            source.observe(state.names)
        }
    }

    /// Removes a source, and ends its watching where it watches.
    func remove(_ source: any ForeignCommits) {
        state.withLock { state in
            state.sources.removeAll { $0 === source }
            if state.timer != nil { source.endWatching() }
        }
    }

    /// Watches as long as a function names entities.
    func update(_ names: () -> Set<EntityName>) {
        state.withLock { state in
            let names = names()
            if names == state.names { return }
            state.names = names
            if names.isEmpty {
                state.timer?.cancel()
                state.timer = nil
                for source in state.sources { source.endWatching() }
                return
            }
            let isNew = state.timer == nil
            for source in state.sources {
                if isNew { source.beginWatching() }
                source.observe(names)
            }
            guard isNew else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(
                deadline: .now() + Self.interval,
                repeating: Self.interval,
                leeway: .milliseconds(5)
            )
            timer.setEventHandler { [weak self] in self?.look() }
            timer.activate()
            state.timer = timer
        }
    }

    private func look() {
        for source in sources { source.look() }
    }

    /// Has everything told that a snapshot taken before has.
    func catchUp() {
        for source in sources { source.catchUp() }
    }

    /// Whether a snapshot may have a commit that was not told.
    var mayTellLate: Bool { sources.contains { $0.mayTellLate } }

    /// Has everything told that a snapshot taken before has, waiting for it.
    func settle() async {
        for source in sources { await source.settle() }
    }

    private var sources: [any ForeignCommits] { state.withLock { $0.sources } }

    deinit {
        state.withLock { $0.timer?.cancel() }
    }
}
