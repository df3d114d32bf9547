import Dispatch
import Foundation
import Synchronization

/// A thread that runs one job after another, so that what blocks does so outside of Swift's own
/// threads.
final class ConnectionThread: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    /// Counts the jobs, and the end.
    ///
    /// It wakes the thread by one call of the system's; a condition would wake it to wait for the lock.
    private let arrived = DispatchSemaphore(value: 0)

    /// Starts a thread with a name that debuggers show.
    init(named name: String) {
        let thread = Thread { [weak self] in
            while let job = self?.nextJob() { job() }
        }
        thread.name = name
        thread.stackSize = 2 << 20
        thread.start()
    }

    /// Has a job run after those before it.
    func run(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        arrived.signal()
    }

    /// Ends the thread when its jobs are done.
    func stop() {
        state.withLock { $0.isStopped = true }
        arrived.signal()
    }

    /// Waits for a job; nil at the end.
    private func nextJob() -> (@Sendable () -> Void)? {
        while true {
            arrived.wait()
            let (job, isOver) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isStopped)
            }
            if let job { return job }
            if isOver { return nil }
        }
    }
}
