#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

extension Model {
    /// The extension that makes the struct a model; it adopts the protocols that the user does not.
    ///
    /// Every type is named with its module: the user's own may be called `Schema` or `RowReader`.
    func extensionDeclaration(
        of type: some TypeSyntaxProtocol,
        adopting protocols: [TypeSyntax]
    ) throws -> ExtensionDeclSyntax {
        let attributes = availability.map { "\($0.trimmedDescription)\n" }.joined()
        let conformances = protocols.compactMap { $0.trimmedDescription.split(separator: ".").last }
            .map { "DBClientCore.\($0)" }
        let conformance = conformances.isEmpty ? "" : ": " + conformances.joined(separator: ", ")
        let source = Code.block(
            "\(attributes)extension \(type.trimmed)\(conformance) {",
            keyDeclarations(of: type) + [schema] + keyAccessor + rowMembers + startingMembers
                + heldTypesCheck
        )
        return try ExtensionDeclSyntax("\(raw: source)")
    }

    /// With its type, without which a property of the same name would be looked up to find it.
    private var schema: String {
        let fields = Code.block("fields: [", fields.map(\.schemaArgument), "]")
        switch macro {
        case .stored:
            var arguments = [
                "name: \(Code.literal(storedName)),", fields + ",", "indexes: Self.indexes",
            ]
            if !startingFields.isEmpty {
                arguments[2] += ","
                arguments.append("defaults: { _ = Self(startingIn: &$0) }")
            }
            let inverses = transientProperties.compactMap(\.inverseArgument)
            if !inverses.isEmpty {
                arguments[arguments.count - 1] += ","
                arguments.append(Code.block("inverses: [", inverses, "]"))
            }
            return Code.block(
                "\(access)static let schema: DBClientCore.Schema<Self> = .init(",
                arguments,
                ")"
            )
        case .embedded:
            var arguments = [fields]
            if !startingFields.isEmpty {
                arguments[0] += ","
                arguments.append("defaults: { _ = try Self(startingIn: &$0) }")
            }
            return Code.block(
                "\(access)static let schema: DBClientCore.EmbeddedSchema<Self> = .init(",
                arguments,
                ")"
            )
        }
    }

    /// The fields that begin with a value which stored values get when a migration adds them.
    private var startingFields: [Field] {
        fields.filter { $0.keyGeneration == nil && $0.property.beginsWithValue }
    }

    /// The initializer that tells what the fields begin with.
    ///
    /// It makes nothing. The compiler gives the properties their values before its body, each where it stands, so
    /// that whatever an initial value is and names means the same here, and then the initializer fails.
    private var startingMembers: [String] {
        let fields = startingFields
        if fields.isEmpty { return [] }
        let lines = fields.map { $0.property.startingLine(of: macro) } + ["return nil"]
        return switch macro {
        case .stored:
            [
                Code.block(
                    "private init?(startingIn row: inout DBClientCore.Assignments<Self>) {",
                    lines
                )
            ]
        case .embedded:
            [
                Code.block(
                    "private init?(startingIn row: inout DBClientCore.StartingValues<Self>) throws {",
                    lines
                )
            ]
        }
    }

    /// A method that the compiler looks at and nothing calls: it refuses collections that may be of models and are no
    /// relationships, of which the declaration alone does not tell.
    private var heldTypesCheck: [String] {
        let names = fields.map(\.property).filter(\.mayHoldModelsUnkept).map(\.name)
        if names.isEmpty { return [] }
        return [
            Code.block(
                "private static func checkHeldTypes() {",
                names.enumerated().flatMap { index, name in
                    [
                        "let type\(index) = DBClientCore.HeldType.of(\\Self.\(name))",
                        "DBClientCore.HeldType.check(type\(index))",
                    ]
                }
            )
        ]
    }

    private var rowMembers: [String] {
        Code.rowMembers(
            of: fields.map(\.property.name),
            access: access,
            reading: memberwiseCall.map { [$0] } ?? assignments
        )
    }

    private var assignments: [String] {
        fields.map { "self.\($0.property.name) = try row.read()" }
            + transientProperties.filter { $0.initialValue == nil }
            .compactMap { property in
                property.isOptional
                    ? "self.\(property.name) = nil"
                    : property.isInverse ? "self.\(property.name) = []" : nil
            }
    }
}

extension StoredProperty {
    /// The element of the schema's list of inverse properties; nil for another property.
    fileprivate var inverseArgument: String? {
        guard let link = markers[.inverse]?.argumentExpressions.first else { return nil }
        return ".inverse(\\.\(name), of: \(link.trimmedDescription)),"
    }
}

extension Field {
    /// The element of the schema's list of fields.
    fileprivate var schemaArgument: String {
        var arguments = ["\\.\(property.name)", Code.literal(storedName)]
        if let keyGeneration { arguments.append("primaryKey: .\(keyGeneration)") }
        if let index { arguments.append("index: .\(index)") }
        if let deleteRule { arguments.append("onDelete: \(deleteRule)") }
        let field = ".field(\(arguments.joined(separator: ", ")))"
        let marks = [
            format.map { ".stored(as: \($0))" },
            property.markers.contains(.shardKey) ? ".shardKey()" : nil,
            search.map { ".searchable(\($0))" },
        ]
        return field + marks.compactMap(\.self).joined() + ","
    }
}

extension Code {
    /// Returns the initializer that reads properties from a row and the method that writes them.
    static func rowMembers(
        of names: [String],
        access: String,
        reading lines: [String]
    ) -> [String] {
        [
            block(
                "@inline(__always)\n\(access)init(row: inout DBClientCore.RowReader) throws {",
                lines
            ),
            block(
                "\(access)func write(to row: inout DBClientCore.RowWriter) throws {",
                names.map { "try row.write(self.\($0))" }
            ),
        ]
    }
}
#endif
