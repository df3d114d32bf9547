#if Macros
import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport

/// Returns an expected error with the messages of its fix-its.
func error(
    _ message: String,
    line: Int,
    column: Int,
    fixIts: [String] = [],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    sourceLine: UInt = #line
) -> DiagnosticSpec {
    DiagnosticSpec(
        message: message,
        line: line,
        column: column,
        fixIts: fixIts.map { FixItSpec(message: $0) },
        originatorFileID: fileID,
        originatorFile: filePath,
        originatorLine: sourceLine
    )
}

/// Returns an expected warning with the messages of its fix-its.
func warning(
    _ message: String,
    line: Int,
    column: Int,
    fixIts: [String] = [],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    sourceLine: UInt = #line
) -> DiagnosticSpec {
    DiagnosticSpec(
        message: message,
        line: line,
        column: column,
        severity: .warning,
        fixIts: fixIts.map { FixItSpec(message: $0) },
        originatorFileID: fileID,
        originatorFile: filePath,
        originatorLine: sourceLine
    )
}

/// Expects a property, the third line of a model with a key `id`, to be refused.
///
/// `stripped` is the property without its markers, which is all that is left of it, and `fixed` is
/// the property after the fix-its whose messages are given, or after all of them.
func assertRefused(
    _ property: String,
    _ stripped: String,
    diagnostics: [DiagnosticSpec],
    applying fixIts: [String]? = nil,
    fixed: String? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) {
    func model(_ attribute: String, _ property: String) -> String {
        """
        \(attribute)struct Hero {
            let id: Int
            \(property)
        }
        """
    }
    assertExpansion(
        model("@Stored ", property),
        model("", stripped),
        diagnostics: diagnostics,
        applying: fixIts,
        fixed: fixed.map { model("@Stored ", $0) },
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
    )
}
#endif
