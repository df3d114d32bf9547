public import DBClientCore

extension DBClient {
    /// Throws unless the values of a request are the expected ones, in order, field by field as they
    /// are stored, with what they hold.
    ///
    /// Text is compared by its bytes, which Swift's own `==` does not do.
    ///
    /// - Throws: `StoreExpectationFailure` with the difference; `DBClientError` when reading fails.
    public func expectStored<Request: FetchRequestConvertible>(
        _ request: Request,
        equal expected: [Request.Model],
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        let found = try await fetch(request)
        let (left, right) = (
            try expected.map { try text(of: $0) }, try found.map { try text(of: $0) }
        )
        guard left.map({ Array($0.utf8) }) != right.map({ Array($0.utf8) }) else { return }
        throw StoreExpectationFailure(expected: left, found: right, file: file, line: line)
    }

    /// Throws unless a request runs and answers as in a snapshot: how the engine runs it, then a line
    /// for each value.
    ///
    /// ```swift
    /// try await client.assertRequest(Hero.where { $0.id < 3 }) {
    ///     """
    ///     search Hero by primary key, 1 range
    ///     Hero(id: 1, name: "Iron Man")
    ///     Hero(id: 2, name: "Hulk")
    ///     """
    /// }
    /// ```
    ///
    /// The first lines are what `DBClient.explain(_:)` tells: the plan, or the SQL and the
    /// database's plan for it.
    ///
    /// - Throws: `StoreExpectationFailure` with the difference; `DBClientError` when reading fails.
    public func assertRequest<Request: FetchRequestConvertible>(
        _ request: Request,
        file: String = #fileID,
        line: Int = #line,
        matches snapshot: () -> String
    ) async throws {
        let found = try await self.snapshot(of: request).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ).map(String.init)
        let expected = snapshot().split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        guard found.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) else { return }
        throw StoreExpectationFailure(expected: expected, found: found, file: file, line: line)
    }

    /// Returns how a request runs and what it answers, as text for a snapshot.
    public func snapshot<Request: FetchRequestConvertible>(
        of request: Request
    ) async throws -> String {
        try await read { transaction in
            let rows = try transaction.fetch(request).map { try text(of: $0) }
            return ([try transaction.explain(request)] + rows).joined(separator: "\n")
        }
    }
}

/// Returns a value as text: its entity and its fields with their stored names and values.
private func text<Model: StoredConvertible>(of model: Model) throws -> String {
    try StoredForm(model).shown
}

extension StoredForm {
    fileprivate var shown: String {
        let shown = fields.map { "\($0.name): \($0.content.shown)" }
        return "\(entity)(\(shown.joined(separator: ", ")))"
    }
}

extension StoredForm.Content {
    fileprivate var shown: String {
        switch self {
        case .value(let value): value.shown
        case .held(let form): form?.shown ?? "nil"
        case .reference(let key): key.map(Self.reference) ?? "nil"
        case .list(let forms): "[\(forms.map(\.shown).joined(separator: ", "))]"
        // In no order, so in one that two equal sets share.
        case .set(let forms): "[\(forms.map(\.shown).sorted().joined(separator: ", "))]"
        case .references(let keys): "[\(keys.map(Self.reference).joined(separator: ", "))]"
        }
    }

    private static func reference(_ key: [StorageValue]) -> String {
        "Reference(\(key.map(\.shown).joined(separator: ", ")))"
    }
}

extension StorageValue {
    fileprivate var shown: String {
        switch self {
        case .null: "nil"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let text): text.debugDescription
        case .data(let bytes):
            "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
