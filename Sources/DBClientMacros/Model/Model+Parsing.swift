#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension Model {
    /// Reads the declaration that a macro is attached to.
    ///
    /// Everything that is wrong is reported at once; nil means that no extension can be made.
    init?(
        _ declaration: some DeclGroupSyntax,
        macro: ModelMacro,
        attribute: AttributeSyntax,
        lexicalContext: [Syntax],
        diagnostics: inout [Diagnostic]
    ) {
        guard
            let declaration = Self.usableStruct(
                declaration,
                macro: macro,
                attribute: attribute,
                lexicalContext: lexicalContext,
                diagnostics: &diagnostics
            )
        else { return nil }

        let name = declaration.name
        let properties = StoredProperty.all(
            in: declaration.memberBlock.members,
            of: macro,
            diagnostics: &diagnostics
        )
        for property in properties { property.check(diagnostics: &diagnostics) }
        var fields: [Field] = []
        for property in properties where !property.isTransient {
            fields.append(Field(property, diagnostics: &diagnostics))
        }
        Field.checkNames(of: fields, diagnostics: &diagnostics)

        self.macro = macro
        self.storedName = StoredName.resolve(
            macro == .stored ? attribute : nil,
            default: name.text.withoutBackticks,
            of: name,
            attributeName: macro.attribute,
            diagnostics: &diagnostics
        )
        self.access = Self.access(of: declaration, lexicalContext: lexicalContext)
        self.nestedTypes = Set(declaration.memberBlock.members.compactMap(\.decl.typeName))
        self.availability = declaration.attributes.plainAttributes.filter {
            $0.attributeName.trimmedDescription == "available"
        }
        self.transientProperties = properties.filter(\.isTransient)
        self.hasMemberwiseInitializer = Self.hasMemberwiseInitializer(declaration)
        self.primaryKey = Self.primaryKey(
            of: declaration,
            macro: macro,
            fields: &fields,
            properties: properties,
            nestedTypes: nestedTypes,
            diagnostics: &diagnostics
        )
        self.fields = fields
        Self.checkShardKeys(of: fields, in: macro, diagnostics: &diagnostics)
        Self.checkMemberNames(
            of: declaration,
            macro: macro,
            properties: properties,
            primaryKey: primaryKey,
            diagnostics: &diagnostics
        )
        if diagnostics.hasErrors { return nil }
    }

    private static func primaryKey(
        of declaration: StructDeclSyntax,
        macro: ModelMacro,
        fields: inout [Field],
        properties: [StoredProperty],
        nestedTypes: Set<String>,
        diagnostics: inout [Diagnostic]
    ) -> PrimaryKey? {
        let marked = properties.filter { $0.markers.contains(.primaryKey) }
        if macro == .embedded {
            for property in marked {
                guard let attribute = property.markers[.primaryKey] else { continue }
                diagnostics.report(
                    .primaryKeyInEmbedded(property.bareName),
                    at: attribute,
                    fixIts: [.remove(attribute)]
                )
            }
            for property in properties {
                guard let attribute = property.markers[.inverse] else { continue }
                diagnostics.report(
                    .inverseInEmbedded(property.bareName),
                    at: attribute,
                    fixIts: [.remove(attribute)]
                )
            }
            for property in properties where !property.isTransient {
                guard let attribute = property.markers[.relationship] else { continue }
                diagnostics.report(.relationshipInEmbedded(property.bareName), at: attribute)
            }
        }
        if fields.isEmpty {
            // A tuple pattern or a transient key has been reported and is the better message.
            if !diagnostics.hasErrors {
                diagnostics.report(
                    .noStoredProperties(macro, declaration.bareName),
                    at: declaration.name
                )
            }
            return nil
        }
        guard macro == .stored else { return nil }
        if !marked.isEmpty && marked.allSatisfy(\.isTransient) { return nil }
        let key = PrimaryKey.resolve(in: &fields, of: declaration.name, diagnostics: &diagnostics)
        key?.checkTypeNames(nestedTypes: nestedTypes, diagnostics: &diagnostics)
        return key
    }
}
#endif
