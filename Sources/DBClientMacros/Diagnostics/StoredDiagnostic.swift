#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// A diagnostic of a macro of this module about the code that it is attached to.
///
/// Each message names the type or property and says what to do about it.
struct StoredDiagnostic: DiagnosticMessage {
    let message: String
    let severity: DiagnosticSeverity
    let diagnosticID: MessageID

    /// Creates a message whose identifier is the factory that makes it.
    init(_ message: String, severity: DiagnosticSeverity = .error, factory: String = #function) {
        self.message = message
        self.severity = severity
        self.diagnosticID = MessageID(
            domain: "DBClientMacros",
            id: String(factory.prefix { $0 != "(" })
        )
    }
}

extension [Diagnostic] {
    /// Whether something was reported that makes an extension impossible.
    var hasErrors: Bool { contains { $0.diagMessage.severity == .error } }

    /// Adds a message at a node, with what would put it right.
    mutating func report(
        _ message: StoredDiagnostic,
        at node: some SyntaxProtocol,
        fixIts: [FixIt] = []
    ) {
        append(Diagnostic(node: node, message: message, fixIts: fixIts))
    }
}
#endif
