import DBClientCore
import DBClientTool

/// A page of a table.
struct PageOutput: Encodable {
    let rows: [RowText]
    /// The place of the row before the first one; nil at the beginning.
    var prior: RowText?
    /// Whether there are rows after the last one.
    let hasMore: Bool
    /// What of the filter may be meant otherwise than it is understood.
    let notes: [String]
}

/// The number of rows of a table.
struct CountOutput: Encodable {
    let count: Int
}

/// The position of a row.
struct PositionOutput: Encodable {
    let position: Int
}

/// How the store finds the rows of a table.
struct PlanOutput: Encodable {
    let plan: String
}

extension StoreBrowser {
    /// The most rows of a page, and of a range that is observed.
    private static let maximumPage = 500

    /// Returns a page of a table.
    ///
    /// It is found by the row before or after it; a position alone is counted to, from the nearer end.
    func rows(_ input: PageInput) async throws -> PageOutput {
        var notes: [String] = []
        let request = try request(input.table) { notes.append($0) }
        let limit = min(max(input.limit ?? 100, 1), Self.maximumPage)
        let sorts = request.sorts.map(\.field)
        func output(
            _ rows: ArraySlice<DynamicRow>,
            _ prior: DynamicRow?,
            _ hasMore: Bool
        )
            -> PageOutput
        {
            PageOutput(
                rows: rows.map { RowText($0, sorts: sorts) },
                prior: prior.map { RowText($0, sorts: sorts, length: 0) },
                hasMore: hasMore,
                notes: notes
            )
        }
        if let place = input.after {
            let prior = try row(at: place, in: request)
            let rows = try await client.fetch(request.after(prior).limit(limit + 1))
            return output(rows.prefix(limit), prior, rows.count > limit)
        }
        if let place = input.before {
            let next = try row(at: place, in: request)
            let rows = try await client.fetch(request.reversed.after(next).limit(limit + 1))
            let prior = rows.count > limit ? rows.last : nil
            return output(ArraySlice(rows.prefix(limit).reversed()), prior, true)
        }
        let position = max(input.position ?? 0, 0)
        if let total = input.total, position > total / 2 {
            let left = max(total - position - limit, 0)
            let rows = try await client.fetch(request.reversed.offset(left).limit(limit + 1))
            let prior = rows.count > limit ? rows.last : nil
            return output(ArraySlice(rows.prefix(limit).reversed()), prior, left > 0)
        }
        let hasPrior = position > 0
        let start = request.offset(hasPrior ? position - 1 : 0)
        let rows = try await client.fetch(start.limit(limit + (hasPrior ? 2 : 1)))
        let page = rows.dropFirst(hasPrior ? 1 : 0)
        return output(page.prefix(limit), hasPrior ? rows.first : nil, page.count > limit)
    }

    /// Returns the number of rows of a table.
    func count(_ input: TableInput) async throws -> CountOutput {
        CountOutput(count: try await client.count(try request(input)))
    }

    /// Returns how many rows of a table come before one of them.
    ///
    /// - Throws: `.notFound` where the table has no such row.
    func position(_ input: PositionInput) async throws -> PositionOutput {
        let request = try request(input.table)
        let entity = request.entity
        let key = try entity.key(from: input.key)
        let condition = DynamicCondition.all(
            zip(entity.primaryKey, key).map { .field(entity.fields[$0].name, .equal, $1) }
        )
        let position = try await client.read { transaction in
            guard let row = try transaction.fetch(request.filter(condition).limit(1)).first else {
                throw DBClientError(
                    .notFound,
                    "The table must have the row; it has none with this key.",
                    entity: entity.name
                )
            }
            return try transaction.count(request.reversed.after(row))
        }
        return PositionOutput(position: position)
    }

    /// Describes how the store finds the first rows of a table.
    func explain(_ input: TableInput) async throws -> PlanOutput {
        PlanOutput(plan: try await client.explain(try request(input).limit(100)))
    }

    /// Returns what is to be observed of a table.
    func window(_ input: WindowInput) throws -> RowWindow {
        var request = try request(input.table)
        if let place = input.after { request = request.after(try row(at: place, in: request)) }
        let limit = min(max(input.limit, 1), Self.maximumPage)
        return RowWindow(client: client, request: request.limit(limit))
    }

    /// Returns the number of rows of a table, to be observed.
    func total(_ input: TableInput) throws -> RowCount {
        RowCount(client: client, request: try request(input))
    }

    private func request(
        _ input: TableInput,
        note: (String) -> Void = { _ in }
    ) throws -> DynamicRequest {
        let entity = try map.entity(named: input.entity)
        var request = DynamicRequest(entity)
        if let filter = input.filter, filter.contains(where: { !$0.isWhitespace }) {
            request = request.filter(try QueryParser.condition(filter, of: entity, note: note))
        }
        if let sort = input.sort, sort.contains(where: { !$0.isWhitespace }) {
            request.sorts = try QueryParser.sorts(sort, of: entity)
        }
        return try request.validated()
    }

    /// Returns a row that has what the order of a request asks for, as the page has told it.
    private func row(at place: Place, in request: DynamicRequest) throws -> DynamicRow {
        let entity = request.entity
        var row = try DynamicRow(entity)
        for (name, text) in zip(entity.primaryKey.map({ entity.fields[$0].name }), place.k) {
            try row.set(name, to: entity.value(of: name, from: text))
        }
        for (sort, text) in zip(request.sorts, place.s ?? []) {
            try row.set(sort.field, to: entity.value(of: sort.field, from: text))
        }
        return row
    }
}

extension DynamicRequest {
    /// The request for the same rows from the last to the first.
    fileprivate var reversed: DynamicRequest {
        var copy = self
        let keys = entity.primaryKey.map { entity.fields[$0].name }
        copy.sorts =
            sorts.map { sort in
                var sort = sort
                sort.isDescending.toggle()
                return sort
            }
            + keys.filter { key in !sorts.contains { $0.field == key } }
            .map { Sort($0, descending: true) }
        return copy
    }
}

extension EntitySchema {
    /// Returns the value of a field from its text, as the page gives it.
    ///
    /// - Throws: `.invalidRequest` where there is no such field, `.invalidValue` where the text is of no value of its
    ///   type.
    func value(of name: String, from text: String?) throws -> DynamicValue {
        guard let position = position(of: name) else {
            throw DBClientError(
                .invalidRequest,
                "The name must be that of a field; got another.",
                entity: self.name,
                field: name
            )
        }
        guard let text else { return .null }
        guard let value = FieldText.value(text, of: fields[position].type) else {
            throw DBClientError(
                .invalidValue,
                "The value must be \(FieldText.form(of: fields[position].type)).",
                entity: self.name,
                field: name
            )
        }
        return value
    }

    /// Returns the values of a key from their texts.
    func key(from texts: [String?]) throws -> [DynamicValue] {
        guard texts.count == primaryKey.count else {
            throw DBClientError(
                .invalidRequest,
                "The key must have \(primaryKey.count) values; got \(texts.count).",
                entity: name
            )
        }
        return try zip(primaryKey, texts).map { try value(of: fields[$0].name, from: $1) }
    }
}
