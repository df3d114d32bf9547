#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension Model {
    /// Returns the declaration if it is a struct that can have a schema.
    static func usableStruct(
        _ declaration: some DeclGroupSyntax, macro: ModelMacro, attribute: AttributeSyntax,
        lexicalContext: [Syntax], diagnostics: inout [Diagnostic]
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
        if isOutOfReach(structure, lexicalContext: lexicalContext) {
            diagnostics.report(.privateNestedStruct(macro, name), at: structure.name)
            return nil
        }
        if macro == .embedded, structure.attributes.contains(.stored) {
            diagnostics.report(.storedAndEmbedded(name), at: attribute)
            return nil
        }
        return structure
    }

    /// Whether something private inside another type keeps the extension, which the compiler puts at
    /// file scope, from naming the struct.
    private static func isOutOfReach(
        _ structure: StructDeclSyntax, lexicalContext: [Syntax]
    ) -> Bool {
        let path = [Syntax(structure)] + lexicalContext
        return path.dropLast().contains {
            $0.asProtocol((any WithModifiersSyntax).self)?.modifiers.accessLevel == .private
        }
    }

    /// Returns the modifier that makes the generated members as visible as the struct.
    ///
    /// Nothing is right for the levels up to internal: such members are visible wherever the type is.
    static func access(of declaration: StructDeclSyntax, lexicalContext: [Syntax]) -> String {
        if let own = declaration.modifiers.accessLevel { return own.generatedModifier }
        // A member of `public extension Outer` is public without saying so.
        let owner = lexicalContext.first?.as(ExtensionDeclSyntax.self)
        return owner?.modifiers.accessLevel?.generatedModifier ?? ""
    }
}

extension StructDeclSyntax {
    /// The name without backticks.
    var bareName: String { name.text.withoutBackticks }
}

extension AttributeListSyntax {
    /// Whether a macro that makes models is in the list.
    func contains(_ macro: ModelMacro) -> Bool {
        plainAttributes.contains { $0.bareName == macro.rawValue }
    }
}

extension DeclSyntax {
    /// The bare name of a type or a type alias.
    var typeName: String? {
        asProtocol((any NamedDeclSyntax).self)?.name.text.withoutBackticks
    }
}

extension Syntax {
    /// Whether the enclosing declaration takes type arguments.
    fileprivate var isGeneric: Bool {
        asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }
}

extension DeclModifierListSyntax {
    /// The modifier that sets the access of the declaration, not of its setter alone.
    fileprivate var accessLevel: Keyword? {
        let levels: [Keyword] = [
            .open, .public, .package, .internal, .fileprivate, .private,
        ]
        for modifier in self where modifier.detail == nil {
            if case .keyword(let keyword) = modifier.name.tokenKind, levels.contains(keyword) {
                return keyword
            }
        }
        return nil
    }
}

extension Keyword {
    fileprivate var generatedModifier: String {
        switch self {
        case .open, .public: "public "
        case .package: "package "
        default: ""
        }
    }
}

extension DeclGroupSyntax {
    /// What the declaration is, with its article, and what it is called.
    fileprivate var kindAndName: (kind: String, name: String) {
        let kind = introducer.text == "enum" || introducer.text == "actor" ? "an" : "a"
        let name = asProtocol((any NamedDeclSyntax).self)?.name.text.withoutBackticks
        return ("\(kind) \(introducer.text)", name ?? "it")
    }
}
#endif
