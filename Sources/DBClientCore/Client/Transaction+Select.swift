// Some fields of values, and groups of them.
extension ReadTransaction {
    /// Returns the rows of a selection.
    ///
    /// - Throws: `.invalidRequest` for a property that is not stored, `.decoding` when what is stored
    ///   is not what the property says, `.invalidValue` when a sum leaves its type.
    public func fetch<Row: Sendable>(_ request: SelectRequest<Row>) throws -> [Row] {
        var rows: [Row] = []
        try request.run(self, &rows)
        return rows
    }
}

extension DBClient {
    /// Returns the rows of a selection.
    ///
    /// - Throws: `.invalidRequest` for a property that is not stored, `.decoding` when what is stored
    ///   is not what the property says, `.invalidValue` when a sum leaves its type.
    public func fetch<Row: Sendable>(_ request: SelectRequest<Row>) async throws -> [Row] {
        try await readOnce { try $0.fetch(request) }
    }
}

extension BlockingDBClient {
    /// Returns the rows of a selection.
    ///
    /// - Throws: `.invalidRequest` for a property that is not stored, `.decoding` when what is stored
    ///   is not what the property says, `.invalidValue` when a sum leaves its type.
    public func fetch<Row: Sendable>(_ request: SelectRequest<Row>) throws -> [Row] {
        try client.readOnceBlocking { try $0.fetch(request) }
    }
}

extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that fetches the rows of a selection.
    public static func fetch<Row: Sendable>(
        _ request: SelectRequest<Row>
    ) -> Self where Value == [Row] {
        Self { try $0.fetch(request) }
    }
}
