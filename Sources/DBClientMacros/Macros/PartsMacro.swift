#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The implementation of `@Parts`: an extension that names the parts of a value that is stored as JSON.
enum PartsMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            let (kind, name) = declaration.kindAndName
            context.diagnose(Diagnostic(node: node, message: StoredDiagnostic.partsOf(name, kind)))
            return []
        }
        let members = structure.memberBlock.members.map(\.decl)
        if let coder = members.first(where: \.isCoder) {
            context.diagnose(
                Diagnostic(node: coder, message: StoredDiagnostic.codedParts(structure.bareName))
            )
            return []
        }
        let access = Model.access(of: structure, lexicalContext: context.lexicalContext)
        let cases = codedNames(in: members).map { name in
            "case \\Self.\(name): CodingKeys.\(name).stringValue"
        }
        let body = Code.block("switch keyPath {", cases + ["default: nil"])
        let function = Code.block(
            "\(access)static func partName(of keyPath: PartialKeyPath<Self>) -> String? {",
            [body]
        )
        let conformance = protocols.isEmpty ? "" : ": DBClientCore.PartedValue"
        return [
            try ExtensionDeclSyntax(
                "\(raw: Code.block("extension \(type.trimmedDescription)\(conformance) {", [function]))"
            )
        ]
    }

    /// The stored properties that have coding keys: all of them, unless the struct says which.
    private static func codedNames(in members: [DeclSyntax]) -> [String] {
        let keys = members.lazy.compactMap { $0.as(EnumDeclSyntax.self) }
            .first { $0.name.text.withoutBackticks == "CodingKeys" }
        let coded = keys.map { keys in
            Set(
                keys.memberBlock.members.flatMap { member in
                    (member.decl.as(EnumCaseDeclSyntax.self)?.elements).map { elements in
                        elements.map { $0.name.text.withoutBackticks }
                    } ?? []
                }
            )
        }
        return members.compactMap { $0.as(VariableDeclSyntax.self) }
            .filter { !$0.isStatic }
            .flatMap { declaration in
                declaration.bindings.filter { !$0.isComputed }
                    .compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
            }
            .filter { coded?.contains($0.withoutBackticks) ?? true }
    }
}

extension DeclSyntax {
    /// Whether the member encodes or decodes the value in a way of its own.
    fileprivate var isCoder: Bool {
        if let function = self.as(FunctionDeclSyntax.self) {
            return function.name.text == "encode"
                && function.signature.parameterClause.parameters.first?.firstName.text == "to"
        }
        return self.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.first?
            .firstName.text == "from"
    }
}
#endif
