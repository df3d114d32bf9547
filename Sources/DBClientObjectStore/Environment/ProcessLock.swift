import DBClientCore
import Dispatch
import Foundation
import Synchronization

/// Lets one process at a time write to a store, and others wait no longer than a time-out.
///
/// LMDB's own lock is waited for without end. This one is the system's, on the file that LMDB has open: it
/// is taken first, so that whoever has it finds LMDB's free, and ends with its process. Where the file
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
        var waiter: DispatchSemaphore?
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
    /// - Throws: `.busy` when another process has it for longer than the time-out.
    func take() throws {
        let waiter = state.withLock { state -> DispatchSemaphore? in
            if flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK {
                state.isHeld = true
                return nil
            }
            let waiter = DispatchSemaphore(value: 0)
            state.waiter = waiter
            if !state.isAwaited {
                state.isAwaited = true
                wait()
            }
            return waiter
        }
        guard let waiter else { return }
        let nanoseconds = Int(min(max(timeout / .nanoseconds(1), 0), 1e18))
        guard waiter.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .timedOut else { return }
        let isHeld = state.withLock { state in
            state.waiter = nil
            return state.isHeld
        }
        if isHeld { return }
        throw DBClientError(
            .busy,
            "Another process holds the store.",
            hint: "Try again, or allow for a longer busyTimeout."
        )
    }

    /// Lets the lock go.
    func release() {
        state.withLock { state in
            state.isHeld = false
            flock(file, LOCK_UN)
        }
    }

    /// Waits for the lock on a thread of its own, since the system's call has no time-out, and gives it to
    /// the write that waits by then.
    private func wait() {
        // The lock belongs to the open file, whichever descriptor of it and thread takes it. This
        // descriptor may outlive the store's.
        let file = fcntl(file, F_DUPFD_CLOEXEC, 0)
        Thread.detachNewThread { [self] in
            repeat {
                while flock(file, LOCK_EX) != 0, errno == EINTR {}
            } while !giveToWaiter(file)
            close(file)
        }
    }

    /// Gives the lock that was waited for to the write that waits, or lets it go.
    ///
    /// - Returns: False when the lock has to be waited for again: a write has taken it and let it go since,
    ///   and another process has it.
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
}
