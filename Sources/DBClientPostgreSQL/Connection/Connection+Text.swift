import CLibPQ

// Statements without parameters, sent as their text.
extension PostgreSQLConnection {
    /// Runs a statement and discards its result.
    func execute(_ sql: String) throws {
        _ = try collect(text: sql)
    }

    /// Sends a statement and returns its result, values in the binary form.
    func collect(text sql: String) throws -> Result {
        try collect { PQsendQueryParams($0, sql, 0, nil, nil, nil, nil, 1) }
    }

    /// Returns what sends a statement, values of its result in the binary form.
    static func send(text sql: String) -> (OpaquePointer) -> Int32 {
        { PQsendQueryParams($0, sql, 0, nil, nil, nil, nil, 1) }
    }
}
