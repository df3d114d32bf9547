extension DBClient {
    /// Runs a body as an atomic unit that some observers are not notified of, because they made the change
    /// themselves and show it already.
    ///
    /// ```swift
    /// try await client.write(withoutNotifying: token) { try $0.delete(hero) }
    /// ```
    ///
    /// An observer that has not yet been notified of an earlier change is notified of this one with it: its
    /// positions would be wrong otherwise. So it is where the change has to be read again and
    /// another's may have been read with it. All other observers are notified as always. Of a unit inside
    /// another one, the whole outer unit is meant, unless the inner one is undone.
    @discardableResult
    public func write<Value: Sendable>(
        withoutNotifying tokens: ObservationToken...,
        body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await write { transaction in
            for token in tokens { transaction.silence(token) }
            return try body(transaction)
        }
    }
}

extension BlockingDBClient {
    /// Runs a body as an atomic unit that some observers are not notified of, blocking the calling thread;
    /// see `DBClient.write(withoutNotifying:body:)`.
    @discardableResult
    public func write<Value>(
        withoutNotifying tokens: ObservationToken...,
        body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try write { transaction in
            for token in tokens { transaction.silence(token) }
            return try body(transaction)
        }
    }
}
