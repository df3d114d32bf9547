#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// The name under which a store keeps a type or a property.
enum StoredName {
    /// In bytes of UTF-8: PostgreSQL silently cuts longer ones, so every engine refuses them.
    static let maximumLength = 63

    /// Returns the name that an attribute gives, or the default where it gives none.
    ///
    /// A name that no store can keep is reported and still returned, so that the rest of the model
    /// is checked too.
    static func resolve(
        _ attribute: AttributeSyntax?,
        default name: String,
        of subject: some SyntaxProtocol,
        attributeName: String,
        diagnostics: inout [Diagnostic]
    ) -> String {
        guard let argument = attribute?.argumentExpressions.first else {
            check(name, of: name, at: subject, attributeName, &diagnostics)
            return name
        }
        guard
            let literal = argument.as(StringLiteralExprSyntax.self),
            let given = literal.representedLiteralValue
        else {
            diagnostics.report(.nameNotLiteral(name), at: argument)
            return name
        }
        check(given, of: name, at: argument, attributeName, &diagnostics)
        return given
    }

    private static func check(
        _ storedName: String,
        of name: String,
        at node: some SyntaxProtocol,
        _ attributeName: String,
        _ diagnostics: inout [Diagnostic]
    ) {
        let bytes = storedName.utf8
        if bytes.isEmpty {
            diagnostics.report(.emptyName(name), at: node)
        } else if bytes.contains(0) {
            diagnostics.report(.nameWithNUL(name), at: node)
        } else if bytes.count > maximumLength {
            diagnostics.report(
                .nameTooLong(name, length: bytes.count, attribute: attributeName),
                at: node
            )
        }
    }

    /// Returns the name with ASCII letters in lower case: names that fold alike are one to SQLite.
    static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
#endif
