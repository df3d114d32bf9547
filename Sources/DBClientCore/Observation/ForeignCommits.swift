import Dispatch
import Synchronization

/// How an engine finds out that others, such as another process, committed to its store.
///
/// A hub asks only while somebody observes. What is found is told by
/// ``ChangeHub/noteForeignCommit(entities:)``.
public protocol ForeignCommits: AnyObject, Sendable {
    /// Takes what the store has now for known; called when somebody begins to observe.
    ///
    /// Whatever others commit from here on must be told, now or at the next look.
    func beginWatching()

    /// Looks whether others committed since the last look, and tells the hub if they did or may have.
    func look()

    /// Lets go of what watching needs; called when nobody observes any more.
    func endWatching()
}

/// Looks for foreign commits from time to time while somebody observes.
final class ForeignCommitWatch: Sendable {
    private struct State {
        var sources: [any ForeignCommits] = []
        var timer: (any DispatchSourceTimer)?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "DBClientCore.ForeignCommitWatch", qos: .utility)

    /// The time between two looks: short for a person, and some forty looks of a microsecond a second.
    private static let interval = DispatchTimeInterval.milliseconds(25)

    /// Adds a source; each client that has the store open by itself has one.
    func add(_ source: any ForeignCommits) {
        state.withLock { state in
            state.sources.append(source)
            if state.timer != nil { source.beginWatching() }
        }
    }

    /// Takes a source away.
    func remove(_ source: any ForeignCommits) {
        state.withLock { state in
            state.sources.removeAll { $0 === source }
            if state.timer != nil { source.endWatching() }
        }
    }

    /// Watches or not, as a function says.
    func update(_ isNeeded: () -> Bool) {
        state.withLock { state in
            guard (state.timer != nil) != isNeeded() else { return }
            if let timer = state.timer {
                timer.cancel()
                state.timer = nil
                for source in state.sources { source.endWatching() }
                return
            }
            for source in state.sources { source.beginWatching() }
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
        let sources = state.withLock { $0.sources }
        for source in sources { source.look() }
    }

    deinit {
        state.withLock { $0.timer?.cancel() }
    }
}
