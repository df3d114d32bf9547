/// Names of Swift from the names of a database.
enum SwiftIdentifier {
    /// Returns the words of a name: `billing_postal_code`, `BillingPostalCode` and `HTMLBody2` have three, three and
    /// two.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        var word: [Unicode.Scalar] = []
        func end() {
            if !word.isEmpty { words.append(String(String.UnicodeScalarView(word))) }
            word = []
        }
        let scalars = Array(name.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            guard scalar != "_", scalar.properties.isXIDContinue else {
                end()
                continue
            }
            if scalar.properties.isUppercase, let last = word.last {
                let next = index + 1 < scalars.count ? scalars[index + 1] : nil
                let isEndOfCapitals =
                    last.properties.isUppercase && next?.properties.isLowercase == true
                // A plural of capitals, as in `userIDs`, goes on.
                let isPlural =
                    next == "s" && (index + 2 == scalars.count || scalars[index + 2] == "_")
                if !last.properties.isUppercase || isEndOfCapitals && !isPlural { end() }
            }
            word.append(scalar)
        }
        end()
        return words.map { $0.lowercased() }
    }

    /// Returns words as the name of a property, a function or a case.
    static func lowerCamel(_ words: [String]) -> String {
        guard let first = words.first else { return "unnamed" }
        return beginning(first + words.dropFirst().map(capitalized).joined())
    }

    /// Returns words as the name of a type.
    static func upperCamel(_ words: [String]) -> String {
        words.isEmpty ? "Unnamed" : beginning(words.map(capitalized).joined())
    }

    /// Returns a name as it stands in Swift: in backticks where it is a word of the language.
    static func escaped(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// No name begins with a digit, or with a mark that continues a letter.
    private static func beginning(_ name: String) -> String {
        guard let first = name.unicodeScalars.first else { return name }
        return first.properties.isXIDStart ? name : "_" + name
    }

    private static func capitalized(_ word: String) -> String {
        if acronyms.contains(word) { return word.uppercased() }
        if word.hasSuffix("s"), acronyms.contains(String(word.dropLast())) {
            return word.dropLast().uppercased() + "s"
        }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    private static let acronyms: Set<String> = [
        "api", "csv", "guid", "html", "http", "https", "id", "ip", "json", "pdf", "sql", "uri",
        "url",
        "uuid", "xml",
    ]

    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
        "is",
        "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
        "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Names of types that generated code uses, or that Swift or the library's macros give another meaning.
    static let reservedTypes: Set<String> = [
        "any", "array", "bool", "caseiterable", "codable", "data", "date", "dbclientcore",
        "decimal",
        "decoder", "decodingerror", "dictionary", "double", "encoder", "fetchrequest", "float",
        "foundation", "hashable", "int", "int16", "int32", "int64", "int8", "jsonvalue", "never",
        "offsetuint64", "optional", "primarykey", "primarykeyvalue", "protocol", "reference",
        "references", "schema", "self", "set", "storablevalue", "storage", "stored", "storedindex",
        "string", "swift", "type", "uint", "uint16", "uint32", "uint64", "uint8", "url", "uuid",
        "void",
    ]

    /// Names of properties that have another meaning in a model.
    static let reservedProperties: Set<String> = [
        "Protocol", "Self", "Type", "hash", "hashValue", "init", "inverse", "primaryKey", "self",
        "storage", "write",
    ]

    /// Names of cases that have another meaning in an enum.
    static let reservedCases: Set<String> = [
        "Protocol", "Self", "Type", "allCases", "hash", "hashValue", "init", "none", "rawValue",
        "self",
        "some",
    ]
}

/// Names of which none is given twice.
struct UniqueNames {
    private var taken: Set<String>
    private let ignoresCase: Bool

    /// Begins with names that are taken.
    init(taken: Set<String> = [], ignoringCase: Bool = false) {
        self.taken = ignoringCase ? Set(taken.map { $0.lowercased() }) : taken
        ignoresCase = ignoringCase
    }

    /// Returns the first name that is free, or the last one with a number, and takes it.
    mutating func take(_ names: String...) -> String {
        func isFree(_ name: String) -> Bool {
            !taken.contains(ignoresCase ? name.lowercased() : name)
        }
        var name = names.first(where: isFree) ?? ""
        if name.isEmpty, let last = names.last {
            var number = 2
            while !isFree("\(last)\(number)") { number += 1 }
            name = "\(last)\(number)"
        }
        taken.insert(ignoresCase ? name.lowercased() : name)
        return name
    }

    /// Whether a name is free.
    func isFree(_ name: String) -> Bool {
        !taken.contains(ignoresCase ? name.lowercased() : name)
    }
}
