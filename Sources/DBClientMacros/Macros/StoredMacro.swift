#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The implementation of `@Stored`: an extension that maps a struct to an entity of its own.
enum StoredMacro: ExtensionMacro {
    /// Returns the extension, or none where the struct is not a model yet.
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        try ModelMacro.stored.expansion(
            of: node,
            attachedTo: declaration,
            type: type,
            protocols: protocols,
            in: context
        )
    }
}
#endif
