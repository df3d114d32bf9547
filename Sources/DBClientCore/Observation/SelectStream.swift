/// The rows of a request for fields or groups and their changes, as an asynchronous sequence.
///
/// ```swift
/// let perPublisher = Character.all.grouped(by: \.publisher).select(.count, .min(\.firstAppearance.year))
/// for try await change in client.observe(perPublisher) { show(change.rows) }
/// ```
///
/// Each iteration is an observation of its own, which begins, misses nothing and ends as a ``ChangeStream`` does. A
/// listener that is slower than the writer gets what it missed as one change.
public struct SelectStream<Row: Sendable>: AsyncSequence, Sendable {
    /// Each element is the rows and how they have changed.
    public typealias Element = SelectedChange<Row>

    let source: ObservationSource
    let request: SelectRequest<Row>

    /// Describes how the rows follow commits, for a person: that they are kept and changed by the rows that commits write,
    /// or that they are read again after commits that concern them, and why.
    ///
    /// - Throws: `.invalidRequest` for a request that makes no sense, `.unsupported` for one whose rows are
    ///   neither fields nor groups.
    public func explain() throws -> String {
        if let groups = request.groups {
            return groups.upkeep(of: try groups.plan.grouping.get()).description
        }
        guard let fields = request.fields else { throw Self.unknownRows }
        return try Upkeep.ofSelection(fields).description
    }

    fileprivate func begin() throws -> any ResultSteps {
        if let groups = request.groups { return try source.rows(groups) }
        guard let fields = request.fields else { throw Self.unknownRows }
        return try source.rows(fields)
    }

    private static var unknownRows: DBClientError {
        DBClientError(
            .unsupported,
            "The rows of an observed request must be fields or groups.",
            hint: "Observe a closure that fetches the rows."
        )
    }

    /// Returns an iterator that begins to observe when its first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self)
    }

    /// One observation, which ends when its iterator is released or its task is cancelled.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: SelectStream
        private var steps: (any ResultSteps)?
        private var isEnded = false

        fileprivate init(stream: SelectStream) {
            self.stream = stream
        }

        /// Returns the rows the first time, then what changed; nil once the task is cancelled.
        ///
        /// - Throws: What reading the rows throws, `.invalidValue` where a sum leaves its range as well; `.unsupported`
        ///   for rows that are neither fields nor groups and when the client cannot be observed, `.closed` when it was
        ///   closed. The sequence has then ended.
        public mutating func next() async throws -> SelectedChange<Row>? {
            if isEnded || Task.isCancelled { return nil }
            do {
                if steps == nil { steps = try stream.begin() }
                while let step = try await steps?.next() {
                    if let change = SelectedChange<Row>(step) { return change }
                }
            } catch {
                end()
                if Task.isCancelled { return nil }
                throw error
            }
            end()
            return nil
        }

        private mutating func end() {
            steps = nil
            isEnded = true
        }
    }
}

@available(*, unavailable)
extension SelectStream.AsyncIterator: Sendable {}

extension DBClient {
    /// Returns the rows of a request for fields or groups, and then each change to them, by position.
    ///
    /// ```swift
    /// let best = Line.all.grouped(by: \.product).sorted { $0.sum(\.price).descending }.limit(50).select(.sum(\.price))
    /// for try await change in client.observe(best) { list.show(change.rows) }
    /// ```
    ///
    /// Fields of one model and of joined ones, and groups of them by fields, with counts, sums, averages, extremes and
    /// numbers of different values of fields, are read once and then kept: a row that is written changes the rows that are
    /// made of it, whatever the number of the others. Others are read again after commits that wrote a row which they depend
    /// on, once for several; ``SelectStream/explain()`` tells which of the two, and why.
    ///
    /// A row's identity is the primary key of its model, or of all joined ones, and the keys of a group.
    ///
    /// - Parameter request: The request: `select(…)` of values, of joined ones and of groups, `distinct`, and what `map` makes
    ///   of them.
    /// - Returns: The rows and their changes.
    public func observe<Row: Sendable>(_ request: SelectRequest<Row>) -> SelectStream<Row> {
        SelectStream(source: observation, request: request)
    }

    /// Returns the models of each row of a join, and then each change to the rows, by position.
    ///
    /// ```swift
    /// let lines = Line.join(Product.self) { $0.product == $1.id }.sorted { line, product in product.name }
    /// for try await change in client.observe(lines) { list.show(change.rows) }
    /// ```
    ///
    /// They are kept as ``observe(_:)-(SelectRequest<Row>)`` says.
    public func observe<Rows: JoinedRows>(_ request: JoinRequest<Rows>) -> SelectStream<Rows.Values>
    {
        observe(request.models)
    }
}
