#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The primary key of a model.
struct PrimaryKey {
    /// One property that is a field of the key.
    struct Part {
        let property: StoredProperty
        let type: TypeSyntax
    }

    /// The key's fields in key order, which is the order of declaration; never empty.
    let parts: [Part]

    var isComposite: Bool { parts.count > 1 }
}

extension PrimaryKey {
    /// Returns the primary key of a model and marks its fields, or nil where it has no usable one.
    static func resolve(
        in fields: inout [Field],
        of name: TokenSyntax,
        diagnostics: inout [Diagnostic]
    ) -> PrimaryKey? {
        var positions = fields.indices.filter { fields[$0].property.markers.contains(.primaryKey) }
        if positions.isEmpty {
            positions = fields.indices.filter { fields[$0].property.bareName == "id" }
        }
        guard let first = positions.first else {
            diagnostics.report(.noPrimaryKey(name.text.withoutBackticks), at: name)
            return nil
        }
        var parts: [Part] = []
        for position in positions {
            let property = fields[position].property
            fields[position].keyGeneration = generation(
                of: property,
                isComposite: positions.count > 1,
                diagnostics: &diagnostics
            )
            if let type = keyType(of: property, diagnostics: &diagnostics) {
                parts.append(Part(property: property, type: type))
            }
        }
        dropRedundantIndex(
            of: &fields[first],
            isComposite: positions.count > 1,
            diagnostics: &diagnostics
        )
        return parts.count == positions.count ? PrimaryKey(parts: parts) : nil
    }

    /// Drops the index of a key of one field, and a plain one of the field that leads several.
    ///
    /// A store finds rows by the key itself, and by the first field of a composite key.
    private static func dropRedundantIndex(
        of field: inout Field,
        isComposite: Bool,
        diagnostics: inout [Diagnostic]
    ) {
        if isComposite && field.index == .unique { return }
        field.index = nil
        let property = field.property
        for marker in [Marker.indexed, .unique] {
            guard let attribute = property.markers[marker] else { continue }
            let message: StoredDiagnostic =
                isComposite
                ? .indexedFirstKey(property.bareName) : .redundantOnKey(marker, property.bareName)
            diagnostics.report(message, at: attribute, fixIts: [.remove(attribute)])
        }
    }

    private static func generation(
        of property: StoredProperty,
        isComposite: Bool,
        diagnostics: inout [Diagnostic]
    ) -> Field.KeyGeneration {
        guard
            let attribute = property.markers[.primaryKey],
            let argument = attribute.argumentExpressions.first
        else { return .given }
        guard
            let member = argument.as(MemberAccessExprSyntax.self),
            let generation = Field.KeyGeneration(rawValue: member.declName.baseName.text)
        else {
            diagnostics.report(.unknownGeneration(property.bareName), at: argument)
            return .given
        }
        if generation == .generated && isComposite {
            diagnostics.report(
                .generatedCompositeKey(property.bareName),
                at: argument,
                fixIts: [.removeArguments(of: attribute)]
            )
        }
        return generation
    }

    private static func keyType(
        of property: StoredProperty,
        diagnostics: inout [Diagnostic]
    ) -> TypeSyntax? {
        guard let type = property.type ?? property.initialValue?.keyType else {
            diagnostics.report(
                .untypedPrimaryKey(property.bareName),
                at: property.binding.pattern,
                fixIts: [.addType(to: property.binding)]
            )
            return nil
        }
        guard !type.isOptional else {
            let written = property.binding.typeAnnotation?.type
            diagnostics.report(
                .optionalPrimaryKey(property.bareName),
                at: written.map(Syntax.init) ?? Syntax(property.binding.pattern),
                fixIts: written.flatMap(FixIt.removeOptional).map { [$0] } ?? []
            )
            return nil
        }
        if let collection = type.collection {
            let written = property.binding.typeAnnotation.map { Syntax($0.type) }
            diagnostics.report(
                .collectionPrimaryKey(property.bareName, collection),
                at: written ?? Syntax(property.binding.pattern)
            )
            return nil
        }
        return type
    }
}

extension ExprSyntax {
    /// The type that the value has by itself, for the values that commonly start a key.
    fileprivate var keyType: TypeSyntax? {
        if self.is(IntegerLiteralExprSyntax.self) { return "Swift.Int" }
        if self.is(StringLiteralExprSyntax.self) { return "Swift.String" }
        if let negated = self.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            return negated.expression.is(IntegerLiteralExprSyntax.self) ? "Swift.Int" : nil
        }
        guard
            let call = self.as(FunctionCallExprSyntax.self),
            call.arguments.isEmpty, call.trailingClosure == nil
        else { return nil }
        let callee = call.calledExpression.trimmedDescription
        return callee == "UUID" || callee == "Foundation.UUID" ? "\(raw: callee)" : nil
    }
}
#endif
