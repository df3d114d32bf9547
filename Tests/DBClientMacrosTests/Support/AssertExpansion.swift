#if Macros
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import DBClientMacros

/// Every macro of the module, each with the protocols that it is asked to adopt.
let allMacros: [String: MacroSpec] = [
    "Stored": MacroSpec(type: StoredMacro.self, conformances: ["Stored"]),
    "StoredView": MacroSpec(
        type: StoredViewMacro.self,
        conformances: ["Stored", "Selection", "StoredView"]
    ),
    "Embedded": MacroSpec(type: EmbeddedMacro.self, conformances: ["EmbeddedValue"]),
    "Parts": MacroSpec(type: PartsMacro.self, conformances: ["PartedValue"]),
    "Selection": MacroSpec(type: SelectionMacro.self, conformances: ["Selection"]),
    "PrimaryKey": MacroSpec(type: PrimaryKeyMacro.self),
    "Indexed": MacroSpec(type: IndexedMacro.self),
    "Unique": MacroSpec(type: UniqueMacro.self),
    "Transient": MacroSpec(type: TransientMacro.self),
    "StoredName": MacroSpec(type: StoredNameMacro.self),
    "StoredAs": MacroSpec(type: StoredAsMacro.self),
    "ShardKey": MacroSpec(type: ShardKeyMacro.self),
    "Searchable": MacroSpec(type: SearchableMacro.self),
    "Relationship": MacroSpec(type: RelationshipMacro.self),
    "Inverse": MacroSpec(type: InverseMacro.self),
]

/// Expands macros in a source and records each difference from what is expected.
///
/// `expanded` is the source after expansion, unchanged but for its attributes where an error stops
/// it. `diagnostics` are all that are reported, in order. `fixed` is the source after the fix-its
/// whose messages are given, or after all of them.
func assertExpansion(
    _ source: String,
    _ expanded: String,
    diagnostics: [DiagnosticSpec] = [],
    applying fixIts: [String]? = nil,
    fixed: String? = nil,
    macros: [String: MacroSpec] = allMacros,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) {
    assertMacroExpansion(
        source,
        expandedSource: expanded,
        diagnostics: diagnostics,
        macroSpecs: macros,
        applyFixIts: fixIts,
        fixedSource: fixed,
        failureHandler: { failure in
            Issue.record(
                Comment(rawValue: failure.message),
                sourceLocation: SourceLocation(
                    fileID: failure.location.fileID,
                    filePath: failure.location.filePath,
                    line: failure.location.line,
                    column: failure.location.column
                )
            )
        },
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
    )
}
#endif
