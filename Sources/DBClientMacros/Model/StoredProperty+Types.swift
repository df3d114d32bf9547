#if Macros
import SwiftSyntax

extension StoredProperty {
    /// What holds several values, as messages call it.
    enum Collection: String, CustomStringConvertible {
        case list
        case set
        case dictionary

        var description: String { rawValue }

        fileprivate init?(typeName: String) {
            switch typeName {
            case "Array": self = .list
            case "Set": self = .set
            case "Dictionary": self = .dictionary
            default: return nil
            }
        }
    }

    /// What the property holds several values in; nil where the declaration does not tell of any.
    var collection: Collection? {
        if let type { return type.collection }
        return initialValue?.collection
    }
}

extension StoredProperty {
    /// Whether the property may hold models, or references, in a collection that is no relationship.
    var mayHoldModelsUnkept: Bool {
        guard let type, !type.holdsPlainValues else { return false }
        guard let collection = type.collection else {
            return type.isOptional && type.unwrapped.nameAndArguments?.name == "References"
        }
        return type.isOptional || collection == .dictionary || type.elementMayBeCollection
    }
}

extension TypeSyntax {
    /// What the type, or the one that it makes optional, holds several values in; nil where its name does not
    /// tell of any.
    var collection: StoredProperty.Collection? {
        let type = unwrapped
        if type.is(ArrayTypeSyntax.self) { return .list }
        if type.is(DictionaryTypeSyntax.self) { return .dictionary }
        guard let (name, arguments) = type.nameAndArguments, !arguments.isEmpty else { return nil }
        return StoredProperty.Collection(typeName: name)
    }

    /// Whether the type is a value of the standard library's or Foundation's, or an optional or a collection
    /// of them.
    ///
    /// A model may have the name of one of them. Its module before it tells it apart.
    var holdsPlainValues: Bool {
        let type = unwrapped
        if let list = type.as(ArrayTypeSyntax.self) { return list.element.holdsPlainValues }
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            return dictionary.value.holdsPlainValues
        }
        guard let (name, arguments) = type.nameAndArguments else { return false }
        guard let last = arguments.last else { return Self.plainValues.contains(name) }
        return StoredProperty.Collection(typeName: name) != nil && last.holdsPlainValues
    }

    private static let plainValues: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64", "Float", "Double", "String", "Date", "Data", "UUID", "URL", "Decimal",
    ]

    /// Whether the elements of a list or a set are collections or references.
    fileprivate var elementMayBeCollection: Bool {
        let element =
            unwrapped.as(ArrayTypeSyntax.self)?.element
            ?? unwrapped.nameAndArguments?.arguments.last
        guard let element else { return false }
        return element.collection != nil
            || element.unwrapped.nameAndArguments?.arguments.isEmpty == false
    }

    /// Whether the type is an optional of an optional.
    var isOptionalOfOptional: Bool { wrapped?.wrapped != nil }

    /// The type without what makes it optional, and without parentheses.
    fileprivate var unwrapped: TypeSyntax { wrapped?.unwrapped ?? withoutParentheses }

    /// What the type makes optional; nil for one that is not optional.
    private var wrapped: TypeSyntax? {
        let type = withoutParentheses
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return optional.wrappedType
        }
        guard let (name, arguments) = type.nameAndArguments, name == "Optional" else { return nil }
        return arguments.first
    }

    private var withoutParentheses: TypeSyntax {
        guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1,
            let element = tuple.elements.first, element.firstName == nil
        else { return self }
        return element.type.withoutParentheses
    }

    /// The name of a type that no module but the standard library or Foundation qualifies, and its arguments.
    fileprivate var nameAndArguments: (name: String, arguments: [TypeSyntax])? {
        if let type = self.as(IdentifierTypeSyntax.self) {
            return (type.name.text, type.genericArgumentClause?.types ?? [])
        }
        guard let type = self.as(MemberTypeSyntax.self),
            ["Swift", "Foundation"].contains(type.baseType.trimmedDescription)
        else { return nil }
        return (type.name.text, type.genericArgumentClause?.types ?? [])
    }
}

extension GenericArgumentClauseSyntax {
    fileprivate var types: [TypeSyntax] {
        // An argument is a type of itself before swift-syntax 601, and since then a choice of one.
        arguments.compactMap { Syntax($0.argument).as(TypeSyntax.self) }
    }
}

extension ExprSyntax {
    /// What a literal holds several values in, or a call of a type of several values.
    fileprivate var collection: StoredProperty.Collection? {
        if self.is(ArrayExprSyntax.self) { return .list }
        if self.is(DictionaryExprSyntax.self) { return .dictionary }
        if let call = self.as(FunctionCallExprSyntax.self) {
            let callee = call.calledExpression
            if callee.is(ArrayExprSyntax.self) || callee.is(DictionaryExprSyntax.self) {
                return callee.collection
            }
            return callee.as(GenericSpecializationExprSyntax.self)
                .flatMap { StoredProperty.Collection(typeName: $0.expression.trimmedDescription) }
        }
        return nil
    }
}
#endif
