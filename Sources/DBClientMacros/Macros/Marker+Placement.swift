#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension Marker {
    /// Returns what is wrong with the place of a marker, which no model's own expansion looks at.
    func placementDiagnostic(
        of attribute: AttributeSyntax, on declaration: some DeclSyntaxProtocol,
        in lexicalContext: [Syntax]
    ) -> Diagnostic? {
        guard
            let property = declaration.as(VariableDeclSyntax.self),
            let binding = property.bindings.first
        else {
            return Diagnostic(node: attribute, message: StoredDiagnostic.markerOnOther(self))
        }
        let name = binding.pattern.trimmedDescription.withoutBackticks
        let message: StoredDiagnostic
        if property.isStatic {
            message = .markerOnStatic(self, name)
        } else if binding.isComputed {
            message = .markerOnComputed(self, name)
        } else if !isInsideModel(lexicalContext) {
            message = .markerOutsideModel(self, name)
        } else {
            return nil
        }
        return Diagnostic(
            node: attribute, message: message, fixIts: [.remove(attribute, from: property)])
    }

    private func isInsideModel(_ lexicalContext: [Syntax]) -> Bool {
        let types = lexicalContext.lazy.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
        guard let type = types.first else { return false }
        return ModelMacro.allCases.contains(where: type.attributes.contains)
    }
}
#endif
