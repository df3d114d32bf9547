#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelMacro {
    /// Returns the extension that both macros make, after reporting what stands against it.
    func expansion(
        of attribute: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        type: some TypeSyntaxProtocol,
        protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        var diagnostics: [Diagnostic] = []
        let model = Model(
            declaration,
            macro: self,
            attribute: attribute,
            lexicalContext: context.lexicalContext,
            diagnostics: &diagnostics
        )
        for diagnostic in diagnostics { context.diagnose(diagnostic) }
        guard let model else { return [] }
        return [try model.extensionDeclaration(of: type, adopting: protocols)]
    }
}
#endif
