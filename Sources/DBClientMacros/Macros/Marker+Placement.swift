#if Macros
import SwiftSyntax

extension Marker {
    /// Returns what is wrong with the place of the marker, which no model's own expansion looks at.
    func misplacement(
        on declaration: some DeclSyntaxProtocol,
        in lexicalContext: [Syntax]
    ) -> StoredDiagnostic? {
        guard
            let property = declaration.as(VariableDeclSyntax.self),
            let binding = property.bindings.first(where: \.isComputed) ?? property.bindings.first
        else { return .markerOnOther(self) }
        let name = binding.pattern.trimmedDescription.withoutBackticks
        if property.isStatic { return .markerOnStatic(self, name) }
        if binding.isComputed { return .markerOnComputed(self, name) }
        return lexicalContext.isInsideModel ? nil : .markerOutsideModel(self, name)
    }
}

extension [Syntax] {
    /// Whether the innermost type of a lexical context is one that a macro makes a model.
    fileprivate var isInsideModel: Bool {
        let types = lazy.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
        guard let type = types.first else { return false }
        return ModelMacro.allCases.contains(where: type.attributes.contains)
    }
}
#endif
