extension JoinRequest {
    /// Returns a request for the rows that come after a row in the order of this one: the next page, found through an index
    /// of the first model where there is one, instead of by counting.
    ///
    /// ```swift
    /// let first = try await client.fetch(lines.limit(50))
    /// if let last = first.last {
    ///     let second = try await client.fetch(lines.after(last).limit(50))
    /// }
    /// ```
    ///
    /// The order is the request's sort, then the primary keys of the models, so the row itself and everything before it are left
    /// out, exactly; a model that a left join has not found counts as nil. The values need not be stored any more: their
    /// sort keys count as they are given. Sort before asking for what comes after. The offset is dropped, the limit kept. What
    /// ``FetchRequest/after(_:)`` refuses is refused.
    ///
    /// - Parameter row: The models of a row, as `fetch` returns them.
    /// - Returns: The request for what follows.
    public func after(_ row: Rows.Values) -> Self {
        let entity = request.query.entity
        return Self(
            request.after { order in
                let place = try JoinedPlace(Rows.elements(of: row), Rows.parts, of: entity)
                return try order.map { try place.value(of: $0) }
            }
        )
    }
}

/// The values of a joined row, from which its place in an order is told.
private struct JoinedPlace {
    private let models: [(any StoredConvertible)?]
    private let parts: [RowJoin.Part]
    private let entity: EntitySchema
    private let values: [StorageValue]

    init(
        _ elements: [any Sendable],
        _ parts: [RowJoin.Part],
        of entity: EntitySchema
    ) throws {
        models = elements.map { $0 as? any StoredConvertible }
        self.parts = parts
        self.entity = entity
        values = try zip(models, parts).flatMap { model, part in
            try model?.storedValues()
                ?? [StorageValue](repeating: .null, count: part.entity.fields.count)
        }
    }

    func value(of ordering: RowOrdering) throws -> StorageValue {
        if let expression = ordering.expression {
            try ordering.checkSeek(in: entity)
            if !ordering.path.isEmpty {
                let (number, path) = held(ordering.path)
                // A model that was not found holds nothing, as one that leads nowhere does.
                return try models[number].map { try $0.storedValue(expression, through: path) }
                    ?? absent(expression, ordering.owner(entity))
            }
            let program = ExpressionProgram(expression, of: entity)
            let row = EncodedRow(values: values)
            // The value borrows the bytes of both.
            defer { withExtendedLifetime((program, row)) {} }
            return StorageValue(try program.value(for: row))
        }
        if ordering.path.isEmpty { return values[ordering.column] }
        let (number, path) = held(ordering.path)
        return try models[number]?.storedValue(column: ordering.column, through: path) ?? .null
    }

    /// Returns the number of the part that a path begins at, and the path from there.
    private func held(_ path: [RelatedRows]) -> (number: Int, path: [RelatedRows]) {
        let number = RowJoin(parts).part(of: path[0].matching[0])
        let own = path[0].matching(path[0].matching.map { $0 - parts[number].offset })
        return (number, [own] + path.dropFirst())
    }

    private func absent(
        _ expression: RowExpression,
        _ entity: EntitySchema
    ) throws -> StorageValue {
        let program = ExpressionProgram(expression, of: entity)
        defer { withExtendedLifetime(program) {} }
        return StorageValue(try program.value(for: AbsentRow()))
    }
}

extension StoredConvertible {
    /// Returns the fields of the value as they are stored.
    fileprivate func storedValues() throws -> [StorageValue] {
        try EncodedModels([storage(existing: nil)], keepingKeys: true).values(of: 0)
    }

    /// Returns a field of what the value holds at the end of a path.
    fileprivate func storedValue(column: Int, through path: [RelatedRows]) throws -> StorageValue {
        try Storage.value(of: storage(existing: nil), column: column, through: path[...])
    }

    /// Returns what is computed from the fields of what the value holds at the end of a path.
    fileprivate func storedValue(
        _ expression: RowExpression,
        through path: [RelatedRows]
    ) throws -> StorageValue {
        try Storage.value(of: storage(existing: nil), expression, through: path)
    }
}
