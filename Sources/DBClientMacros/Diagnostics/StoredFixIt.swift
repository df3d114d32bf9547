#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// A fix-it's text, and the identifier that tests know it by.
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
        _ old: some SyntaxProtocol,
        with new: some SyntaxProtocol,
        _ message: StoredFixItMessage
    ) -> FixIt {
        FixIt(
            message: message,
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))]
        )
    }

    /// Removes an attribute with the space or the line that it takes, but no comment before it.
    static func remove(_ attribute: AttributeSyntax) -> FixIt {
        // A line break is always leading trivia, of what stands in the next line.
        let endsLine = attribute.trailingTrivia.isEmpty
        let before = attribute.leadingTrivia
        return replace(
            attribute,
            with: TokenSyntax.identifier(
                "",
                leadingTrivia: endsLine ? before.withoutLastLineBreak : before
            ),
            StoredFixItMessage("remove '@\(attribute.bareName)'")
        )
    }

    static func markTransient(_ declaration: VariableDeclSyntax) -> FixIt {
        let transient = AttributeSyntax(
            attributeName: IdentifierTypeSyntax(name: .identifier(Marker.transient.rawValue)),
            trailingTrivia: .space
        )
        var changed = declaration
        changed.leadingTrivia = []
        changed.attributes = [.attribute(transient)] + changed.attributes
        changed.leadingTrivia = declaration.leadingTrivia
        return replace(declaration, with: changed, StoredFixItMessage("mark it '@Transient'"))
    }

    static func makeVariable(_ declaration: VariableDeclSyntax) -> FixIt {
        let specifier = declaration.bindingSpecifier
        return replace(
            specifier,
            with: specifier.with(\.tokenKind, .keyword(.var)),
            StoredFixItMessage("make it 'var'")
        )
    }

    static func makeFileprivate(_ modifier: DeclModifierSyntax) -> FixIt {
        replace(
            modifier.name,
            with: modifier.name.with(\.tokenKind, .keyword(.fileprivate)),
            StoredFixItMessage("make it 'fileprivate'")
        )
    }

    static func removeOptional(_ type: TypeSyntax) -> FixIt? {
        guard let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType else { return nil }
        return replace(
            type,
            with: wrapped.with(\.trailingTrivia, type.trailingTrivia),
            StoredFixItMessage("remove '?'")
        )
    }

    static func addType(to binding: PatternBindingSyntax) -> FixIt {
        let annotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space),
            type: IdentifierTypeSyntax(name: .identifier("<#Type#>")),
            trailingTrivia: binding.pattern.trailingTrivia
        )
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
            attribute,
            with: changed,
            StoredFixItMessage("remove '(\(attribute.argumentText))'")
        )
    }
}

extension AttributeSyntax {
    /// The attribute's arguments as written.
    fileprivate var argumentText: String { arguments?.trimmedDescription ?? "" }
}

extension Trivia {
    /// The trivia up to its last line break, where nothing but indentation follows that.
    fileprivate var withoutLastLineBreak: Trivia {
        var pieces = self.pieces
        while let last = pieces.last, last.isSpaceOrTab { pieces.removeLast() }
        guard let last = pieces.last, case .newlines(let count) = last else { return self }
        pieces.removeLast()
        if count > 1 { pieces.append(.newlines(count - 1)) }
        return Trivia(pieces: pieces)
    }
}
#endif
