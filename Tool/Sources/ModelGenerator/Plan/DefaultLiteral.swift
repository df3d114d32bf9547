import Foundation

/// The default of a column as a value of Swift, where it is a constant.
struct DefaultLiteral {
    private let expression: Substring
    private let labels: (String) -> [String: String]

    /// Takes an expression as the database writes it.
    init(
        _ expression: String,
        labels: @escaping (String) -> [String: String]
    ) {
        var text = Self.trimmed(expression[...])
        while text.hasPrefix("("), text.hasSuffix(")"), !text.dropFirst().dropLast().contains(")") {
            text = Self.trimmed(text.dropFirst().dropLast())
        }
        self.expression = text
        self.labels = labels
    }

    /// Whether an expression makes a random UUID.
    static func isRandomUUID(_ expression: String?) -> Bool {
        ["gen_random_uuid()", "uuid_generate_v4()", "public.uuid_generate_v4()"]
            .contains(expression ?? "")
    }

    /// Returns the value as Swift; nil where it is no constant of the kind.
    func swift(of kind: FieldKind) -> String? {
        let word = expression.lowercased()
        if word == "null" || word.hasPrefix("null::") { return "nil" }
        switch kind {
        case .boolean:
            return ["true": "true", "1": "true", "false": "false", "0": "false"][word]
        case .integer: return number(isWhole: true)
        // What a literal with fractions says goes through a double.
        case .decimal: return number(isWhole: true)
        case .double, .float: return number(isWhole: false)
        case .text: return text.map(SwiftLiteral.string)
        case .enumeration(let name): return text.flatMap { labels(name)[$0] }.map { ".\($0)" }
        case .list: return text == "{}" || expression.hasPrefix("ARRAY[]") ? "[]" : nil
        default: return nil
        }
    }

    /// The number, in quotes or not, perhaps with a cast of PostgreSQL's.
    private func number(isWhole: Bool) -> String? {
        var digits = expression.hasPrefix("'") ? text ?? "" : String(withoutCast)
        var sign = ""
        if digits.hasPrefix("-") {
            sign = "-"
            digits.removeFirst()
        }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            digits.count <= 17
        else { return nil }
        if isWhole, parts.count == 2, parts[1].contains(where: { $0 != "0" }) { return nil }
        let whole = parts[0].drop { $0 == "0" }
        let number = whole.isEmpty ? "0" : String(whole)
        return sign + (isWhole || parts.count == 1 ? number : "\(number).\(parts[1])")
    }

    /// The content of a text in quotes.
    private var text: String? {
        let text = withoutCast
        guard text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") else { return nil }
        let content = text.dropFirst().dropLast()
        var value = ""
        var isQuote = false
        for scalar in content.unicodeScalars {
            if scalar == "'" {
                isQuote.toggle()
                if isQuote { continue }
            } else if isQuote {
                // The text ends before, and more follows.
                return nil
            }
            value.unicodeScalars.append(scalar)
        }
        return isQuote ? nil : value
    }

    private var withoutCast: Substring {
        guard let cast = expression.range(of: "::", options: .backwards) else { return expression }
        let type = expression[cast.upperBound...]
        return type.contains("'") ? expression : expression[..<cast.lowerBound]
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...end]
    }
}
