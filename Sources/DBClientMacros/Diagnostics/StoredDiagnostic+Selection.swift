#if Macros
/// The diagnostics of `@Selection`, on structs that no row can be read into.
extension StoredDiagnostic {
    static func selectionOf(_ name: String, _ kind: String) -> Self {
        Self("'@Selection' needs a struct that is not generic, but '\(name)' is \(kind)")
    }

    static func emptySelection(_ name: String) -> Self {
        Self(
            "'@Selection' needs a stored property without an initial value, but '\(name)' has none"
        )
    }

    static func conditionalSelection(_ name: String) -> Self {
        Self("'@Selection' cannot tell which branch is compiled; move '#if' out of '\(name)'")
    }
}
#endif
