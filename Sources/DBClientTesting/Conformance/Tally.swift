import Dispatch
import Foundation
import Synchronization

/// Runs a body that blocks on a thread of its own, so that it holds up no task.
func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result(catching: body))
        }
    }
}

/// Runs a body on a thread of its own while this one waits, in the middle of a transaction.
@discardableResult
func beside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>?>(nil)
    Thread.detachNewThread {
        let found = Result(catching: body)
        result.withLock { $0 = found }
        done.signal()
    }
    done.wait()
    guard let found = result.withLock({ $0 }) else {
        throw ConformanceFailure("the thread has ended without a result")
    }
    return try found.get()
}

/// Something kept longer than it should be, such as a transaction.
///
/// Unchecked, because a transaction is not `Sendable`: that is the misuse to be tried.
final class Kept<Value>: @unchecked Sendable {
    private let lock = Mutex<Void>(())
    private var value: Value?

    func keep(_ value: Value) {
        lock.withLock { _ in self.value = value }
    }

    func get() throws -> Value {
        guard let value = lock.withLock({ _ in value }) else {
            throw ConformanceFailure("nothing was kept")
        }
        return value
    }
}

/// Counts what happens on whatever thread.
final class Tally: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() {
        number.withLock { $0 += 1 }
    }
}
