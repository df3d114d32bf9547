// Which of the selected rows come, and each once.
extension SelectRequest {
    /// Returns the request with at most this many rows; nil for all.
    ///
    /// It is the same as a limit before `select`, whose place it takes: the engine reads no other rows. Of rows that
    /// selections are put together from, as by ``union(_:)`` and ``distinct()``, it takes the first.
    ///
    /// ```swift
    /// let names = Character.all.sorted { $0.name }.select(\.name).limit(10)
    /// ```
    public func limit(_ limit: Int?) -> SelectRequest {
        selecting(SelectedWindow(limit: .some(limit)))
    }

    /// Returns the request without its first rows, as an offset before `select`, whose place it takes.
    public func offset(_ offset: Int) -> SelectRequest {
        selecting(SelectedWindow(offset: offset))
    }

    /// Returns a request for the different rows among these, each where it comes first.
    ///
    /// Rows are equal as for ``union(_:)``, which refuses the same; those that a limit before leaves out are not looked at.
    /// The different rows are in memory meanwhile.
    ///
    /// ```swift
    /// let names = Character.all.sorted { $0.name }.select(\.name).distinct().limit(10)
    /// ```
    public func distinct() -> SelectRequest {
        guard isSifted else { return Self.unsifted }
        let run = run
        let request = SelectRequest(
            plan,
            sifting: { transaction, sieve, rows in
                let seen = SeenRows()
                try run(transaction, RowSieve(sieve) { seen.insert($0) }, &rows)
            }
        )
        return request.windowedByRows()
    }

    func selecting(_ window: SelectedWindow) -> SelectRequest {
        if let windowed { return windowed(window) }
        if let groups { return SelectRequest(groups.selecting(window)) }
        guard let fields else { return windowedByRows().selecting(window) }
        let run = run
        return SelectRequest(
            plan?.selecting(window),
            of: fields.selecting(window),
            sifting: { try run($0, RowSieve($1, in: window), &$2) }
        )
    }

    /// Returns the request as one of whose rows those of a window are taken when all have been put together.
    func windowedByRows() -> SelectRequest {
        let whole = self
        var request = self
        request.windowed = { whole.taking($0) }
        return request
    }

    private func taking(_ window: SelectedWindow) -> SelectRequest {
        let (run, isSifted) = (run, isSifted)
        var request: SelectRequest
        if isSifted {
            request = SelectRequest(sifting: { transaction, sieve, rows in
                if let failure = window.failure { throw failure }
                var position = -1
                try run(
                    transaction,
                    RowSieve { row in
                        position += 1
                        return window.contains(position) && sieve?.keeps(row, row.count) ?? true
                    },
                    &rows
                )
            })
        } else {
            request = SelectRequest { transaction, rows in
                if let failure = window.failure { throw failure }
                var all: [Row] = []
                try run(transaction, nil, &all)
                rows += all.dropFirst(window.offset ?? 0).prefix((window.limit ?? nil) ?? .max)
            }
        }
        let whole = self
        request.windowed = { whole.taking($0.applied(to: window)) }
        return request
    }
}

/// Which rows come, in place of what a request says of it.
@usableFromInline
struct SelectedWindow: Sendable {
    /// The greatest number of rows, nil for all; nothing where the request's own counts.
    var limit: Int??
    /// The number of rows to skip first; nil where the request's own counts.
    var offset: Int?

    /// What is wrong with the numbers.
    var failure: DBClientError? {
        if let limit = limit ?? nil, limit < 0 {
            return DBClientError(.invalidRequest, "The limit must not be negative; got \(limit).")
        }
        if let offset, offset < 0 {
            return DBClientError(.invalidRequest, "The offset must not be negative; got \(offset).")
        }
        return nil
    }

    /// Returns a window that says what this one does, and what another does where this one says nothing.
    func applied(to other: SelectedWindow) -> SelectedWindow {
        SelectedWindow(limit: limit ?? other.limit, offset: offset ?? other.offset)
    }

    func apply(to query: inout RowQuery) {
        if let limit { query.limit = limit }
        if let offset { query.offset = offset }
    }

    /// Whether the row at a position comes.
    func contains(_ position: Int) -> Bool {
        let first = offset ?? 0
        guard position >= first else { return false }
        guard let limit = limit ?? nil else { return true }
        return position - first < limit
    }
}

extension SelectedFields {
    fileprivate func selecting(_ window: SelectedWindow) -> SelectedFields {
        SelectedFields(plan.selecting(window), isMapped: isMapped, decode: decode)
    }
}

extension GroupedRows {
    fileprivate func selecting(_ window: SelectedWindow) -> GroupedRows {
        GroupedRows(
            plan.selecting(window),
            isMapped: isMapped,
            positions: positions,
            decode: decode
        )
    }
}
