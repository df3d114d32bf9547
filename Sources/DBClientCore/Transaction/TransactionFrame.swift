import Synchronization

/// The transactions that are running on a thread, innermost first, so that a call on the same client
/// inside a body joins it instead of waiting for it.
struct TransactionFrame {
    let engine: any Engine
    let transaction: ReadTransaction
    fileprivate let outer: UnsafePointer<TransactionFrame>?

    /// Returns the innermost transaction of an engine on this thread.
    static func current(of engine: any Engine) -> TransactionFrame? {
        first { $0.pointee.engine === engine }
    }

    /// Returns the engine of a transaction, or of the one that it is a savepoint of, where it runs on this
    /// thread.
    static func engine(of transaction: ReadTransaction) -> (any Engine)? {
        let outermost = transaction.outermost
        return first { $0.pointee.transaction === outermost }?.engine
    }

    @inline(__always)
    private static func first(
        where isWanted: (UnsafePointer<TransactionFrame>) -> Bool
    ) -> TransactionFrame? {
        var next = ThreadSlot.frames.get().map {
            UnsafePointer($0.assumingMemoryBound(to: TransactionFrame.self))
        }
        while let frame = next {
            if isWanted(frame) { return frame.pointee }
            next = frame.pointee.outer
        }
        return nil
    }

    /// Runs a body with a transaction as the innermost one.
    static func with<Value>(
        _ transaction: ReadTransaction,
        of engine: any Engine,
        _ body: () throws -> Value
    ) rethrows -> Value {
        let outer = ThreadSlot.frames.get()
        var frame = TransactionFrame(
            engine: engine,
            transaction: transaction,
            outer: UnsafePointer(outer?.assumingMemoryBound(to: TransactionFrame.self))
        )
        return try withUnsafeMutablePointer(to: &frame) { pointer in
            ThreadSlot.frames.set(UnsafeMutableRawPointer(pointer))
            defer { ThreadSlot.frames.set(outer) }
            return try body()
        }
    }
}

/// Whether the task that asked for a write was cancelled, readable from the writer's thread.
final class Cancellation: Sendable {
    private let isCancelled = Atomic(false)

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
    }

    func check() throws {
        if isCancelled.load(ordering: .acquiring) {
            throw DBClientError(.cancelled, "The task was cancelled; nothing was written.")
        }
    }
}

extension Task where Success == Never, Failure == Never {
    static func checkNotCancelled() throws {
        if isCancelled {
            throw DBClientError(.cancelled, "The task was cancelled; nothing was done.")
        }
    }
}
