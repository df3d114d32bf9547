#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// Helpers that put source text together.
enum Code {
    /// Returns a string literal of the value, escaped where it must be.
    static func literal(_ value: String) -> String {
        StringLiteralExprSyntax(content: value).description
    }

    /// Returns a declaration or call with its lines between two delimiters, one level further in.
    static func block(_ head: String, _ lines: [String], _ tail: String = "}") -> String {
        let body = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        return ([head] + body.map { "    \($0)" } + [tail]).joined(separator: "\n")
    }
}
#endif
