#if Macros
import SwiftDiagnostics

/// The diagnostics of properties that cannot be stored.
extension StoredDiagnostic {
    static func tuplePattern(_ macro: ModelMacro, _ pattern: String) -> Self {
        Self(
            """
            '\(macro.attribute)' cannot read the tuple pattern '\(pattern)'; declare each \
            property on its own
            """
        )
    }

    static func conditionalProperty(_ macro: ModelMacro, _ property: String) -> Self {
        Self(
            """
            '\(macro.attribute)' cannot tell whether '\(property)' is compiled; move it out of \
            '#if' or mark it '@Transient'
            """
        )
    }

    static func lazyProperty(_ property: String) -> Self {
        Self("the lazy property '\(property)' cannot be stored; mark it '@Transient'")
    }

    static func constantWithValue(_ property: String, canBeTransient: Bool) -> Self {
        let others =
            canBeTransient ? ", drop the value or mark it '@Transient'" : " or drop the value"
        return Self(
            """
            the constant '\(property)' has an initial value and could never be read back; make \
            it 'var'\(others)
            """
        )
    }

    static func hiddenInitialValue(_ property: String) -> Self {
        Self(
            """
            stored values do not get the initial value of '\(property)' from a migration that \
            adds it, since its attribute may change it; set it in the migration
            """,
            severity: .remark
        )
    }

    static func optionalOfOptional(_ property: String, _ type: String) -> Self {
        Self(
            """
            '\(property)' of type '\(type)' is an optional of an optional, whose two kinds of nil are \
            stored alike; make it optional once or mark it '@Transient'
            """
        )
    }

    static func transientWithoutDefault(_ property: String) -> Self {
        Self(
            """
            '\(property)' is '@Transient' and has nothing to start from when it is read back; \
            give it a default value or make it optional
            """
        )
    }
}
#endif
