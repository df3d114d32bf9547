#if Macros
/// The diagnostics of types that cannot be models.
extension StoredDiagnostic {
    static func notAStruct(_ macro: ModelMacro, _ name: String, kind: String) -> Self {
        Self("'\(macro.attribute)' needs a struct, but '\(name)' is \(kind); make it a struct")
    }

    static func genericStruct(_ macro: ModelMacro, _ name: String) -> Self {
        Self(
            """
            '\(macro.attribute)' cannot be attached to the generic struct '\(name)', since a \
            generic type cannot keep one schema; declare a struct for each type of argument
            """
        )
    }

    static func structInGenericType(_ macro: ModelMacro, _ name: String) -> Self {
        Self(
            """
            '\(macro.attribute)' cannot be attached to '\(name)' inside a generic type, which \
            cannot keep one schema; move the struct out
            """
        )
    }

    static func privateNestedStruct(
        _ macro: ModelMacro,
        _ name: String,
        hidden: String
    ) -> Self {
        Self(
            """
            '\(macro.attribute)' cannot reach '\(name)', since '\(hidden)' is private inside another \
            type; make '\(hidden)' 'fileprivate'
            """
        )
    }

    static func storedAndEmbedded(_ name: String) -> Self {
        Self("'\(name)' cannot be both '@Stored' and '@Embedded'; remove one of them")
    }

    static func noStoredProperties(_ macro: ModelMacro, _ name: String) -> Self {
        Self("'\(name)' has no stored property to keep; declare one or remove '\(macro.attribute)'")
    }
}
#endif
