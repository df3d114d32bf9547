#if Macros
import SwiftSyntax

/// The markers found on one property declaration.
struct PropertyMarkers {
    private var attributes: [Marker: AttributeSyntax] = [:]
    /// Markers that are there a second time.
    private(set) var repeated: [(marker: Marker, attribute: AttributeSyntax)] = []
    /// The markers that stand inside `#if`.
    private(set) var conditional: [(marker: Marker, attribute: AttributeSyntax)] = []

    init(of declaration: VariableDeclSyntax) {
        for attribute in declaration.attributes.plainAttributes {
            guard let marker = Marker(rawValue: attribute.bareName) else { continue }
            if attributes[marker] == nil {
                attributes[marker] = attribute
            } else {
                repeated.append((marker, attribute))
            }
        }
        for attribute in declaration.attributes.conditionalAttributes {
            guard let marker = Marker(rawValue: attribute.bareName) else { continue }
            conditional.append((marker, attribute))
        }
    }

    /// The attribute of a marker, or nil where the property does not carry it.
    subscript(marker: Marker) -> AttributeSyntax? { attributes[marker] }

    func contains(_ marker: Marker) -> Bool { attributes[marker] != nil }
}
#endif
