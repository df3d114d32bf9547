import DBClientCore
import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells the listeners of other processes that a client has written to a store with a journal, and removes what
/// is old from that.
///
/// Commits that notify wait for each other on the server, so no transaction that writes does: it is done
/// afterwards, on a connection of the pool, once for all commits since the last time. Where it fails, listeners
/// find the commits by themselves a moment later.
final class JournalNotifier: Sendable {
    private struct State {
        var isRunning = false
        /// Whether there was a commit since the last notification began.
        var isWanted = false
        /// When rows were removed last, in nanoseconds of uptime.
        var trimmed: UInt64?
    }

    private let pool: ConnectionPool
    private let journal: JournalReader
    private let state = Mutex(State())

    /// Commits that are so close to each other are one piece of news, in microseconds.
    private static let pause: UInt32 = 1_000
    /// Old rows are removed so often, in nanoseconds.
    static let trimmingTime: UInt64 = 60_000_000_000

    init(_ pool: ConnectionPool, _ journal: JournalReader) {
        self.pool = pool
        self.journal = journal
    }

    /// Notifies the listeners of a commit, a moment later, if there is a journal.
    func notify() {
        let mustRun = state.withLock { state in
            state.isWanted = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustRun else { return }
        let thread = pool.takeThread()
        thread.run { [self] in
            run()
            pool.give(thread)
        }
    }

    private func run() {
        while state.withLock({ state in
            state.isRunning = state.isWanted
            state.isWanted = false
            return state.isRunning
        }) {
            do {
                let session = try pool.sessionBlocking()
                defer { pool.give(session) }
                // Another client may have installed it since this one began.
                if !journal.isInstalled {
                    try Journal.look(for: journal, through: session.connection)
                }
                guard journal.isInstalled else { continue }
                try Journal.notify(through: session.connection)
                if isTimeToTrim { Journal.trim(through: session.connection) }
            } catch {
                // The listeners look all the same.
            }
            usleep(Self.pause)
        }
    }

    /// Whether it was long ago; the first time, by chance: there may be many short-lived processes.
    private var isTimeToTrim: Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        return state.withLock { state in
            guard let trimmed = state.trimmed else {
                state.trimmed = now
                return Int.random(in: 0..<8) == 0
            }
            guard now - min(now, trimmed) > Self.trimmingTime else { return false }
            state.trimmed = now
            return true
        }
    }
}
