#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A value behind a lock that many threads take often.
///
/// `Mutex` gives its lock to the thread that has waited longest, on Linux. That thread sleeps, and while it
/// wakes up no thread can use the lock, so the others come to wait, too; once that has happened, with more
/// threads than processors, each of them sleeps and wakes for every take. This lock goes to the thread that
/// comes first.
package struct UnfairMutex<Value>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Creates a lock that is free.
    package init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls a body that has the value to itself.
    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock()
        defer { unlock() }
        return try body(&value.pointee)
    }

    @usableFromInline
    borrowing func lock() {
        pthread_mutex_lock(mutex)
    }

    @usableFromInline
    borrowing func unlock() {
        pthread_mutex_unlock(mutex)
    }
}
