#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

extension Model {
    /// The extension that makes the struct a model; it adopts the protocol unless the user does.
    ///
    /// Every type is named with its module: the user's own may be called `Schema` or `RowReader`.
    func extensionDeclaration(
        of type: some TypeSyntaxProtocol,
        adopts: Bool
    ) throws -> ExtensionDeclSyntax {
        let attributes = availability.map { "\($0.trimmedDescription)\n" }.joined()
        let conformance = adopts ? ": \(macro.conformance)" : ""
        let source = Code.block(
            "\(attributes)extension \(type.trimmed)\(conformance) {",
            keyDeclarations(of: type) + [schema] + keyAccessor + rowMembers
        )
        return try ExtensionDeclSyntax("\(raw: source)")
    }

    private var schema: String {
        let fields = Code.block("fields: [", fields.map(\.schemaArgument), "]")
        switch macro {
        case .stored:
            let arguments = [
                "name: \(Code.literal(storedName)),", fields + ",", "indexes: Self.indexes",
            ]
            return Code.block(
                "\(access)static let schema = DBClientCore.Schema<Self>(",
                arguments,
                ")"
            )
        case .embedded:
            return Code.block(
                "\(access)static let schema = DBClientCore.EmbeddedSchema<Self>(",
                [fields],
                ")"
            )
        }
    }

    private var rowMembers: [String] {
        let names = fields.map(\.property.name)
        return Code.rowMembers(
            of: names,
            access: access,
            alsoSetting: unsetProperties.map(\.name)
        )
    }
}

extension Field {
    /// The element of the schema's list of fields.
    fileprivate var schemaArgument: String {
        var arguments = ["\\.\(property.name)", Code.literal(storedName)]
        if let keyGeneration { arguments.append("primaryKey: .\(keyGeneration)") }
        if let index { arguments.append("index: .\(index)") }
        return ".field(\(arguments.joined(separator: ", "))),"
    }
}

extension Code {
    /// Returns the initializer that reads properties from a row and the method that writes them.
    static func rowMembers(
        of names: [String],
        access: String,
        alsoSetting unset: [String] = []
    ) -> [String] {
        [
            block(
                "\(access)init(row: inout DBClientCore.RowReader) throws {",
                names.map { "self.\($0) = try row.read()" } + unset.map { "self.\($0) = nil" }
            ),
            block(
                "\(access)func write(to row: inout DBClientCore.RowWriter) throws {",
                names.map { "try row.write(self.\($0))" }
            ),
        ]
    }
}
#endif
