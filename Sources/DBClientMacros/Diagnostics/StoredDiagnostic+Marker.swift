#if Macros
import SwiftDiagnostics

/// What can be wrong with a marker.
extension StoredDiagnostic {
    static func markerOnOther(_ marker: Marker) -> Self {
        Self("'\(marker.attribute)' marks a stored property; remove it from this declaration")
    }

    static func markerOnStatic(_ marker: Marker, _ property: String) -> Self {
        Self(
            """
            '\(marker.attribute)' marks a stored property, but '\(property)' is static and never \
            stored; remove it
            """
        )
    }

    static func markerOnComputed(_ marker: Marker, _ property: String) -> Self {
        Self(
            """
            '\(marker.attribute)' marks a stored property, but '\(property)' is computed and \
            never stored; remove it
            """
        )
    }

    static func markerOutsideModel(_ marker: Marker, _ property: String) -> Self {
        Self(
            """
            '\(marker.attribute)' on '\(property)' does nothing, since the type is neither \
            '@Stored' nor '@Embedded'; mark the type or remove it
            """,
            severity: .warning
        )
    }

    static func repeatedMarker(_ marker: Marker, _ property: String) -> Self {
        Self("'\(property)' is marked '\(marker.attribute)' twice; remove one of them")
    }

    static func conditionalMarker(_ marker: Marker, _ property: String) -> Self {
        Self(
            """
            a macro cannot tell whether '\(marker.attribute)' of '\(property)' is compiled; move it out \
            of '#if'
            """
        )
    }

    static func exclusiveMarkers(_ first: Marker, _ second: Marker, _ property: String) -> Self {
        Self(
            """
            '\(property)' cannot be both '\(first.attribute)' and '\(second.attribute)'; remove \
            one of them
            """
        )
    }

    static func indexedUnique(_ property: String) -> Self {
        Self(
            "'@Indexed' is redundant on '\(property)', since '@Unique' keeps an index; remove it",
            severity: .warning
        )
    }

    static func indexedFirstKey(_ property: String) -> Self {
        Self(
            """
            '@Indexed' is redundant on '\(property)', since it leads a composite primary key that \
            is searched by it already; remove it
            """,
            severity: .warning
        )
    }

    static func redundantOnKey(_ marker: Marker, _ property: String) -> Self {
        Self(
            """
            '\(marker.attribute)' is redundant on the primary key '\(property)', which is unique \
            and found by an index already; remove it
            """,
            severity: .warning
        )
    }
}
#endif
