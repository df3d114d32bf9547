import Foundation

/// A client that retries a transaction that failed for a transient reason.
///
/// A body may run several times, so it should have no effects but those on the transaction. A write is
/// repeated only where it is known to have been undone.
public final class RetryingDBClient: DBClientDecorator {
    /// The rules by which a transaction is retried.
    public struct Policy: Sendable {
        /// How many times a transaction is tried at most.
        public var attempts: Int
        /// How long to wait before the second try; each further wait is twice as long, less a random
        /// part of up to half.
        public var delay: Duration
        /// The codes of the errors after which a read is retried.
        public var readCodes: Set<DBClientError.Code>
        /// The codes of the errors after which a write is retried.
        public var writeCodes: Set<DBClientError.Code>

        /// Creates a policy, by default of five tries from ten milliseconds on.
        public init(
            attempts: Int = 5,
            delay: Duration = .milliseconds(10),
            readCodes: Set<DBClientError.Code> = [
                .transactionConflict, .busy, .connectionLost, .timeout,
            ],
            writeCodes: Set<DBClientError.Code> = [.transactionConflict, .busy]
        ) {
            self.attempts = attempts
            self.delay = delay
            self.readCodes = readCodes
            self.writeCodes = writeCodes
        }

        /// Returns the codes of the errors after which a try is followed by another.
        func codes(attempt: Int, isWrite: Bool) -> Set<DBClientError.Code> {
            attempt < attempts ? isWrite ? writeCodes : readCodes : []
        }

        /// Returns how long to wait after a try that failed, or nil when it was the last.
        func wait(after error: any Error, attempt: Int, isWrite: Bool) -> Duration? {
            guard let code = (error as? DBClientError)?.code,
                codes(attempt: attempt, isWrite: isWrite).contains(code)
            else { return nil }
            let doublings = Swift.min(attempt - 1, 20)
            let factor: Double = Double(1 << doublings) * .random(in: 0.5...1)
            return delay * factor
        }
    }

    /// Why the present try is followed by another, if it fails: no failure of the caller's.
    @TaskLocal package static var repeatedCodes: Set<DBClientError.Code> = []

    /// The client that does the work.
    public let base: any DBClient
    private let policy: Policy

    /// Creates a client that repeats the transactions of another.
    public init(_ base: any DBClient, policy: Policy = Policy()) {
        self.base = base
        self.policy = policy
    }

    /// Runs a body on one snapshot, several times if need be.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try await retrying(isWrite: false) { try await base.read(body) }
    }

    /// Runs a body as an atomic unit, several times if need be.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await retrying(isWrite: true) { try await base.write(body) }
    }

    /// Runs a body on one snapshot, blocking the calling thread, several times if need be.
    public func readBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        try retryingBlocking(isWrite: false) { try base.readBlocking(body) }
    }

    /// Runs a body as an atomic unit, blocking the calling thread, several times if need be.
    @discardableResult
    public func writeBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try retryingBlocking(isWrite: true) { try base.writeBlocking(body) }
    }

    /// Runs a body that makes one call, several times if need be.
    public func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try await retrying(isWrite: false) { try await base.readOnce(body) }
    }

    /// Runs a body that makes one call, several times if need be.
    @discardableResult
    public func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await retrying(isWrite: true) { try await base.writeOnce(body) }
    }

    /// Runs a body that makes one call, blocking the calling thread, several times if need be.
    public func readOnceBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        try retryingBlocking(isWrite: false) { try base.readOnceBlocking(body) }
    }

    /// Runs a body that makes one call, blocking the calling thread, several times if need be.
    @discardableResult
    public func writeOnceBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try retryingBlocking(isWrite: true) { try base.writeOnceBlocking(body) }
    }

    private func retrying<Value: Sendable>(
        isWrite: Bool,
        _ body: () async throws -> Value
    ) async throws -> Value {
        var attempt = 1
        while true {
            do {
                let codes = policy.codes(attempt: attempt, isWrite: isWrite)
                return try await Self.$repeatedCodes.withValue(codes) { try await body() }
            } catch {
                guard let wait = policy.wait(after: error, attempt: attempt, isWrite: isWrite)
                else { throw error }
                do {
                    try await Task.sleep(for: wait)
                } catch {
                    throw DBClientError.wrapping(error)
                }
                attempt += 1
            }
        }
    }

    private func retryingBlocking<Value>(
        isWrite: Bool,
        _ body: () throws -> Value
    ) throws -> Value {
        var attempt = 1
        while true {
            do {
                let codes = policy.codes(attempt: attempt, isWrite: isWrite)
                return try Self.$repeatedCodes.withValue(codes) { try body() }
            } catch {
                guard let wait = policy.wait(after: error, attempt: attempt, isWrite: isWrite)
                else { throw error }
                Thread.sleep(forTimeInterval: wait / .seconds(1))
                attempt += 1
            }
        }
    }
}
