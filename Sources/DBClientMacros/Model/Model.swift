#if Macros
import SwiftSyntax

/// A struct as the macros understand it: what its extension is made from.
struct Model {
    let macro: ModelMacro
    let storedName: String
    /// The access modifier of the generated members with a space after it, or nothing.
    let access: String
    /// The fields of the row, in declaration order.
    let fields: [Field]
    /// The properties that are not kept, in declaration order.
    let transientProperties: [StoredProperty]
    /// Whether the compiler makes the struct an initializer of all its properties.
    let hasMemberwiseInitializer: Bool
    /// The primary key; an embedded value has none.
    let primaryKey: PrimaryKey?
    /// The names of the types that the struct declares itself.
    let nestedTypes: Set<String>
    /// The `@available` attributes, which the extension repeats.
    let availability: [AttributeSyntax]
}
#endif
