#if Observability
import DBClientCore

/// Tells the probes of one transaction of its beginning, its calls and its end.
final class TransactionWatch: TransactionInterceptor, Sendable {
    private let transaction: Work
    private let probes: [any Probe]
    private let clock = ContinuousClock()

    init(_ transaction: Work, _ probes: [any Probe]) {
        self.transaction = transaction
        self.probes = probes
    }

    func intercept<Value>(_ call: TransactionCall, _ body: () throws -> Value) throws -> Value {
        try run(.call(call), body)
    }

    func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let start = begin(transaction)
        do {
            let value = try await body()
            end(transaction, since: start, nil)
            return value
        } catch {
            end(transaction, since: start, error)
            throw error
        }
    }

    /// Runs the transaction on the calling thread.
    func runBlocking<Value>(_ body: () throws -> Value) throws -> Value {
        try run(transaction, body)
    }

    private func run<Value>(_ work: Work, _ body: () throws -> Value) throws -> Value {
        let start = begin(work)
        do {
            let value = try inContext(body)
            end(work, since: start, nil)
            return value
        } catch {
            end(work, since: start, error)
            throw error
        }
    }

    /// Runs a body, on whatever thread, in the context of what has begun last.
    func inContext<Value>(_ body: () throws -> Value) throws -> Value {
        try inContext(of: probes[...], body)
    }

    private func inContext<Value>(
        of probes: ArraySlice<any Probe>,
        _ body: () throws -> Value
    ) throws -> Value {
        guard let probe = probes.first else { return try body() }
        return try probe.inContext { try inContext(of: probes.dropFirst(), body) }
    }

    private func begin(_ work: Work) -> ContinuousClock.Instant {
        for probe in probes { probe.begin(work) }
        return clock.now
    }

    private func end(_ work: Work, since start: ContinuousClock.Instant, _ error: (any Error)?) {
        let outcome = Outcome(duration: clock.now - start, error: error)
        for probe in probes.reversed() { probe.end(work, outcome) }
    }
}
#endif
