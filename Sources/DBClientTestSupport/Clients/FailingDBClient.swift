public import DBClientCore
import Synchronization

/// A client of which one call fails: to try what an app makes of it, call by call.
///
/// ```swift
/// for number in 1...3 {
///     let store = InMemoryDBClient()
///     let client = FailingDBClient(store, atCall: number)
///     await #expect(throws: DBClientError.self) { try await importHeroes(into: client) }
///     #expect(try await store.count(Hero.all) == 0)
/// }
/// ```
public final class FailingDBClient: DBClientDecorator {
    /// The client that does the work.
    public let base: any DBClient
    private let fault: Fault

    /// Creates a client that fails once.
    ///
    /// - Parameters:
    ///   - base: The client that does the work.
    ///   - number: Which call of a transaction fails, counted from one over all transactions.
    ///   - error: What it throws in place of what it would do.
    ///   - counts: Which calls count; by default every one.
    public init(
        _ base: any DBClient = InMemoryDBClient(),
        atCall number: Int,
        with error: any Error = DBClientError(.io, "The call was made to fail."),
        counting counts: @escaping @Sendable (TransactionCall) -> Bool = { _ in true }
    ) {
        self.base = base
        fault = Fault(number, error, counts)
    }

    /// Whether the call was made that fails.
    public var hasFailed: Bool { fault.remaining.withLock { $0 } <= 0 }

    /// Returns the interceptor that makes one call fail.
    public func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? {
        fault
    }

    /// Yes, of the calls that write; those that read are transactions, so that each is seen once.
    public var forwardsSingleCalls: Bool { true }

    private final class Fault: TransactionInterceptor, Sendable {
        let remaining: Mutex<Int>
        private let error: any Error
        private let counts: @Sendable (TransactionCall) -> Bool

        init(
            _ number: Int,
            _ error: any Error,
            _ counts: @escaping @Sendable (TransactionCall) -> Bool
        ) {
            remaining = Mutex(number)
            self.error = error
            self.counts = counts
        }

        func intercept<Value>(
            _ call: TransactionCall,
            _ body: () throws -> Value
        ) throws -> Value {
            let isDue =
                counts(call)
                && remaining.withLock { remaining in
                    remaining -= 1
                    return remaining == 0
                }
            if isDue { throw error }
            return try body()
        }
    }
}
