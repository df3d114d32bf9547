#if Macros
import SwiftSyntax

/// A property that has storage in the struct, as its declaration says.
struct StoredProperty {
    /// The name as written, so that code made from it keeps the backticks of a keyword.
    let name: String
    /// The type as written, or as a later binding of the same declaration gives it.
    let type: TypeSyntax?
    let initialValue: ExprSyntax?
    let markers: PropertyMarkers
    let binding: PatternBindingSyntax
    let declaration: VariableDeclSyntax

    /// The name of the property without backticks.
    var bareName: String { name.withoutBackticks }

    /// The name as a parameter's, where the compiler wants backticks round few keywords.
    var parameterName: String { label(escaping: ["inout", "let", "var"]) }

    /// The name as an argument's label, where the compiler warns of needless backticks.
    var argumentLabel: String { label(escaping: ["inout"]) }

    var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

    var isLazy: Bool { declaration.modifiers.contains { $0.name.tokenKind == .keyword(.lazy) } }

    /// Whether no row has the property.
    var isTransient: Bool { markers.contains(.transient) || isInverse }

    /// Whether the property has values of another model that lead to the value.
    var isInverse: Bool { markers.contains(.inverse) }

    private func label(escaping keywords: Set<String>) -> String {
        let isPlain = bareName.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isPlain && !keywords.contains(bareName) ? bareName : name
    }

    /// Whether the written type says that the value may be nil.
    var isOptional: Bool { type?.isOptional ?? false }
}

extension String {
    /// An identifier without the backticks that let a keyword be one.
    var withoutBackticks: String {
        count > 2 && hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self
    }
}

extension TypeSyntax {
    /// Whether the type is written as an optional, with sugar or without.
    var isOptional: Bool {
        if self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return true
        }
        if let type = self.as(IdentifierTypeSyntax.self) {
            return type.name.text == "Optional" && type.genericArgumentClause != nil
        }
        guard let type = self.as(MemberTypeSyntax.self) else { return false }
        return type.baseType.trimmedDescription == "Swift" && type.name.text == "Optional"
    }
}
#endif
