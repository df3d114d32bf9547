/// A snapshot whose calls go through an interceptor.
final class InterceptedSnapshot: EngineSnapshot {
    private let base: any EngineSnapshot
    private let interceptor: any TransactionInterceptor & Sendable

    init(_ base: any EngineSnapshot, _ interceptor: any TransactionInterceptor & Sendable) {
        self.base = base
        self.interceptor = interceptor
    }

    func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value? {
        try base.read { try body(InterceptedReader($0, interceptor)) }
    }

    func release() {
        base.release()
    }
}
