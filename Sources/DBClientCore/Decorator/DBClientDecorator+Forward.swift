// What a decorator calls that adds something round its transactions.
extension DBClientDecorator {
    /// Runs a body on one snapshot of `base`, its calls through an interceptor.
    public func forwardRead<Value: Sendable>(
        through interceptor: (any TransactionInterceptor & Sendable)?,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        guard let interceptor else {
            return try await base.read(body)
        }
        return try await base.read { try $0.intercepted(by: interceptor, body) }
    }

    /// Runs a body as an atomic unit of `base`, its calls through an interceptor.
    public func forwardWrite<Value: Sendable>(
        through interceptor: (any TransactionInterceptor & Sendable)?,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        guard let interceptor else {
            return try await base.write(body)
        }
        return try await base.write { try $0.interceptedWrite(by: interceptor, body) }
    }

    /// Runs a body on one snapshot of `base`, blocking, its calls through an interceptor.
    public func forwardReadBlocking<Value>(
        through interceptor: (any TransactionInterceptor)?,
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        guard let interceptor else {
            return try base.readBlocking(body)
        }
        return try base.readBlocking { try $0.intercepted(by: interceptor, body) }
    }

    /// Runs a body as an atomic unit of `base`, blocking, its calls through an interceptor.
    public func forwardWriteBlocking<Value>(
        through interceptor: (any TransactionInterceptor)?,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        guard let interceptor else {
            return try base.writeBlocking(body)
        }
        return try base.writeBlocking { try $0.interceptedWrite(by: interceptor, body) }
    }
}
