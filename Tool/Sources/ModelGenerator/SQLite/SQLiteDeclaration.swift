/// What the declaration of a table says of its columns beside what the pragmas tell: their collations, and the notes
/// of the library.
struct SQLiteDeclaration {
    /// What stands in the declaration of a column.
    struct Column {
        /// The name of the collation, in capitals.
        var collation: String?
        /// What the library has noted that the column was written as.
        var note: String?
    }

    private var columns: [String: Column] = [:]

    /// Reads the text of a declaration, as `sqlite_schema` has it.
    init(_ sql: String) {
        var scanner = Scanner(sql)
        while let token = scanner.next(), token != .symbol("(") {}
        var name: String?
        var column = Column()
        var depth = 0
        var wantsCollation = false
        func fold(_ name: String) -> String { name.lowercased() }
        while let token = scanner.next() {
            switch token {
            case .symbol("("): depth += 1
            case .symbol(")"):
                depth -= 1
                if depth < 0 {
                    if let name { columns[fold(name)] = column }
                    return
                }
            case .symbol(",") where depth == 0:
                if let name { columns[fold(name)] = column }
                (name, column) = (nil, Column())
            case .symbol: break
            case .comment(let text):
                if name != nil, column.note == nil, text.hasPrefix("dbclient ") {
                    column.note = String(text.dropFirst("dbclient ".count))
                }
            case .word(let word):
                if name == nil {
                    name = word
                } else if depth == 0, wantsCollation {
                    column.collation = word.uppercased()
                }
                wantsCollation = depth == 0 && word.uppercased() == "COLLATE"
            }
        }
    }

    /// Returns what stands in the declaration of a column.
    subscript(column: String) -> Column? { columns[column.lowercased()] }
}

/// Divides SQL into words, comments and single characters.
private struct Scanner {
    enum Token: Equatable {
        case word(String)
        case comment(String)
        case symbol(Unicode.Scalar)
    }

    private let text: [Unicode.Scalar]
    private var position = 0

    init(_ sql: String) {
        text = Array(sql.unicodeScalars)
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < text.count ? text[position + offset] : nil
    }

    mutating func next() -> Token? {
        while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
        guard let scalar = peek() else { return nil }
        switch scalar {
        case "\"", "'", "`": return .word(quoted(until: scalar))
        case "[": return .word(quoted(until: "]"))
        case "/" where peek(1) == "*":
            let start = position + 2
            position = start
            while let next = peek(), next != "*" || peek(1) != "/" { position += 1 }
            let content = text[min(start, text.count)..<position]
            position = min(position + 2, text.count)
            return .comment(Self.trimmed(content))
        case "-" where peek(1) == "-":
            while let next = peek(), next != "\n" { position += 1 }
            return .comment("")
        default: break
        }
        let start = position
        while let next = peek(), Self.isOfName(next) { position += 1 }
        if position > start { return .word(Self.string(text[start..<position])) }
        position += 1
        return .symbol(scalar)
    }

    private mutating func quoted(until end: Unicode.Scalar) -> String {
        var content: [Unicode.Scalar] = []
        position += 1
        while let next = peek() {
            position += 1
            if next == end {
                guard end != "]", peek() == end else { break }
                position += 1
            }
            content.append(next)
        }
        return Self.string(content[...])
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 || scalar == "_" || scalar == "$"
            || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        let rest = scalars.drop { $0.properties.isWhitespace }
        let end = rest.lastIndex { !$0.properties.isWhitespace }
        return string(end.map { rest[...$0] } ?? [])
    }
}
