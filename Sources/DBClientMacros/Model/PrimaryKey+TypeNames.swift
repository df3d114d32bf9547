#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension PrimaryKey {
    /// Reports a key whose type would be the `PrimaryKey` that the extension declares.
    ///
    /// A struct that declares its own nested `PrimaryKey` keeps it, and the extension adds none.
    func checkTypeNames(nestedTypes: Set<String>, diagnostics: inout [Diagnostic]) {
        guard isComposite || !nestedTypes.contains("PrimaryKey") else { return }
        for part in parts where part.type.mentions("PrimaryKey") {
            let binding = part.property.binding
            let written = binding.typeAnnotation.map { Syntax($0.type) }
            diagnostics.report(
                .primaryKeyTypeIsPrimaryKey(part.property.bareName),
                at: written ?? Syntax(binding.pattern)
            )
        }
    }
}

extension TypeSyntax {
    /// Whether the type uses a name that no module or type qualifies.
    fileprivate func mentions(_ name: String) -> Bool {
        let finder = TypeNameFinder(name)
        finder.walk(self)
        return finder.isFound
    }
}

private final class TypeNameFinder: SyntaxVisitor {
    private let name: String
    private(set) var isFound = false

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        if node.name.text.withoutBackticks == name { isFound = true }
        return .visitChildren
    }
}
#endif
