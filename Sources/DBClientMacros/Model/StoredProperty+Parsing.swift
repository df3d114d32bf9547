#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension StoredProperty {
    /// Returns the properties of a struct that have storage, in declaration order.
    ///
    /// Computed and static properties, functions and nested types are passed over. What is stored
    /// but cannot be read from the syntax alone is refused.
    static func all(
        in members: MemberBlockItemListSyntax,
        of macro: ModelMacro,
        diagnostics: inout [Diagnostic]
    ) -> [StoredProperty] {
        var properties: [StoredProperty] = []
        for member in members {
            if let declaration = member.decl.as(VariableDeclSyntax.self) {
                properties += all(in: declaration, of: macro, diagnostics: &diagnostics)
            } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                refuseProperties(in: conditional, of: macro, diagnostics: &diagnostics)
            }
        }
        return properties
    }

    private static func all(
        in declaration: VariableDeclSyntax,
        of macro: ModelMacro,
        diagnostics: inout [Diagnostic]
    ) -> [StoredProperty] {
        guard !declaration.isStatic else { return [] }
        let markers = PropertyMarkers(of: declaration)
        var properties: [StoredProperty] = []
        // In `var a, b: Int` the type stands with the last binding and counts for those before it.
        var type: TypeSyntax?
        for binding in declaration.bindings.reversed() where !binding.isComputed {
            type = binding.typeAnnotation?.type.trimmed ?? (binding.initializer == nil ? type : nil)
            if let pattern = binding.pattern.as(IdentifierPatternSyntax.self) {
                properties.append(
                    StoredProperty(
                        name: pattern.identifier.text,
                        type: type,
                        initialValue: binding.initializer?.value,
                        markers: markers,
                        binding: binding,
                        declaration: declaration
                    )
                )
            } else if binding.pattern.is(TuplePatternSyntax.self), !markers.contains(.transient) {
                diagnostics.report(
                    .tuplePattern(macro, binding.pattern.trimmedDescription),
                    at: binding.pattern
                )
            }
        }
        return properties.reversed()
    }

    /// The expansion is the same for every build, and a macro is not told which branch is compiled.
    private static func refuseProperties(
        in conditional: IfConfigDeclSyntax,
        of macro: ModelMacro,
        diagnostics: inout [Diagnostic]
    ) {
        for clause in conditional.clauses {
            guard case .decls(let members) = clause.elements else { continue }
            for property in all(in: members, of: macro, diagnostics: &diagnostics)
            where !property.isTransient {
                diagnostics.report(
                    .conditionalProperty(macro, property.bareName),
                    at: property.binding.pattern
                )
            }
        }
    }
}

extension VariableDeclSyntax {
    /// Whether the property belongs to the type and not to its values.
    var isStatic: Bool { modifiers.contains(where: \.belongsToType) }
}

extension DeclModifierSyntax {
    /// Whether the modifier makes a member one of the type.
    var belongsToType: Bool {
        name.tokenKind == .keyword(.static) || name.tokenKind == .keyword(.class)
    }
}

extension PatternBindingSyntax {
    /// Whether the binding has a getter; observers alone leave a property stored.
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            accessors.contains {
                $0.accessorSpecifier.tokenKind != .keyword(.willSet)
                    && $0.accessorSpecifier.tokenKind != .keyword(.didSet)
            }
        }
    }
}
#endif
