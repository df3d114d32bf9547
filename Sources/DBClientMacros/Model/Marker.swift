#if Macros
import SwiftSyntax

/// The attributes that say how a property is stored.
///
/// They generate nothing by themselves: `@Stored` and `@Embedded` read them.
enum Marker: String, CaseIterable {
    case primaryKey = "PrimaryKey"
    case indexed = "Indexed"
    case unique = "Unique"
    case transient = "Transient"
    case storedName = "StoredName"
    case storedAs = "StoredAs"
    case searchable = "Searchable"
    case relationship = "Relationship"
    case shardKey = "ShardKey"
    case inverse = "Inverse"

    /// The attribute as the user writes it.
    var attribute: String { "@\(rawValue)" }
}

extension AttributeSyntax {
    /// The attribute's name without the module that may qualify it.
    var bareName: String {
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        return attributeName.trimmedDescription
    }

    /// The expressions of the attribute's argument list.
    var argumentExpressions: [ExprSyntax] {
        guard case .argumentList(let list) = arguments else { return [] }
        return list.map(\.expression)
    }
}

extension AttributeListSyntax {
    /// The attributes written directly in the list, outside `#if`.
    var plainAttributes: [AttributeSyntax] {
        compactMap { $0.as(AttributeSyntax.self) }
    }

    /// The attributes inside `#if`, of every branch.
    var conditionalAttributes: [AttributeSyntax] {
        compactMap { $0.as(IfConfigDeclSyntax.self) }.flatMap(\.clauses).flatMap { clause in
            guard case .attributes(let attributes) = clause.elements else {
                return [AttributeSyntax]()
            }
            return attributes.plainAttributes + attributes.conditionalAttributes
        }
    }
}
#endif
