import Foundation

// Entities as text, which is kept with the sources and compared.
extension EntityCatalog {
    /// The entities as lines of text that stay the same as long as what they describe does.
    ///
    /// A test that compares it with a file notices when a model changes, and the tool `dbclient` compares it with
    /// what a store has:
    ///
    /// ```swift
    /// let text = try EntityCatalog([Hero.self, Publisher.self]).schemaText
    /// #expect(text == (try String(contentsOf: lockFile, encoding: .utf8)))
    /// ```
    public var schemaText: String { Self.schemaText(of: entities) }

    /// Returns entities as lines of text, in the order of their names.
    public static func schemaText(of entities: [EntitySchema]) -> String {
        entities.sorted { $0.exactName < $1.exactName }.map(text(of:)).joined(separator: "\n")
    }

    private static func text(of entity: EntitySchema) -> String {
        func names(_ positions: [Int]) -> String {
            positions.map { quoted(entity.fields[$0].name) }.joined(separator: ", ")
        }
        var lines = ["entity \(quoted(entity.name))"]
        // Engines keep fields in orders of their own.
        for field in entity.fields.sorted(by: {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }) {
            lines.append(
                "  field \(quoted(field.name)) \(field.form)\(field.isOptional ? " optional" : "")"
            )
        }
        lines.append("  key \(names(entity.primaryKey))")
        lines += entity.indexes.map { "  \($0.isUnique ? "unique" : "index") \(names($0.fields))" }
            .sorted()
        for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
            let target = quoted(relationship.targetName)
            lines.append(
                "  relationship \(quoted(relationship.name)) \(relationship.kind.rawValue) \(target)"
                    + " \(relationship.rule.rawValue)"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a name as it is, or as a string of JSON where it is not a plain word.
    private static func quoted(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        if isPlain { return name }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A string always has a JSON form.
        return String(decoding: (try? encoder.encode(name)) ?? Data(), as: UTF8.self)
    }

    /// Creates a catalog of the entities that a text describes, as ``schemaText`` writes it.
    ///
    /// Lines that begin with `#` are comments. The entities have no relationships, whose fields they have: a text does
    /// not say what is made of these. Their keys are taken for those that a caller gives.
    ///
    /// - Throws: `.invalidRequest` for a text that is none, with the number of the line; `.invalidSchema` for an entity
    ///   that no model could have.
    public init(schemaText: String) throws {
        var reader = SchemaTextReader()
        for (index, line) in schemaText.split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        ).enumerated() {
            do {
                try reader.read(line)
            } catch let error as SchemaTextReader.Misfit {
                throw DBClientError(
                    .invalidRequest,
                    "Line \(index + 1) of the text must be \(error.expected); got \"\(line)\"."
                )
            }
        }
        let entities = reader.entities
        for entity in entities { try entity.validate() }
        self.init(entities: entities, omissions: [])
    }
}

/// Puts entities together from lines of text.
private struct SchemaTextReader {
    /// A line is none of those that may come here.
    struct Misfit: Error {
        let expected: String
    }

    private struct Draft {
        let name: String
        var fields: [FieldSchema] = []
        var key: [Int] = []
        var indexes: [IndexSchema] = []

        var entity: EntitySchema {
            EntitySchema(
                name: name,
                fields: fields,
                primaryKey: key,
                keyGeneration: .given,
                indexes: indexes,
                failure: nil
            )
        }
    }

    private var drafts: [Draft] = []

    var entities: [EntitySchema] { drafts.map(\.entity) }

    mutating func read(_ line: Substring) throws {
        var rest = line.drop { $0 == " " }
        if rest.isEmpty || rest.first == "#" { return }
        let word = rest.prefix { $0 != " " }
        rest = rest.dropFirst(word.count)
        if word == "entity" { return drafts.append(Draft(name: try Self.name(&rest))) }
        guard !drafts.isEmpty else { throw Misfit(expected: "the name of an entity") }
        let last = drafts.count - 1
        switch word {
        case "field": drafts[last].fields.append(try Self.field(rest))
        case "key": drafts[last].key = try positions(rest)
        case "unique", "index":
            drafts[last].indexes.append(
                IndexSchema(fields: try positions(rest), isUnique: word == "unique")
            )
        case "relationship": break
        default:
            throw Misfit(expected: "an entity, a field, a key, an index or a relationship")
        }
    }

    private static func field(_ text: Substring) throws -> FieldSchema {
        var rest = text
        let name = try name(&rest)
        var words = rest.drop { $0 == " " }
        let isOptional = words.hasSuffix(" optional")
        if isOptional { words = words.dropLast(" optional".count) }
        var form = FieldForm(String(words))
        if let key = words.range(of: ", the key of ") {
            let target = String(words[key.upperBound...])
            form = FieldForm(String(words[..<key.lowerBound])).holding { target }
        }
        guard let type = form.type else { throw Misfit(expected: "a field with its type") }
        return FieldSchema(name: name, type: type, isOptional: isOptional, form: form)
    }

    /// Returns the positions of the fields with some names.
    private func positions(_ text: Substring) throws -> [Int] {
        var rest = text
        var positions: [Int] = []
        repeat {
            let name = try Self.name(&rest)
            let position = drafts.last?.fields.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
            guard let position else { throw Misfit(expected: "names of fields of the entity") }
            positions.append(position)
            rest = rest.drop { $0 == "," }
        } while !rest.allSatisfy { $0 == " " }
        return positions
    }

    /// Takes a name, a plain word or a string of JSON, off the beginning of a text.
    private static func name(_ rest: inout Substring) throws -> String {
        rest = rest.drop { $0 == " " }
        guard rest.first == "\"" else {
            let word = rest.prefix { $0 != " " && $0 != "," }
            rest = rest.dropFirst(word.count)
            if word.isEmpty { throw Misfit(expected: "a name after a word") }
            return String(word)
        }
        var isEscaped = false
        let end = rest.indices.dropFirst().first { index in
            defer { isEscaped = !isEscaped && rest[index] == "\\" }
            return rest[index] == "\"" && !isEscaped
        }
        guard let end,
            let name = try? JSONDecoder().decode(String.self, from: Data(rest[...end].utf8))
        else { throw Misfit(expected: "a name in quotes that end") }
        rest = rest[rest.index(after: end)...]
        return name
    }
}
