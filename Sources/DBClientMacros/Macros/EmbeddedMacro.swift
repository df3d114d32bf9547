#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The implementation of `@Embedded`: an extension that maps a struct to fields of its owner.
enum EmbeddedMacro: ExtensionMacro {
    /// Returns the extension, or none where the struct is not a usable value yet.
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        try ModelMacro.embedded.expansion(
            of: node,
            attachedTo: declaration,
            type: type,
            protocols: protocols,
            in: context
        )
    }
}
#endif
