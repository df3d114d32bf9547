public import DBClientCore

extension DBClient {
    /// Returns the rows of a select request, of fields or of groups, as an object that a view can hold.
    ///
    /// ```swift
    /// let best = client.live(Line.all.grouped(by: \.product).sorted { $0.sum(\.price).descending }.select(.sum(\.price)))
    /// ```
    ///
    /// What moved is told by the identity of the rows: the primary keys of what they are made of, and the keys of groups. A new
    /// ``LiveRows/request`` is compared with the former one by positions. The rows are made an array at each change, at a cost
    /// that grows with their number, off the main actor.
    ///
    /// - Parameters:
    ///   - request: The request, which may be changed later (``LiveRows/request``).
    ///   - retry: After which errors it begins anew by itself.
    /// - Returns: The object, which follows the store as long as it is kept.
    @MainActor
    public func live<Row: Sendable>(
        _ request: SelectRequest<Row>,
        retry: LiveRetry = .transient
    ) -> LiveRows<Row> {
        LiveRows(request, retry) { [self] in .rows(observe($0)) }
    }

    /// Returns the models of each row of a join as an object that a view can hold.
    ///
    /// - Parameters:
    ///   - request: The join.
    ///   - retry: After which errors it begins anew by itself.
    /// - Returns: The object, which follows the store as long as it is kept.
    @MainActor
    public func live<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>,
        retry: LiveRetry = .transient
    ) -> LiveRows<Rows.Values> {
        live(request.models, retry: retry)
    }

    /// Returns the rows of a select request, of fields or of groups, as an object that a view can hold.
    ///
    /// - Parameters:
    ///   - request: The request, which may be changed later (``LiveRows/request``).
    ///   - source: The values of which any that is written may change the rows: those that the rows are made of.
    ///   - id: The identity of a row, by which ``LiveRows/lastChange`` tells what moved.
    ///   - retry: After which errors it begins anew by itself.
    /// - Returns: The object, which follows the store as long as it is kept.
    @MainActor
    public func live<Row: Sendable, Source: FetchRequestConvertible, ID: Hashable & Sendable>(
        _ request: SelectRequest<Row>,
        of source: Source,
        id: @escaping @Sendable (Row) -> ID,
        retry: LiveRetry = .transient
    ) -> LiveRows<Row> {
        LiveRows(
            request,
            difference: { LiveChange(from: $0, to: $1, id: id, isSame: { isEqual($0, $1) }) },
            retry,
            open: { [self] request in
                observe(source) {
                    ReadRows(rows: try $0.fetch(request), isSame: { isEqual($0, $1) })
                }
            }
        )
    }

    /// Returns the rows of a select request whose positions are their identities.
    ///
    /// - Parameters:
    ///   - request: The request, which may be changed later (``LiveRows/request``).
    ///   - source: The values of which any that is written may change the rows: those that the rows are made of.
    ///   - retry: After which errors it begins anew by itself.
    /// - Returns: The object, which follows the store as long as it is kept.
    @MainActor
    public func live<Row: Sendable, Source: FetchRequestConvertible>(
        _ request: SelectRequest<Row>,
        of source: Source,
        retry: LiveRetry = .transient
    ) -> LiveRows<Row> {
        LiveRows(
            request,
            difference: { LiveChange(from: $0, to: $1, isSame: { isEqual($0, $1) }) },
            retry,
            open: { [self] request in
                observe(source) {
                    ReadRows(rows: try $0.fetch(request), isSame: { isEqual($0, $1) })
                }
            }
        )
    }

    /// Returns the rows of a select request over a join.
    ///
    /// - Parameters:
    ///   - request: The request, which may be changed later (``LiveRows/request``).
    ///   - join: The join of whose models any value that is written may change the rows.
    ///   - id: The identity of a row, by which ``LiveRows/lastChange`` tells what moved.
    ///   - retry: After which errors it begins anew by itself.
    /// - Returns: The object, which follows the store as long as it is kept.
    @MainActor
    public func live<Row: Sendable, Rows: JoinedRows, ID: Hashable & Sendable>(
        _ request: SelectRequest<Row>,
        of join: JoinRequest<Rows>,
        id: @escaping @Sendable (Row) -> ID,
        retry: LiveRetry = .transient
    ) -> LiveRows<Row> {
        LiveRows(
            request,
            difference: { LiveChange(from: $0, to: $1, id: id, isSame: { isEqual($0, $1) }) },
            retry,
            open: { [self] request in
                observe(join) { ReadRows(rows: try $0.fetch(request), isSame: { isEqual($0, $1) }) }
            }
        )
    }
}
