extension ReadTransaction {
    /// Runs a call through the interceptors of the transaction, outermost first.
    public final func intercept<Value>(
        _ call: @autoclosure () -> TransactionCall,
        _ body: () throws -> Value
    ) throws -> Value {
        if interceptors.isEmpty { return try body() }
        return try interceptors[...].intercept(call(), body)
    }

    /// Runs a body on the transaction seen through one more interceptor, as one that only reads.
    ///
    /// A read that has joined a write stays a read: what it is given cannot write.
    final func intercepted<Value>(
        by interceptor: any TransactionInterceptor,
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        let view = ReadTransaction(try reader(), clientType, [interceptor] + interceptors, in: self)
        defer { view.end() }
        return try body(view)
    }
}

extension ReadTransaction {
    /// Runs a body on the transaction and notes in a tracker what it reads.
    final func tracked<Value>(
        by tracker: ReadTracker,
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        let reader = TrackingReader(try reader(), tracker)
        // Its own live rows, so that what they read is noted as well.
        let view = ReadTransaction(reader, clientType, interceptors)
        defer { view.end() }
        return try body(view)
    }
}

extension WriteTransaction {
    /// Runs a body on the transaction seen through one more interceptor.
    func interceptedWrite<Value>(
        by interceptor: any TransactionInterceptor,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        let view = try WriteTransaction(self, [interceptor] + interceptors)
        defer { view.end() }
        return try body(view)
    }

    /// Runs a call that stores values through the interceptors, each of which sees the values before those
    /// behind it see the call.
    func intercept<Model: Stored, Value>(
        _ call: @autoclosure () -> TransactionCall,
        storing values: [Model],
        _ body: () throws -> Value
    ) throws -> Value {
        if interceptors.isEmpty { return try body() }
        let call = call()
        func pass(_ position: Int) throws -> Value {
            guard position < interceptors.count else { return try body() }
            let interceptor = interceptors[position]
            return try interceptor.intercept(call) {
                if interceptor.checksValues { try check(values, position) }
                return try pass(position + 1)
            }
        }
        return try pass(0)
    }

    /// Runs a call that stores some fields of values through the interceptors, those that check values
    /// after it: then there are values.
    ///
    /// `keys` returns the keys of what the call writes, and is asked before it is written.
    func intercept<Model: Stored, Value>(
        _ call: @autoclosure () -> TransactionCall,
        assigning type: Model.Type,
        keys: (WriteTransaction) throws -> [Model.PrimaryKey],
        body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        if interceptors.isEmpty { return try body(self) }
        return try interceptors[...].intercept(call()) {
            guard interceptors.contains(where: \.checksValues) else { return try body(self) }
            return try savepoint { nested in
                let keys = try keys(nested)
                let value = try body(nested)
                let stored = try nested.findStored(type, keys: keys)
                // The innermost first, as they return.
                for position in interceptors.indices.reversed()
                where interceptors[position].checksValues {
                    try nested.check(stored, position)
                }
                return value
            }
        }
    }

    /// Has an interceptor check values, which reads through those behind it.
    private func check<Model: Stored>(
        _ values: [Model],
        _ position: Int
    ) throws {
        let view = try WriteTransaction(self, Array(interceptors[(position + 1)...]))
        defer { view.end() }
        try interceptors[position].checkGraph(of: values, in: view)
    }
}

extension ArraySlice<any TransactionInterceptor> {
    /// Runs a call through the first, and inside it through the others.
    fileprivate func intercept<Value>(
        _ call: TransactionCall,
        _ body: () throws -> Value
    ) throws -> Value {
        guard let first else { return try body() }
        return try first.intercept(call) { try dropFirst().intercept(call, body) }
    }
}
