#if Macros
import SwiftDiagnostics

/// The diagnostics of markers such as `@Indexed`, which stand where they have no meaning.
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

    static func indexedCollection(
        _ marker: Marker,
        _ property: String,
        _ collection: StoredProperty.Collection
    ) -> Self {
        Self(
            """
            '\(property)' cannot be '\(marker.attribute)', since no store keeps an index by a \
            \(collection); remove '\(marker.attribute)'
            """
        )
    }

    static func relationshipOfValues(_ property: String, _ type: String) -> Self {
        Self(
            """
            '@Relationship' marks a property that holds other models, but '\(property)' holds \
            '\(type)'; remove it
            """
        )
    }

    static func relationshipInEmbedded(_ property: String) -> Self {
        Self(
            """
            '\(property)' cannot be a relationship, since an '@Embedded' value has none; move it to the \
            owner
            """
        )
    }

    static func inverseInEmbedded(_ property: String) -> Self {
        Self(
            """
            '\(property)' cannot be an inverse, since nothing leads to an '@Embedded' value; move it to the \
            owner
            """
        )
    }

    static func constantInverse(_ property: String) -> Self {
        Self("'\(property)' is set when it is asked for, so it must be a 'var' that is not lazy")
    }

    static func inverseOfOther(_ property: String, _ type: String?) -> Self {
        Self(
            """
            '\(property)' must be a list or a set of the model that leads to this one, such as '[Track]', \
            written with its type\(type.map { "; it is '\($0)'" } ?? "")
            """
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
