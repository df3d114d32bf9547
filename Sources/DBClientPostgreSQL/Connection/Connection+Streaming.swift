extension PostgreSQLConnection {
    /// Sends a statement and returns its rows as they come, with the time that the server is waited for as its limit:
    /// the server would count what the caller does with the rows, too.
    ///
    /// The next statement has the server's limit again, whatever it is.
    func streamForCaller(_ send: (OpaquePointer) -> Int32) throws -> ResultStream {
        pending.append("SET LOCAL statement_timeout = 0")
        let stream = try stream(send)
        pending.append("SET LOCAL \(statementLimit)")
        stream.limit = configuration.statementTimeout
        return stream
    }
}
