#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The implementation of `@StoredView`: a model that a request selects into, and that it is kept from.
enum StoredViewMacro: ExtensionMacro {
    /// Returns the extensions of `@Stored` and `@Selection`, and one that adopts `StoredView`; none where either has none.
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        func missing(_ names: String...) -> [TypeSyntax] {
            protocols.filter { type in
                names.contains { type.trimmedDescription.split(separator: ".").last ?? "" == $0 }
            }
        }
        let stored = try StoredMacro.expansion(
            of: node,
            attachedTo: declaration,
            providingExtensionsOf: type,
            conformingTo: missing("Stored", "StoredConvertible"),
            in: context
        )
        if stored.isEmpty { return [] }
        let selection = try SelectionMacro.expansion(
            of: node,
            attachedTo: declaration,
            providingExtensionsOf: type,
            conformingTo: missing("Selection"),
            in: context
        )
        if selection.isEmpty || missing("StoredView").isEmpty { return stored + selection }
        let view = "extension \(type.trimmedDescription): DBClientCore.StoredView {}"
        return stored + selection + [try ExtensionDeclSyntax("\(raw: view)")]
    }
}
#endif
