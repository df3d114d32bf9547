extension DBClient {
    /// Returns the values of a request one after another, in constant memory.
    ///
    /// ```swift
    /// for try await hero in client.stream(Character.where { $0.power > 9000 }) { … }
    /// ```
    ///
    /// The values are read in pages, each continuing after the last value of the page before (see
    /// ``FetchRequest/after(_:)``), and no snapshot is held while the caller works on a page: a slow
    /// reader never makes the store grow.
    ///
    /// So each page is one snapshot, and the whole is not. A value that fulfils the request and keeps its
    /// sort key throughout is delivered exactly once, whatever else is inserted, changed or deleted. A value
    /// whose sort key is changed meanwhile may come twice or not at all, and one inserted before the place
    /// reached does not come. Offset and limit count delivered values. For one snapshot of everything, use
    /// `fetch` or `forEach` in a transaction.
    ///
    /// `batchSize` is the number of values of a page, at least one, which are in memory at a time.
    public func stream<Request: FetchRequestConvertible>(
        _ request: Request,
        batchSize: Int = 1_000
    ) -> FetchStream<Request.Model> {
        FetchStream(
            client: self,
            request: request.request.continuable,
            batchSize: Swift.max(1, batchSize)
        )
    }
}

/// The values of a request, read page by page; ``DBClient/stream(_:batchSize:)`` describes how.
///
/// Each iteration reads from the start. An error ends it.
public struct FetchStream<Model: StoredConvertible>: AsyncSequence, Sendable {
    /// Each element is one value of the model.
    public typealias Element = Model

    let client: any DBClient
    let request: FetchRequest<Model>
    let batchSize: Int

    /// Returns an iterator that has read nothing yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            client: client,
            request: request,
            batchSize: batchSize,
            upcoming: request,
            remaining: request.query.limit
        )
    }

    /// Reads the next page when the one at hand is used up.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let client: any DBClient
        let request: FetchRequest<Model>
        let batchSize: Int
        /// The request of the next page without its limit; nil when there is none.
        var upcoming: FetchRequest<Model>?
        /// How many values the request's own limit leaves.
        var remaining: Int?
        var page: [Model].Iterator = [].makeIterator()

        /// Returns the next value, or nil after the last.
        ///
        /// - Throws: What `fetch` throws; `.cancelled` when the task is cancelled.
        public mutating func next() async throws -> Model? {
            if let model = page.next() { return model }
            guard let current = upcoming else { return nil }
            // Whatever is thrown ends the stream.
            upcoming = nil
            let limit = Swift.min(remaining ?? batchSize, batchSize)
            let found = try await client.read { transaction in
                try Model.mapping(in: transaction).page(current.limit(limit), in: transaction)
            }
            remaining = remaining.map { $0 - found.models.count }
            if found.models.count == limit, remaining != 0, let end = found.end {
                upcoming = request.after(place: end)
            }
            page = found.models.makeIterator()
            return page.next()
        }
    }
}
