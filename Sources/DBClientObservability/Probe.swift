#if Observability
/// What one instrument makes of one transaction, which runs on one thread at a time.
///
/// Work ends in the reverse order of its beginning.
protocol Probe: Sendable {
    func begin(_ work: Work)
    func end(_ work: Work, _ outcome: Outcome)

    /// Runs a body in the context of what has begun last.
    func inContext<Value>(_ body: () throws -> Value) throws -> Value
}

extension Probe {
    func begin(_ work: Work) {}

    func inContext<Value>(_ body: () throws -> Value) throws -> Value {
        try body()
    }
}
#endif
