/// A word or a sign of a query's text.
enum QueryToken: Equatable {
    case word(String)
    /// A name in double quotes, which is no keyword.
    case name(String)
    case text(String)
    case number(String)
    case sign(String)

    /// The token as it was written, for messages.
    var description: String {
        switch self {
        case .word(let text), .number(let text), .sign(let text): text
        case .name(let text): "\"\(text)\""
        case .text(let text): "'\(text)'"
        }
    }
}

/// Takes a query's text apart.
struct QueryLexer {
    /// The tokens with the positions at which they begin, counted from one.
    private(set) var tokens: [(token: QueryToken, position: Int)] = []

    /// - Throws: ``ToolError`` for a quote without an end and for a character that begins nothing.
    init(_ text: String) throws {
        let characters = Array(text)
        var position = 0
        func take(while condition: (Character) -> Bool) -> String {
            let start = position
            while position < characters.count, condition(characters[position]) { position += 1 }
            return String(characters[start..<position])
        }
        func quoted() throws -> String {
            let (quote, start) = (characters[position], position)
            var content = ""
            position += 1
            while position < characters.count {
                let character = characters[position]
                position += 1
                if character == quote {
                    guard position < characters.count, characters[position] == quote else {
                        return content
                    }
                    position += 1
                }
                content.append(character)
            }
            throw ToolError("The quote at position \(start + 1) must have an end.")
        }
        while position < characters.count {
            let start = position
            let character = characters[position]
            switch character {
            case _ where character.isWhitespace:
                position += 1
                continue
            case "'": tokens.append((.text(try quoted()), start + 1))
            case "\"": tokens.append((.name(try quoted()), start + 1))
            case "(", ")", ",", "=":
                position += 1
                tokens.append((.sign(String(character)), start + 1))
            case "<", ">", "!":
                let sign = take { "<>=!".contains($0) }
                guard ["<", ">", "<=", ">=", "<>", "!="].contains(sign) else {
                    throw ToolError("There is no comparison \(sign), at position \(start + 1).")
                }
                tokens.append((.sign(sign), start + 1))
            case "-", "0"..."9":
                position += 1
                let rest = take {
                    $0.isASCII && ($0.isNumber || $0.isLetter || ".+-:".contains($0))
                }
                tokens.append((.number(String(character) + rest), start + 1))
            case _ where character.isLetter || character == "_":
                let word = take { $0.isLetter || $0.isNumber || "_$".contains($0) }
                tokens.append((.word(word), start + 1))
            default:
                throw ToolError(
                    "The character \(character) at position \(start + 1) must be in quotes."
                )
            }
        }
    }
}
