import Synchronization

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
