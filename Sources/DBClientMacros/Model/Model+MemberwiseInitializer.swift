#if Macros
import SwiftSyntax

extension Model {
    /// Returns whether the compiler makes the struct an initializer of all its properties whose
    /// arguments are known from the syntax alone.
    ///
    /// It is worth knowing: the optimizer copies a value that an initializer of several exits builds
    /// property by property, and does not copy one that is made at once.
    ///
    /// An extension, which the syntax does not show, may have initializers with the same labels; the
    /// call is written so that none of them can be meant.
    static func hasMemberwiseInitializer(_ declaration: StructDeclSyntax) -> Bool {
        let known = ModelMacro.allCases.flatMap(\.names) + ["available"]
        return declaration.attributes.allSatisfy { $0.isOne(of: known) }
            && declaration.memberBlock.members.allSatisfy(\.decl.keepsMemberwiseInitializer)
    }
}

extension DeclSyntax {
    /// Whether a member of a struct leaves the compiler's initializer as it is.
    fileprivate var keepsMemberwiseInitializer: Bool {
        if let variable = self.as(VariableDeclSyntax.self) {
            return variable.isStatic || variable.bindings.allSatisfy(\.isComputed)
                || variable.isPlainArgument
        }
        return !self.is(InitializerDeclSyntax.self) && !self.is(IfConfigDeclSyntax.self)
            && !self.is(MacroExpansionDeclSyntax.self)
    }
}

extension VariableDeclSyntax {
    /// Whether no attribute but the library's own is there, of which none changes what the property is.
    var hasPlainAttributes: Bool {
        attributes.allSatisfy { $0.isOne(of: Marker.allCases.map(\.rawValue)) }
    }

    /// Whether the properties are arguments under their own names.
    ///
    /// A wrapper changes what the argument is, and what is private and has a value may be none.
    fileprivate var isPlainArgument: Bool {
        let isHidden = modifiers.contains {
            [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind)
                && $0.detail == nil
        }
        return hasPlainAttributes
            && !modifiers.contains { $0.name.tokenKind == .keyword(.lazy) }
            && bindings.allSatisfy {
                $0.pattern.is(IdentifierPatternSyntax.self)
                    && !(isHidden && $0.initializer != nil)
            }
    }
}

extension AttributeListSyntax.Element {
    fileprivate func isOne(of names: [String]) -> Bool {
        self.as(AttributeSyntax.self).map { names.contains($0.bareName) } ?? false
    }
}
#endif
