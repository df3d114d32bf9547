#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// A property that becomes a field of the row.
struct Field {
    /// The secondary index that a property asks for, spelled as the schema's argument.
    enum Index: String {
        case plain
        case unique
    }

    /// Whether the caller or the store makes the primary key, spelled as the schema's argument.
    enum KeyGeneration: String {
        case given
        case generated
    }

    let property: StoredProperty
    let storedName: String
    var index: Index?
    var keyGeneration: KeyGeneration?
    /// The format of the columns, as the user writes it.
    let format: String?
    /// The arguments that say how the property is searched, as the user writes them; nil where it is not.
    let search: String?
    /// The rule of a relationship, as the user writes it.
    let deleteRule: String?

    init(_ property: StoredProperty, diagnostics: inout [Diagnostic]) {
        self.property = property
        let markers = property.markers
        self.storedName = StoredName.resolve(
            markers[.storedName],
            default: property.bareName,
            of: property.binding.pattern,
            attributeName: Marker.storedName.attribute,
            diagnostics: &diagnostics
        )
        self.format = markers[.storedAs]?.argumentExpressions.first?.trimmedDescription
        self.search = markers[.searchable].map { attribute in
            attribute.argumentExpressions.first.map { "weight: \($0.trimmedDescription)" } ?? ""
        }
        self.deleteRule = markers[.relationship]?.argumentExpressions.first?.trimmedDescription
        self.index =
            markers.contains(.unique) ? .unique : markers.contains(.indexed) ? .plain : nil
    }

    /// Reports fields that a store could not tell apart.
    static func checkNames(of fields: [Field], diagnostics: inout [Diagnostic]) {
        var owners: [[UInt8]: Field] = [:]
        for field in fields {
            let key = StoredName.folded(field.storedName)
            if let owner = owners[key] {
                let property = field.property
                let node = property.markers[.storedName].map(Syntax.init)
                diagnostics.report(
                    .duplicateName(field.storedName, owner.property.bareName, property.bareName),
                    at: node ?? Syntax(property.binding.pattern)
                )
            } else {
                owners[key] = field
            }
        }
    }
}
#endif
