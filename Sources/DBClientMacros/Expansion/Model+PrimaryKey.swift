#if Macros
import SwiftSyntax

extension Model {
    /// The type of the primary key: an alias of the only field's, or a struct of several.
    func keyDeclarations(of type: some TypeSyntaxProtocol) -> [String] {
        guard let primaryKey, !nestedTypes.contains("PrimaryKey") else { return [] }
        guard primaryKey.isComposite else {
            return ["\(access)typealias PrimaryKey = \(primaryKey.parts[0].type.trimmed)"]
        }
        // Inside the nested struct `Self` would be the key, no longer the model.
        let types = primaryKey.parts.map {
            SelfReplacement(type).rewrite($0.type).trimmedDescription
        }
        let properties = primaryKey.parts.map(\.property)
        let names = properties.map(\.name)
        let parameters = zip(properties, types).map { "\($0.parameterName): \($1)" }
        let initializer = Code.block(
            "\(access)init(\(parameters.joined(separator: ", "))) {",
            names.map { "self.\($0) = \($0)" }
        )
        let columnCountMember = Code.block(
            "\(access)static var columnCount: Swift.Int {",
            [columnCount(of: zip(primaryKey.parts, types))]
        )
        let fields = Code.block(
            "\(access)static var fields: [DBClientCore.SchemaField<Self>] {",
            [
                Code.block(
                    "[",
                    properties.map {
                        ".field(\\.\($0.name), \(Code.literal($0.bareName))),"
                    },
                    "]"
                )
            ]
        )
        return [
            Code.block(
                "\(access)struct PrimaryKey: DBClientCore.PrimaryKeyValue {",
                zip(names, types).map { "\(access)let \($0): \($1)" }
                    + [initializer, columnCountMember, fields]
                    + Code.rowMembers(
                        of: names,
                        access: access,
                        reading: names.map { "self.\($0) = try row.read()" }
                    )
            )
        ]
    }

    /// The number of columns of a key's parts; those of a type that may be a reference are told by the type.
    private func columnCount(of parts: Zip2Sequence<[PrimaryKey.Part], [String]>) -> String {
        let others = parts.filter { !$0.0.type.holdsPlainValues }.map(\.1)
        let plainCount = primaryKey.map { $0.parts.count - others.count } ?? 0
        let counts = others.map { "DBClientCore.KeyParts.count(of: \($0).self)" }
        return ((plainCount > 0 ? ["\(plainCount)"] : []) + counts).joined(separator: " + ")
    }

    /// The property that returns a model's primary key.
    var keyAccessor: [String] {
        guard let parts = primaryKey?.parts else { return [] }
        let value: String
        if parts.count == 1 {
            // A property of that name is the requirement's witness itself.
            if parts[0].property.bareName == "primaryKey" { return [] }
            value = "self.\(parts[0].property.name)"
        } else {
            let arguments = parts.map { "\($0.property.argumentLabel): self.\($0.property.name)" }
            value = "PrimaryKey(\(arguments.joined(separator: ", ")))"
        }
        return [Code.block("\(access)var primaryKey: PrimaryKey {", [value])]
    }
}

/// Writes a model's name where its type says `Self`.
private final class SelfReplacement: SyntaxRewriter {
    private let model: TypeSyntax

    init(_ model: some TypeSyntaxProtocol) {
        self.model = TypeSyntax(model.trimmed)
        super.init()
    }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
        if node.name.tokenKind == .keyword(.Self) { return model }
        return super.visit(node)
    }
}
#endif
