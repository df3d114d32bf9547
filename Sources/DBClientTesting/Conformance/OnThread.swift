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
