// Selections made of the rows that other selections give.
extension SelectRequest {
    /// Returns a request for the rows that this selection or another gives, each once: those of this one in its order, then
    /// what the other adds in its own.
    ///
    /// ```swift
    /// let names = Character.all.select(\.name).union(Publisher.all.select(\.name))
    /// ```
    ///
    /// Rows are equal when what is stored of their fields is: text by its bytes, and nil equals nil. Each selection is asked
    /// with its own conditions, sort, limit and offset, both in one snapshot, and may be of another model, of a join or of
    /// groups. The different rows are in memory meanwhile. Rows that are more than selected fields, such as those of `map`,
    /// of `annotated` and of totals, throw `.unsupported`.
    public func union(_ other: SelectRequest) -> SelectRequest {
        combined(with: other) { first, second, sieve, rows in
            let seen = SeenRows()
            let sieve = RowSieve(sieve) { seen.insert($0) }
            try first(sieve, &rows)
            try second(sieve, &rows)
        }
    }

    /// Returns a request for the rows that both this selection and another give, each once, in the order of this one.
    ///
    /// Rows are equal as for ``union(_:)``, which refuses the same.
    public func intersection(_ other: SelectRequest) -> SelectRequest {
        chosen(whereAmong: other, is: true)
    }

    /// Returns a request for the rows that this selection gives and another does not, each once, in the order of this one.
    ///
    /// Rows are equal as for ``union(_:)``, which refuses the same.
    public func subtracting(_ other: SelectRequest) -> SelectRequest {
        chosen(whereAmong: other, is: false)
    }

    private func chosen(whereAmong other: SelectRequest, is isWanted: Bool) -> SelectRequest {
        combined(with: other) { first, second, sieve, rows in
            let given = SeenRows()
            let seen = SeenRows()
            var none: [Row] = []
            try second(
                RowSieve {
                    _ = given.insert($0)
                    return false
                },
                &none
            )
            let sieve = RowSieve(sieve) { given.contains($0) == isWanted && seen.insert($0) }
            try first(sieve, &rows)
        }
    }

    /// Appends the rows of a selection that a sieve keeps.
    private typealias Append = (RowSieve, inout [Row]) throws -> Void

    private func combined(
        with other: SelectRequest,
        _ combine: @escaping @Sendable (Append, Append, RowSieve?, inout [Row]) throws -> Void
    ) -> SelectRequest {
        guard isSifted, other.isSifted else {
            return Self.unsifted
        }
        let (first, second) = (run, other.run)
        return SelectRequest(sifting: { transaction, sieve, rows in
            try combine(
                { try first(transaction, $0, &$1) },
                { try second(transaction, $0, &$1) },
                sieve,
                &rows
            )
        })
    }

    /// A selection that cannot be made of rows that are more than selected fields.
    static var unsifted: SelectRequest {
        SelectRequest { _, _ in
            throw DBClientError(
                .unsupported,
                "Selections that others are made of must be of fields, of what is computed from them, or of groups.",
                hint: "Fetch both in one read, and combine the rows in Swift."
            )
        }
    }
}
