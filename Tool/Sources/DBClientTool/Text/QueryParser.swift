package import DBClientCore

/// Makes conditions and sorts of text, by the fields of an entity.
///
/// Values never become a part of a statement: they are those of a `DynamicRequest`, whatever they look like.
///
/// ```
/// condition = term { "or" term }        term = factor { "and" factor }
/// factor    = "not" factor | "(" condition ")" | field test
/// test      = ("=" | "!=" | "<>" | "<" | "<=" | ">" | ">=") (value | field)
///           | "is" [ "not" ] "null" | [ "not" ] "in" "(" value { "," value } ")"
///           | [ "not" ] ("like" | "begins" | "ends" | "contains") text
/// ```
package struct QueryParser {
    private let entity: EntitySchema
    private let tokens: [(token: QueryToken, position: Int)]
    private var index = 0
    private var depth = 0
    /// What is understood, and perhaps otherwise than it was meant.
    private var notes: [String] = []

    /// The deepest nesting of parentheses and negations.
    private static let maximumDepth = 200

    private init(_ text: String, of entity: EntitySchema) throws {
        self.entity = entity
        tokens = try QueryLexer(text).tokens
    }

    /// Returns the condition that a text describes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - entity: The entity whose fields it is about.
    ///   - note: Is called with what may be meant otherwise than it is understood.
    /// - Returns: The condition.
    /// - Throws: ``ToolError`` for a text that is not understood, with the position.
    package static func condition(
        _ text: String,
        of entity: EntitySchema,
        note: (String) -> Void = { _ in }
    ) throws -> DynamicCondition {
        try reading {
            var parser = try QueryParser(text, of: entity)
            let condition = try parser.disjunction()
            guard parser.index == parser.tokens.count else {
                throw parser.failure("There must be and, or or the end")
            }
            parser.notes.forEach(note)
            return condition
        }
    }

    /// Returns the sorts that a text describes: fields with `asc` or `desc`, separated by commas.
    ///
    /// - Throws: ``ToolError`` for a text that is not understood, with the position.
    package static func sorts(
        _ text: String,
        of entity: EntitySchema
    ) throws -> [DynamicRequest.Sort] {
        try reading {
            var parser = try QueryParser(text, of: entity)
            var sorts: [DynamicRequest.Sort] = []
            repeat {
                let field = try parser.field()
                let isDescending = parser.takeWord("desc")
                if !isDescending { _ = parser.takeWord("asc") }
                sorts.append(DynamicRequest.Sort(field.name, descending: isDescending))
            } while parser.takeSign(",")
            guard parser.index == parser.tokens.count else {
                throw parser.failure("There must be asc, desc, a comma or the end")
            }
            return sorts
        }
    }

    /// Reads a text, whose failures are those of an argument.
    private static func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ToolError {
            throw error.ofArgument
        }
    }

    // MARK: Tokens

    private var current: QueryToken? { index < tokens.count ? tokens[index].token : nil }

    private func failure(_ wanted: String) -> ToolError {
        guard index < tokens.count else { return ToolError("\(wanted); the text ends there.") }
        let (token, position) = tokens[index]
        return ToolError("\(wanted); got \(token.description) at position \(position).")
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard case .word(let found) = current, found.lowercased() == word else { return false }
        index += 1
        return true
    }

    private mutating func takeSign(_ sign: String) -> Bool {
        guard current == .sign(sign) else { return false }
        index += 1
        return true
    }

    // MARK: Conditions

    private mutating func disjunction() throws -> DynamicCondition {
        var operands = [try conjunction()]
        while takeWord("or") { operands.append(try conjunction()) }
        return operands.count == 1 ? operands[0] : .any(operands)
    }

    private mutating func conjunction() throws -> DynamicCondition {
        var operands = [try factor()]
        while takeWord("and") { operands.append(try factor()) }
        return operands.count == 1 ? operands[0] : .all(operands)
    }

    private mutating func factor() throws -> DynamicCondition {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw failure("The condition is nested too deep") }
        if takeWord("not") { return .not(try factor()) }
        if takeSign("(") {
            let condition = try disjunction()
            guard takeSign(")") else { throw failure("There must be a )") }
            return condition
        }
        return try test(of: try field())
    }

    private mutating func field() throws -> FieldSchema {
        let name: String
        switch current {
        case .word(let word), .name(let word): name = word
        default: throw failure("There must be the name of a field")
        }
        guard let position = entity.position(of: name) else {
            let fields = "Its fields are \(entity.fields.map(\.name).joined(separator: ", "))."
            var isQuoted = false
            if case .name = current { isQuoted = true }
            throw ToolError(
                "\(entity.name) has no field \"\(name)\".",
                hint: isQuoted ? "Text is in single quotes: '\(name)'. \(fields)" : fields
            )
        }
        index += 1
        return entity.fields[position]
    }

    private mutating func test(of field: FieldSchema) throws -> DynamicCondition {
        if case .sign(let sign) = current, let comparison = Self.comparisons[sign] {
            index += 1
            return try compare(field, comparison)
        }
        if takeWord("is") {
            let isNegated = takeWord("not")
            guard takeWord("null") else { throw failure("There must be null") }
            return .field(field.name, isNegated ? .notEqual : .equal, nil)
        }
        let isNegated = takeWord("not")
        let condition = try membershipOrPattern(of: field)
        return isNegated ? .not(condition) : condition
    }

    private mutating func membershipOrPattern(of field: FieldSchema) throws -> DynamicCondition {
        if takeWord("in") {
            guard takeSign("(") else { throw failure("There must be a (") }
            var values: [DynamicValue] = []
            repeat { values.append(try value(of: field)) } while takeSign(",")
            guard takeSign(")") else { throw failure("There must be a comma or a )") }
            return .field(field.name, isIn: values)
        }
        for (word, kind) in Self.patterns where takeWord(word) {
            guard case .text(let text) = current else {
                throw failure("There must be text in quotes")
            }
            index += 1
            if kind == .wildcard, text.contains("%"), !text.contains(where: { "*?".contains($0) }) {
                notes.append(
                    "like knows * for any text and ? for one character; the % in '\(text)' is itself."
                )
            }
            return .field(field.name, matches: TextPattern(kind, text))
        }
        throw failure("There must be a comparison, is, in, like, begins, ends or contains")
    }

    private mutating func compare(
        _ field: FieldSchema,
        _ comparison: Comparison
    ) throws -> DynamicCondition {
        switch current {
        case .name: return .field(field.name, comparison, field: try self.field().name)
        case .word(let word) where !Self.isConstant(word, for: field):
            return .field(field.name, comparison, field: try self.field().name)
        default: return .field(field.name, comparison, try value(of: field))
        }
    }

    private mutating func value(of field: FieldSchema) throws -> DynamicValue {
        let text: String
        switch current {
        case .text(let found), .number(let found): text = found
        case .word(let word) where Self.isConstant(word, for: field):
            text = word.lowercased()
            if text == "null" {
                index += 1
                return .null
            }
        default: throw failure("There must be a value")
        }
        guard let value = FieldText.value(text, of: field.type) else {
            let form = FieldText.form(of: field.type)
            throw failure("A value of \(field.name) must be \(form)")
        }
        if case .real(let number) = value, number.isNaN {
            throw failure(
                "A value of \(field.name) must be a number; nan is none, and no row is stored with it"
            )
        }
        index += 1
        return value
    }

    /// Whether a word without quotes is a value, and no name of a field.
    private static func isConstant(_ word: String, for field: FieldSchema) -> Bool {
        let isReal = [.double, .float].contains(field.type)
        return (isReal ? ["null", "true", "false", "nan"] : ["null", "true", "false"])
            .contains(word.lowercased())
    }

    private static let comparisons: [String: Comparison] = [
        "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
        ">": .greater, ">=": .greaterOrEqual,
    ]

    private static let patterns: [(String, TextPattern.Kind)] = [
        ("like", .wildcard), ("begins", .prefix), ("ends", .suffix), ("contains", .contains),
    ]
}
