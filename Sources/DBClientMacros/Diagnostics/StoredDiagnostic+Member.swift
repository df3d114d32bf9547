#if Macros
/// The diagnostics about the name of a member.
extension StoredDiagnostic {
    static let memberNamedPrimaryKey = Self(
        """
        '@Stored' declares 'primaryKey' itself; make this the only '@PrimaryKey', or rename it, where \
        '@StoredName("primaryKey")' keeps its stored name
        """,
        factory: "memberNamedPrimaryKey"
    )

    static func memberNamedSchema(_ macro: ModelMacro) -> Self {
        Self("'\(macro.attribute)' declares a static 'schema' itself; rename this one")
    }

    static func memberNamedSelf(_ macro: ModelMacro) -> Self {
        Self(
            """
            a property named 'Self' hides the type from what '\(macro.attribute)' declares; rename it, \
            where '@StoredName("Self")' keeps its stored name
            """
        )
    }

    static func propertyWithoutKeyPath(_ property: String) -> Self {
        Self(
            """
            a property named '\(property)' cannot be stored, since no key path leads to it; rename it, \
            where '@StoredName("\(property)")' keeps its stored name
            """
        )
    }

    static func typeHidesModule(_ macro: ModelMacro, _ name: String) -> Self {
        Self(
            """
            the nested type '\(name)' hides the module that '\(macro.attribute)' names; rename the type
            """
        )
    }

    static let typeNamedStorage = Self(
        """
        the nested type 'Storage' has the name by which 'Stored' knows the model itself; rename the type
        """,
        factory: "typeNamedStorage"
    )

    static func aliasNamedPrimaryKey(_ properties: [String]) -> Self {
        let names = properties.map { "'\($0)'" }
        let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
        return Self(
            """
            the type alias 'PrimaryKey' is not that of the key of \(list); remove it, since '@Stored' \
            declares a struct of that name
            """
        )
    }

    static func typeNamedPrimaryKey(_ property: String) -> Self {
        Self(
            """
            the nested type 'PrimaryKey' is not that of the key '\(property)'; rename it, since \
            '@Stored' declares one of that name
            """
        )
    }
}
#endif
