#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension Model {
    /// Returns the declaration if it is a struct that can have a schema.
    static func usableStruct(
        _ declaration: some DeclGroupSyntax,
        macro: ModelMacro,
        attribute: AttributeSyntax,
        lexicalContext: [Syntax],
        diagnostics: inout [Diagnostic]
    ) -> StructDeclSyntax? {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            let (kind, name) = declaration.kindAndName
            diagnostics.report(.notAStruct(macro, name, kind: kind), at: attribute)
            return nil
        }
        let name = structure.bareName
        if let generics = structure.genericParameterClause {
            diagnostics.report(.genericStruct(macro, name), at: generics)
            return nil
        }
        if lexicalContext.contains(where: \.isGeneric) {
            diagnostics.report(.structInGenericType(macro, name), at: structure.name)
            return nil
        }
        if let hidden = privateType(around: structure, lexicalContext: lexicalContext) {
            diagnostics.report(
                .privateNestedStruct(macro, name, hidden: hidden),
                at: structure.name,
                fixIts: structure.modifiers.privateModifier.map { [.makeFileprivate($0)] } ?? []
            )
            return nil
        }
        if macro == .embedded, structure.attributes.contains(.stored) {
            diagnostics.report(.storedAndEmbedded(name), at: attribute)
            return nil
        }
        return structure
    }

    /// Returns the name of what is private inside another type and hides the struct from the extension.
    ///
    /// The compiler puts the extension at file scope.
    private static func privateType(
        around structure: StructDeclSyntax,
        lexicalContext: [Syntax]
    ) -> String? {
        let path = [Syntax(structure)] + lexicalContext
        return path.dropLast()
            .first {
                $0.asProtocol((any WithModifiersSyntax).self)?.modifiers.privateModifier != nil
            }?
            .asProtocol((any NamedDeclSyntax).self)?
            .name.text.withoutBackticks
    }

    /// Returns the modifier that makes the generated members as visible as the struct.
    ///
    /// Of an internal struct or one that says itself that it is private they need none. Where another type
    /// or an extension hides the struct, the compiler wants to be told of what has the struct in its type.
    static func access(of declaration: StructDeclSyntax, lexicalContext: [Syntax]) -> String {
        let own = declaration.modifiers.accessLevel
        if own?.isHidden != true, lexicalContext.contains(where: \.isHidden) {
            return "fileprivate "
        }
        if let own { return own.generatedModifier }
        // A member of `public extension Outer` is public without saying so.
        let owner = lexicalContext.first?.as(ExtensionDeclSyntax.self)
        return owner?.modifiers.accessLevel?.generatedModifier ?? ""
    }
}

extension StructDeclSyntax {
    /// The name of the struct without backticks.
    var bareName: String { name.text.withoutBackticks }
}

extension AttributeListSyntax {
    /// Whether a macro that makes models is in the list.
    func contains(_ macro: ModelMacro) -> Bool {
        plainAttributes.contains { macro.names.contains($0.bareName) }
    }
}

extension DeclSyntax {
    /// The name of the type or type alias that is declared, or nil for another declaration.
    var typeName: String? {
        guard self.is(TypeAliasDeclSyntax.self) || isProtocol((any DeclGroupSyntax).self) else {
            return nil
        }
        return asProtocol((any NamedDeclSyntax).self)?.name.text.withoutBackticks
    }
}

extension Syntax {
    /// Whether the enclosing declaration takes type arguments.
    fileprivate var isGeneric: Bool {
        asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }
}

extension Syntax {
    /// Whether the enclosing declaration says that it is seen in its file alone.
    fileprivate var isHidden: Bool {
        asProtocol((any WithModifiersSyntax).self)?.modifiers.accessLevel?.isHidden ?? false
    }
}

extension DeclModifierListSyntax {
    /// The modifier that sets the access of the declaration, not of its setter alone.
    var accessLevel: Keyword? {
        let levels: [Keyword] = [.public, .package, .internal, .fileprivate, .private]
        for modifier in self where modifier.detail == nil {
            if case .keyword(let keyword) = modifier.name.tokenKind, levels.contains(keyword) {
                return keyword
            }
        }
        return nil
    }

    fileprivate var privateModifier: DeclModifierSyntax? {
        first { $0.name.tokenKind == .keyword(.private) && $0.detail == nil }
    }
}

extension Keyword {
    fileprivate var isHidden: Bool { self == .private || self == .fileprivate }

    var generatedModifier: String {
        switch self {
        case .public: "public "
        case .package: "package "
        default: ""
        }
    }
}

extension DeclGroupSyntax {
    /// What the declaration is, with its article, and what it is called.
    var kindAndName: (kind: String, name: String) {
        let kind = introducer.text == "enum" || introducer.text == "actor" ? "an" : "a"
        let name = asProtocol((any NamedDeclSyntax).self)?.name.text.withoutBackticks
        return ("\(kind) \(introducer.text)", name ?? "it")
    }
}
#endif
