import DBClientCore

// How long the server is waited for.
extension PostgreSQLConnection {
    /// Runs a body during which the server is waited for no longer than this each time.
    func waiting<Value>(atMost limit: Duration, _ body: () throws -> Value) rethrows -> Value {
        let patience = patience
        defer { self.patience = patience }
        self.patience = min(patience, UInt64(clamping: limit.nanoseconds))
        return try body()
    }

    /// Runs a body during which the server is waited for as long as that each time.
    func waiting<Value>(forAsLongAs limit: Duration, _ body: () throws -> Value) rethrows -> Value {
        let patience = patience
        defer { self.patience = patience }
        self.patience = UInt64(clamping: limit.nanoseconds)
        return try body()
    }
}
