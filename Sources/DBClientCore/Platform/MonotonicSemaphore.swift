#if canImport(Darwin)
import Dispatch
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A semaphore whose waits with a time-out go by a clock that is never set.
///
/// On Linux `DispatchSemaphore` computes the end of such a wait by the clock of the day: when that is set back by an
/// hour meanwhile, the wait takes an hour longer, and when it is set forward, it ends at once. Where there is no
/// time-out, `DispatchSemaphore` does as well.
///
/// The count is 0 at first.
package final class MonotonicSemaphore: @unchecked Sendable {
    #if canImport(Darwin)
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// Lets one wait end, the present one or the next.
    package func signal() {
        semaphore.signal()
    }

    /// Waits for a signal, as long as it takes.
    package func wait() {
        semaphore.wait()
    }

    /// Waits for a signal, so many nanoseconds at most.
    ///
    /// - Returns: Whether there was one; if not, the next signal ends a later wait.
    package func wait(nanoseconds: UInt64) -> Bool {
        semaphore.wait(timeout: .now() + .nanoseconds(Int(clamping: nanoseconds))) == .success
    }
    #else
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    /// How many signals no wait has had yet; changed under the mutex.
    private var count = 0

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Lets one wait end, the present one or the next.
    package func signal() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        count += 1
        pthread_cond_signal(condition)
    }

    /// Waits for a signal, as long as it takes.
    package func wait() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count == 0 { pthread_cond_wait(condition, mutex) }
        count -= 1
    }

    /// Waits for a signal, so many nanoseconds at most.
    ///
    /// - Returns: Whether there was one; if not, the next signal ends a later wait.
    package func wait(nanoseconds: UInt64) -> Bool {
        var end = Self.moment(after: nanoseconds)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count == 0 {
            let code = pthread_cond_timedwait(condition, mutex, &end)
            // Any other failure would come again at once, for ever.
            if code != 0, count == 0 { return false }
        }
        count -= 1
        return true
    }

    /// The moment after so many nanoseconds, of some centuries at most.
    private static func moment(after nanoseconds: UInt64) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let sum = UInt64(time.tv_nsec) + min(nanoseconds, UInt64(Int64.max))
        time.tv_sec += Int(sum / 1_000_000_000)
        time.tv_nsec = Int(sum % 1_000_000_000)
        return time
    }
    #endif
}
