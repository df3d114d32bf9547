import DBClientCore

/// The rows of a file that `export` wrote.
struct JSONLinesSource: RowSource {
    private let input: ByteReader
    private let entities: [String: EntitySchema]
    private(set) var line = 0
    private var count = 0

    /// - Throws: ``ToolError`` for a file that begins otherwise.
    init(_ input: ByteReader, _ catalog: EntityCatalog) throws {
        self.input = input
        let all = catalog.entities + catalog.entities.flatMap(\.links)
        entities = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let head = try readObject()
        guard head?.first?.name == Exporter.head, head?.first?.value == .number("1") else {
            throw ToolError("The file must begin as one that was exported: {\"dbclient\":1, ...}.")
        }
    }

    mutating func next() throws -> DynamicRow? {
        guard let pairs = try readObject() else {
            throw ToolError(
                "The file ends after line \(line) without its last line, so it was cut.",
                hint: "Export it again. Nothing was imported."
            )
        }
        guard pairs.count == 1, let pair = pairs.first else {
            throw ToolError(
                "Line \(line): there must be one row, of the form {\"entity\":{...}}; got \(pairs.count)."
            )
        }
        if pair.name == Exporter.end {
            try checkEnd(pair.value)
            return nil
        }
        guard let entity = entities[pair.name] else {
            throw ToolError(
                "Line \(line): the store has no entity \"\(pair.name)\".",
                hint: "Copy a store with it, or write it with the program's models first."
            )
        }
        return try row(of: entity, pair.value)
    }

    private mutating func readObject() throws -> [(name: String, value: JSONPart)]? {
        guard let bytes = try input.nextLine() else { return nil }
        line += 1
        return try parse(bytes)
    }

    private func parse(_ bytes: some Sequence<UInt8>) throws -> [(name: String, value: JSONPart)] {
        var scanner = JSONScanner(bytes)
        do {
            return try scanner.object()
        } catch {
            throw ToolError("Line \(line), column \(error.column): \(error.message)")
        }
    }

    private mutating func row(of entity: EntitySchema, _ part: JSONPart) throws -> DynamicRow {
        guard case .composite(let text) = part else {
            throw ToolError("Line \(line): the row of \(entity.name) must be an object.")
        }
        var row = try DynamicRow(entity)
        for (name, part) in try parse(text.utf8) {
            guard let position = entity.position(of: name) else {
                throw ToolError("Line \(line): \(entity.name) has no field \"\(name)\".")
            }
            let field = entity.fields[position]
            guard let value = JSONText.value(part, of: field.type) else {
                throw ToolError(
                    "Line \(line), field \(name): the value must be \(FieldText.form(of: field.type));"
                        + " got \(part.raw.prefix(60))."
                )
            }
            try row.set(name, to: value, line: line)
        }
        try row.checkRequired(line: line)
        count += 1
        return row
    }

    private func checkEnd(_ part: JSONPart) throws {
        let pairs: [(name: String, value: JSONPart)] =
            if case .composite(let text) = part { try parse(text.utf8) } else { [] }
        guard pairs.count == 1, pairs[0].value == .number(String(count)) else {
            throw ToolError(
                "The file must have the rows that its last line tells; it has \(count)."
            )
        }
        guard try input.peek() == nil else {
            throw ToolError("Line \(line + 1): nothing must follow the last line of the file.")
        }
    }
}

extension DynamicRow {
    /// Sets a field, and names the line where the value cannot be kept.
    mutating func set(_ name: String, to value: DynamicValue, line: Int) throws {
        do {
            try set(name, to: value)
        } catch let error as DBClientError {
            throw ToolError("Line \(line), field \(name): \(error.message)")
        }
    }

    /// Throws where a field that must have a value has none.
    func checkRequired(line: Int) throws {
        let generated = entity.keyGeneration == .generated ? entity.primaryKey : []
        for (position, field) in entity.fields.enumerated()
        where !field.isOptional && !generated.contains(position) && self[field.name]?.isNull ?? true
        {
            throw ToolError("Line \(line), field \(field.name): a value must be given.")
        }
    }
}
