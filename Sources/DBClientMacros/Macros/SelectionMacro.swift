#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The implementation of `@Selection`: an extension that says by name what each property is read from.
enum SelectionMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        var diagnostics: [Diagnostic] = []
        let columns = columns(of: declaration, node, &diagnostics)
        for diagnostic in diagnostics { context.diagnose(diagnostic) }
        guard let structure = declaration.as(StructDeclSyntax.self), !diagnostics.hasErrors else {
            return []
        }
        let access = Model.access(of: structure, lexicalContext: context.lexicalContext)
        // A property that others do not see may be of a type that they do not see.
        let isSeen = columns.allSatisfy { $0.isSeen(with: access) }
        let row = type.trimmedDescription
        let numbers = columns.indices.map { "_column\($0)" }
        let make = Code.block(
            "self.selected = DBClientCore.SelectedRow(\(numbers.joined(separator: ", "))) { row in",
            ["try \(row)(selecting: &row, \(numbers.joined(separator: ", ")))"]
        )
        let initializer = Code.block(
            "\(isSeen ? access : "")init(",
            [
                columns.map { column in
                    "\(column.name): some DBClientCore.SelectionTerm<\(column.type)>"
                }
                .joined(separator: ",\n")
            ],
            ") {"
        )
        let body = Code.block(
            initializer,
            zip(columns, numbers).map { "let \($1) = \($0.name).selectedColumn" } + [make]
        )
        let nested = Code.block(
            "\(access)struct Columns: DBClientCore.SelectionColumns {",
            ["\(access)let selected: DBClientCore.SelectedRow<\(row)>", "", body]
        )
        let reading = Code.block(
            Code.block(
                "fileprivate init(",
                [
                    (["selecting row: inout DBClientCore.SelectionReader"]
                        + zip(columns, numbers).map {
                            "_ \($1): DBClientCore.SelectedColumn<\($0.type)>"
                        }).joined(separator: ",\n")
                ],
                ") throws {"
            ),
            zip(columns, numbers).map { "self.\($0.name) = try row.next(\($1))" }
        )
        let conformance = protocols.isEmpty ? "" : ": DBClientCore.Selection"
        let text = Code.block(
            "extension \(row)\(conformance) {",
            [nested, "", reading]
        )
        return [try ExtensionDeclSyntax("\(raw: text)")]
    }

    /// A property that is read from the columns of a row.
    private struct Column {
        /// The name as the source spells it, with backticks where it has them.
        let name: String
        let type: String
        let access: String?

        /// Whether the property is seen wherever a struct with an access modifier is.
        func isSeen(with other: String) -> Bool {
            ["public ", "package "].contains(other) ? access == other : true
        }
    }

    /// Returns the stored properties without an initial value.
    private static func columns(
        of declaration: some DeclGroupSyntax,
        _ node: AttributeSyntax,
        _ diagnostics: inout [Diagnostic]
    ) -> [Column] {
        let (kind, name) = declaration.kindAndName
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            diagnostics.report(.selectionOf(name, kind), at: node)
            return []
        }
        if let generics = structure.genericParameterClause {
            diagnostics.report(.selectionOf(name, "generic"), at: generics)
            return []
        }
        var columns: [Column] = []
        for member in structure.memberBlock.members {
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                diagnostics.report(.conditionalSelection(name), at: conditional)
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic else {
                continue
            }
            var type: TypeSyntax?
            var found: [Column] = []
            for binding in variable.bindings.reversed() where !binding.isComputed {
                type =
                    binding.typeAnnotation?.type.trimmed
                    ?? (binding.initializer == nil ? type : nil)
                guard binding.initializer == nil,
                    let pattern = binding.pattern.as(IdentifierPatternSyntax.self), let type
                else { continue }
                found.append(
                    Column(
                        name: pattern.identifier.text,
                        type: type.trimmedDescription,
                        access: variable.modifiers.accessLevel?.generatedModifier
                    )
                )
            }
            columns += found.reversed()
        }
        if columns.isEmpty && diagnostics.isEmpty {
            diagnostics.report(.emptySelection(name), at: node)
        }
        return columns
    }
}
#endif
