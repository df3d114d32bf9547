// Calls by themselves: as transactions, or as what they are.
extension DBClientDecorator {
    /// Runs a body that makes one call on `base`.
    public func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        guard forwardsSingleCalls else { return try await read(body) }
        return try await forwardReadOnce(through: interceptor(isWrite: false), body)
    }

    /// Runs a body that makes one call on `base`, blocking the calling thread.
    public func readOnceBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        guard forwardsSingleCalls else { return try readBlocking(body) }
        return try forwardReadOnceBlocking(through: interceptor(isWrite: false), body)
    }

    /// Runs a body that makes one call on `base`.
    @discardableResult
    public func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        guard forwardsSingleCalls else { return try await write(body) }
        return try await forwardWriteOnce(through: interceptor(isWrite: true), body)
    }

    /// Runs a body that makes one call on `base`, blocking the calling thread.
    @discardableResult
    public func writeOnceBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        guard forwardsSingleCalls else { return try writeBlocking(body) }
        return try forwardWriteOnceBlocking(through: interceptor(isWrite: true), body)
    }
}

// What a decorator calls that adds something round calls by themselves.
extension DBClientDecorator {
    /// Runs a body that makes one call on `base`, through an interceptor.
    ///
    /// It is a transaction where the interceptor must not see a call again.
    public func forwardReadOnce<Value: Sendable>(
        through interceptor: (any TransactionInterceptor & Sendable)?,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        guard let interceptor else {
            return try await base.readOnce(body)
        }
        guard interceptor.allowsRepetition else {
            return try await forwardRead(through: interceptor, body)
        }
        return try await base.readOnce { try $0.intercepted(by: interceptor, body) }
    }

    /// Runs a body that makes one call on `base`, blocking, through an interceptor.
    ///
    /// It is a transaction where the interceptor must not see a call again.
    public func forwardReadOnceBlocking<Value>(
        through interceptor: (any TransactionInterceptor)?,
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        guard let interceptor else {
            return try base.readOnceBlocking(body)
        }
        guard interceptor.allowsRepetition else {
            return try forwardReadBlocking(through: interceptor, body)
        }
        return try base.readOnceBlocking { try $0.intercepted(by: interceptor, body) }
    }

    /// Runs a body that makes one call on `base`, through an interceptor that runs it no more than once.
    public func forwardWriteOnce<Value: Sendable>(
        through interceptor: (any TransactionInterceptor & Sendable)?,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        guard let interceptor else {
            return try await base.writeOnce(body)
        }
        return try await base.writeOnce { try $0.interceptedWrite(by: interceptor, body) }
    }

    /// Runs a body that makes one call on `base`, blocking, through an interceptor that runs it no more than
    /// once.
    public func forwardWriteOnceBlocking<Value>(
        through interceptor: (any TransactionInterceptor)?,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        guard let interceptor else {
            return try base.writeOnceBlocking(body)
        }
        return try base.writeOnceBlocking { try $0.interceptedWrite(by: interceptor, body) }
    }
}
