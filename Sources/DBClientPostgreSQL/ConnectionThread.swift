import Foundation

/// A thread that runs one job after another, so that what blocks does so outside of Swift's own
/// threads.
final class ConnectionThread: @unchecked Sendable {
    // Everything below is guarded by the condition.
    private let condition = NSCondition()
    private var jobs: [@Sendable () -> Void] = []
    private var isStopped = false

    /// Starts the thread.
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
        condition.lock()
        jobs.append(job)
        condition.signal()
        condition.unlock()
    }

    /// Ends the thread when its jobs are done.
    func stop() {
        condition.lock()
        isStopped = true
        condition.signal()
        condition.unlock()
    }

    private func nextJob() -> (@Sendable () -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty {
            if isStopped { return nil }
            condition.wait()
        }
        return jobs.removeFirst()
    }
}
