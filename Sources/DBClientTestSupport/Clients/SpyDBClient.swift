public import DBClientCore
import Synchronization

/// A client that records the calls that go through it.
///
/// ```swift
/// let spy = SpyDBClient(InMemoryDBClient())
/// try await HeroLibrary(client: spy).reveal(1455, as: "Tony Stark")
/// #expect(spy.calls.map(\.shape) == ["assign Character (1)"])
/// ```
public final class SpyDBClient: DBClientDecorator {
    /// The client that does the work.
    public let base: any DBClient
    private let log = Log()

    /// Creates a client that records the calls to another.
    public init(_ base: any DBClient = InMemoryDBClient()) {
        self.base = base
    }

    /// The calls so far, in the order in which they began, those of transactions that were undone
    /// included.
    public var calls: [TransactionCall] { log.calls.withLock { $0 } }

    /// The recorded calls that write, in order.
    public var writes: [TransactionCall] { calls.filter(\.kind.isWrite) }

    /// Forgets the calls recorded so far, so that ``calls`` has later ones alone.
    public func forget() {
        log.calls.withLock { $0 = [] }
    }

    /// Returns the interceptor that records the calls.
    public func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? {
        log
    }

    /// Yes, of the calls that write; those that read are transactions, so that each is seen once.
    public var forwardsSingleCalls: Bool { true }

    private final class Log: TransactionInterceptor, Sendable {
        let calls = Mutex<[TransactionCall]>([])

        func intercept<Value>(
            _ call: TransactionCall,
            _ body: () throws -> Value
        ) throws -> Value {
            calls.withLock { $0.append(call) }
            return try body()
        }
    }
}
