#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension Model {
    /// Reports members that stand where the extension puts its own, or hide what it names.
    static func checkMemberNames(
        of declaration: StructDeclSyntax,
        macro: ModelMacro,
        properties: [StoredProperty],
        primaryKey: PrimaryKey?,
        diagnostics: inout [Diagnostic]
    ) {
        // To a key path they mean something else.
        for property in properties where ["self", "Type", "Protocol"].contains(property.bareName) {
            diagnostics.report(
                .propertyWithoutKeyPath(property.bareName),
                at: property.binding.pattern
            )
        }
        for member in declaration.memberBlock.members {
            let decl = member.decl
            if let name = decl.typeName {
                check(nestedType: name, decl, macro, primaryKey, diagnostics: &diagnostics)
            }
            for name in decl.memberNames(isStatic: true) where name.bareName == "schema" {
                diagnostics.report(.memberNamedSchema(macro), at: name)
            }
            for name in decl.memberNames(isStatic: false) {
                if name.bareName == "Self" {
                    diagnostics.report(.memberNamedSelf(macro), at: name)
                } else if macro == .stored, name.bareName == "primaryKey",
                    primaryKey?.isOnly("primaryKey") != true
                {
                    diagnostics.report(.memberNamedPrimaryKey, at: name)
                }
            }
        }
    }

    private static func check(
        nestedType name: String,
        _ decl: DeclSyntax,
        _ macro: ModelMacro,
        _ primaryKey: PrimaryKey?,
        diagnostics: inout [Diagnostic]
    ) {
        if ["DBClientCore", "Swift"].contains(name) {
            diagnostics.report(.typeHidesModule(macro, name), at: decl.nameToken ?? Syntax(decl))
        } else if macro == .stored, name == "Storage" {
            diagnostics.report(.typeNamedStorage, at: decl.nameToken ?? Syntax(decl))
        } else if name == "PrimaryKey", let primaryKey, !primaryKey.isComposite,
            !decl.is(TypeAliasDeclSyntax.self), let part = primaryKey.parts.first,
            !part.type.trimmedDescription.hasSuffix("PrimaryKey")
        {
            diagnostics.report(
                .typeNamedPrimaryKey(part.property.bareName),
                at: decl.nameToken ?? Syntax(decl)
            )
        } else if name == "PrimaryKey", let primaryKey, primaryKey.isComposite,
            let alias = decl.as(TypeAliasDeclSyntax.self),
            !primaryKey.canBe(alias.initializer.value)
        {
            diagnostics.report(
                .aliasNamedPrimaryKey(primaryKey.parts.map(\.property.bareName)),
                at: alias.name
            )
        }
    }
}

extension PrimaryKey {
    /// Whether a type may be a struct of the key's properties: what has no name is none, nor is the type of one
    /// of them or of a single value.
    fileprivate func canBe(_ type: TypeSyntax) -> Bool {
        var name = type.trimmedDescription
        if parts.contains(where: { $0.type.trimmedDescription == name }) { return false }
        guard type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self) else {
            return false
        }
        for module in ["Swift.", "Foundation."] where name.hasPrefix(module) {
            name.removeFirst(module.count)
        }
        return !Self.singleValues.contains(String(name.prefix { $0 != "<" }))
    }

    /// The types of one value, or of none that a key has, that the standard library and Foundation have.
    private static let singleValues: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64", "Float", "Double", "String", "Character", "Substring", "Date", "Data", "UUID",
        "URL", "Decimal", "Array", "Set", "Dictionary", "Optional", "Never", "Void",
    ]

    /// Whether a property of this name is the whole key.
    fileprivate func isOnly(_ name: String) -> Bool {
        !isComposite && parts.first?.property.bareName == name
    }
}

extension DeclSyntax {
    /// The name of the type that is declared.
    fileprivate var nameToken: Syntax? {
        asProtocol((any NamedDeclSyntax).self).map { Syntax($0.name) }
    }

    /// The names of the properties that are declared, or of a function that takes no argument: Swift tells
    /// that from a property by nothing else.
    fileprivate func memberNames(isStatic: Bool) -> [TokenSyntax] {
        if let variable = self.as(VariableDeclSyntax.self) {
            guard variable.isStatic == isStatic else { return [] }
            return variable.bindings.compactMap {
                $0.pattern.as(IdentifierPatternSyntax.self)?.identifier
            }
        }
        guard let function = self.as(FunctionDeclSyntax.self),
            function.signature.parameterClause.parameters.isEmpty,
            function.modifiers.contains(where: \.belongsToType) == isStatic
        else { return [] }
        return [function.name]
    }
}

extension TokenSyntax {
    /// The name that the token spells, without backticks.
    fileprivate var bareName: String { text.withoutBackticks }
}
#endif
