#if Macros
/// The diagnostics about a stored name. The subject is the type or property that has the name.
extension StoredDiagnostic {
    static func nameNotLiteral(_ subject: String) -> Self {
        Self(
            """
            the stored name of '\(subject)' must be a plain string literal; write it out without \
            interpolation
            """
        )
    }

    static func emptyName(_ subject: String) -> Self {
        Self("the stored name of '\(subject)' is empty; write a name or leave the default")
    }

    static func nameWithNUL(_ subject: String) -> Self {
        Self("the stored name of '\(subject)' contains NUL, which no store accepts; remove it")
    }

    static func nameTooLong(_ subject: String, length: Int, attribute: String) -> Self {
        Self(
            """
            the stored name of '\(subject)' is \(length) bytes of UTF-8, and the limit is \
            \(StoredName.maximumLength); give a shorter one with '\(attribute)'
            """
        )
    }

    static func duplicateName(_ name: String, _ first: String, _ second: String) -> Self {
        Self(
            """
            '\(first)' and '\(second)' are both stored as '\(name)', upper and lower case being \
            the same; give one another '@StoredName'
            """
        )
    }
}
#endif
