import DBClientCore
import Foundation
import Synchronization

/// A lock that lets one process at a time write to a store, and the next wait no longer than a time-out.
///
/// LMDB's own lock is waited for without end. This one is the system's, on the file that LMDB has open: it
/// is taken first, so that its holder finds LMDB's free, and ends with its process. Where the file
/// system has no such locks, LMDB's is all there is.
///
/// One write of this process at a time takes it.
final class ProcessLock: Sendable {
    private struct State {
        /// Whether a write of this process has the lock.
        var isHeld = false
        /// Whether a thread waits for the lock.
        var isAwaited = false
        /// Signalled when that thread has taken the lock for the write that waits.
        var waiter: MonotonicSemaphore?
    }

    private let file: Int32
    private let timeout: Duration
    private let state = Mutex(State())

    /// Creates a lock on an open file, which stays open as long as the lock is used.
    init(file: Int32, timeout: Duration) {
        self.file = file
        self.timeout = timeout
    }

    /// Takes the lock.
    ///
    /// - Throws: `.busy` when another process has it for longer than the time-out; what the system says when
    ///   it can tell neither that nor that the file system has no such locks.
    func take() throws {
        let deadline = ContinuousClock.now + timeout
        while true {
            let (isTaken, waiter) = try state.withLock { state in
                if try takeUnlessHeld(&state) { return (true, MonotonicSemaphore?.none) }
                if !state.isAwaited { state.isAwaited = wait() }
                if state.isAwaited { state.waiter = MonotonicSemaphore() }
                return (false, state.waiter)
            }
            if isTaken { return }
            if let waiter { return try wait(waiter, until: deadline) }
            if ContinuousClock.now >= deadline { throw Self.busy() }
            usleep(1_000)
        }
    }

    /// Takes the lock unless another process has it, and returns whether it did; true also where the file
    /// system has no such locks.
    private func takeUnlessHeld(_ state: inout State) throws -> Bool {
        var code: Int32
        repeat {
            code = flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        } while code == EINTR
        if code == EWOULDBLOCK { return false }
        guard code == 0 || Self.isMissing(code) else { throw DBClientError.lmdb(code) }
        state.isHeld = true
        return true
    }

    /// Waits for the thread that waits for the lock.
    private func wait(_ waiter: MonotonicSemaphore, until deadline: ContinuousClock.Instant) throws
    {
        let left = (deadline - .now) / .nanoseconds(1)
        if waiter.wait(nanoseconds: UInt64(min(max(left, 0), 1e18))) { return }
        let isHeld = state.withLock { state in
            state.waiter = nil
            return state.isHeld
        }
        if !isHeld { throw Self.busy() }
    }

    /// Runs a function with the lock, unless a write of any process has it or waits for it.
    ///
    /// - Returns: Whether the function was run.
    func withLockUnlessTaken(_ body: () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isHeld, !state.isAwaited, flock(file, LOCK_EX | LOCK_NB) == 0 else {
                return false
            }
            defer { flock(file, LOCK_UN) }
            body()
            return true
        }
    }

    /// Releases the lock, for other processes to take.
    func release() {
        state.withLock { state in
            state.isHeld = false
            flock(file, LOCK_UN)
        }
    }

    /// Waits for the lock on a thread of its own, since the system's call has no time-out, and gives it to
    /// the write that waits by then.
    ///
    /// - Returns: False when the process has no descriptor left for that.
    private func wait() -> Bool {
        // The lock belongs to the open file, whichever descriptor of it and thread takes it. This
        // descriptor may outlive the store's.
        let file = fcntl(file, F_DUPFD_CLOEXEC, 0)
        if file < 0 { return false }
        Thread.detachNewThread { [self] in
            repeat {
                while flock(file, LOCK_EX) != 0, errno == EINTR {}
            } while !giveToWaiter(file)
            close(file)
        }
        return true
    }

    /// Gives the lock that was waited for to the write that waits, or releases it.
    ///
    /// - Returns: False when the lock has to be waited for again: a write has taken and released it since, and
    ///   another process has it.
    private func giveToWaiter(_ file: Int32) -> Bool {
        state.withLock { state in
            if let waiter = state.waiter {
                if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
                state.waiter = nil
                state.isHeld = true
                waiter.signal()
            } else if !state.isHeld {
                flock(file, LOCK_UN)
            }
            state.isAwaited = false
            return true
        }
    }

    /// Whether an error says that the file system has no such locks.
    private static func isMissing(_ code: Int32) -> Bool {
        [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, ENOLCK].contains(code)
    }

    private static func busy() -> DBClientError {
        DBClientError(
            .busy,
            "Another process holds the store.",
            hint: "Try again, or allow for a longer busyTimeout."
        )
    }
}
