#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// Helpers that put source text together.
enum Code {
    /// Returns a string literal of the value, escaped where it must be.
    static func literal(_ value: String) -> String {
        guard value.contains(where: \.isMarkedDelimiter) else {
            return StringLiteralExprSyntax(content: value).description
        }
        let escaped = value.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": "\(scalar)"
            default: "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return "\"\(escaped.joined())\""
    }

    /// Returns a declaration or call with its lines between two delimiters, one level further in.
    static func block(_ head: String, _ lines: [String], _ tail: String = "}") -> String {
        let body = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        return ([head] + body.map { "    \($0)" } + [tail]).joined(separator: "\n")
    }
}

extension Swift.Character {
    /// Whether a mark, such as an accent, makes one character with a quotation mark or a backslash, which
    /// SwiftSyntax then does not recognize and escape.
    fileprivate var isMarkedDelimiter: Bool {
        unicodeScalars.count > 1 && (unicodeScalars.first == "\"" || unicodeScalars.first == "\\")
    }
}
#endif
