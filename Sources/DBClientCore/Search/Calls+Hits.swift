extension ReadCalls {
    /// Returns the values of a request that searches, each with its score and where the words are that were searched for.
    ///
    /// ```swift
    /// for hit in try store.hits(Note.matching("iron man").limit(20)) {
    ///     print(hit.score, hit.value.title, hit.texts.first?.snippet().text ?? "")
    /// }
    /// ```
    ///
    /// - Throws: `.invalidRequest` for a request that does not search, and what fetching it throws.
    public func hits<Request: FetchRequestConvertible>(
        _ request: Request
    ) throws -> [SearchHit<Request.Model>] {
        try reading(asOneCall: false) {
            try Request.Model.mapping(in: $0).hits(request.request, in: $0)
        }
    }
}

extension DBClient {
    /// Returns the values of a request that searches, each with its score and where the words are that were searched for.
    ///
    /// - Throws: `.invalidRequest` for a request that does not search, and what fetching it throws.
    public func hits<Request: FetchRequestConvertible>(
        _ request: Request
    ) async throws -> [SearchHit<Request.Model>] {
        try await read { try $0.hits(request) }
    }
}

extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that finds the values of a request that searches, each with its score and where the words are
    /// that were searched for.
    public static func hits<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> Self where Value == [SearchHit<Request.Model>] {
        Self(.step { $0.put(try $0.reader.hits(request) as Value) })
    }
}
