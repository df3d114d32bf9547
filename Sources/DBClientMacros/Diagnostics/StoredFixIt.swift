#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// The text of a fix-it.
private struct StoredFixItMessage: FixItMessage {
    let message: String
    let fixItID: MessageID

    init(_ message: String, factory: String = #function) {
        self.message = message
        self.fixItID = MessageID(domain: "DBClientMacros", id: String(factory.prefix { $0 != "(" }))
    }
}

/// The changes that the diagnostics of this module offer.
extension FixIt {
    private static func replace(
        _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: StoredFixItMessage
    ) -> FixIt {
        FixIt(
            message: message, changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }

    static func remove(
        _ attribute: AttributeSyntax, from declaration: some DeclSyntaxProtocol & WithAttributesSyntax
    ) -> FixIt {
        var changed = declaration
        changed.attributes = declaration.attributes.filter { $0.id != attribute.id }
        // The first attribute carries the line break and indentation of the whole declaration.
        changed.leadingTrivia = declaration.leadingTrivia
        return replace(
            declaration, with: changed,
            StoredFixItMessage("remove '@\(attribute.bareName)'"))
    }

    static func markTransient(_ declaration: VariableDeclSyntax) -> FixIt {
        let transient = AttributeSyntax(
            attributeName: IdentifierTypeSyntax(name: .identifier(Marker.transient.rawValue)),
            trailingTrivia: .space)
        var changed = declaration
        changed.leadingTrivia = []
        changed.attributes = [.attribute(transient)] + changed.attributes
        changed.leadingTrivia = declaration.leadingTrivia
        return replace(declaration, with: changed, StoredFixItMessage("mark it '@Transient'"))
    }

    static func makeVariable(_ declaration: VariableDeclSyntax) -> FixIt {
        let specifier = declaration.bindingSpecifier
        return replace(
            specifier, with: specifier.with(\.tokenKind, .keyword(.var)),
            StoredFixItMessage("make it 'var'"))
    }

    static func removeOptional(_ type: TypeSyntax) -> FixIt? {
        guard let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType else { return nil }
        return replace(
            type, with: wrapped.with(\.trailingTrivia, type.trailingTrivia),
            StoredFixItMessage("remove '?'"))
    }

    static func addType(to binding: PatternBindingSyntax) -> FixIt {
        let annotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space),
            type: IdentifierTypeSyntax(name: .identifier("<#Type#>")),
            trailingTrivia: binding.pattern.trailingTrivia)
        var changed = binding
        changed.pattern.trailingTrivia = []
        changed.typeAnnotation = annotation
        return replace(binding, with: changed, StoredFixItMessage("write the type"))
    }

    static func removeArguments(of attribute: AttributeSyntax) -> FixIt {
        var changed = attribute
        changed.leftParen = nil
        changed.arguments = nil
        changed.rightParen = nil
        changed.trailingTrivia = attribute.trailingTrivia
        return replace(
            attribute, with: changed,
            StoredFixItMessage("remove '(\(attribute.argumentText))'"))
    }
}

extension AttributeSyntax {
    /// The attribute's arguments as written.
    fileprivate var argumentText: String { arguments?.trimmedDescription ?? "" }
}
#endif
