#if Macros
/// The diagnostics of `@Parts`, on structs whose parts cannot be asked for by name.
extension StoredDiagnostic {
    static func partsOf(_ name: String, _ kind: String) -> Self {
        Self(
            "'@Parts' needs a struct, but '\(name)' is \(kind); ask for its parts by 'path(_:as:)'"
        )
    }

    static func codedParts(_ name: String) -> Self {
        Self(
            """
            '@Parts' cannot tell how '\(name)' encodes its properties; remove '@Parts' and ask for its \
            parts by 'path(_:as:)', or leave the coding to the compiler
            """
        )
    }
}
#endif
