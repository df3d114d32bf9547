/// The way in which a property refers to other models, for the code that `@Stored` and `@Embedded` write: a
/// check of those types that could be kept as JSON where the models are Codable, as copies that no rule and
/// no request reaches.
///
/// In two steps, since the compiler takes any overload before an unavailable one: the first finds out what the type is,
/// the second refuses what is no relationship.
public enum HeldType {
    /// What any property is that may be stored: one without models, or a relationship.
    public struct Kept {}
    /// A to-many relationship that is optional.
    public struct OptionalRelationship {}
    /// A list or a set of single references, in place of `References`.
    public struct CollectedReferences {}
    /// Models in a dictionary, or in collections of collections.
    public struct NestedModels {}

    /// Returns that a property of any other type can be stored.
    @_disfavoredOverload
    public static func of<Owner, Value>(_ property: KeyPath<Owner, Value>) -> Kept { Kept() }

    /// Returns that a property is an optional list of models.
    public static func of<Owner, Related: Stored>(
        _ property: KeyPath<Owner, [Related]?>
    ) -> OptionalRelationship { OptionalRelationship() }

    /// Returns that a property is an optional set of models.
    public static func of<Owner, Related: Stored>(
        _ property: KeyPath<Owner, Set<Related>?>
    ) -> OptionalRelationship { OptionalRelationship() }

    /// Returns that a property is an optional `References`.
    public static func of<Owner, Related: Stored>(
        _ property: KeyPath<Owner, References<Related>?>
    ) -> OptionalRelationship { OptionalRelationship() }

    /// A list or a set of references.
    public static func of<Owner, Related: Stored, List: Collection<Reference<Related>>>(
        _ property: KeyPath<Owner, List>
    ) -> CollectedReferences { CollectedReferences() }

    /// An optional list or set of references.
    public static func of<Owner, Related: Stored, List: Collection<Reference<Related>>>(
        _ property: KeyPath<Owner, List?>
    ) -> CollectedReferences { CollectedReferences() }

    /// Returns that a property is a dictionary of models.
    public static func of<Owner, Name: Hashable, Related: Stored>(
        _ property: KeyPath<Owner, [Name: Related]>
    ) -> NestedModels { NestedModels() }

    /// Returns that a property is an optional dictionary of models.
    public static func of<Owner, Name: Hashable, Related: Stored>(
        _ property: KeyPath<Owner, [Name: Related]?>
    ) -> NestedModels { NestedModels() }

    /// A list of lists of models.
    public static func of<Owner, Related: Stored>(
        _ property: KeyPath<Owner, [[Related]]>
    ) -> NestedModels { NestedModels() }

    /// Accepts a property that can be stored.
    public static func check(_ type: Kept) {}

    /// Unavailable: a to-many relationship is empty, not absent, where there are no values.
    @available(
        *,
        unavailable,
        message:
            "a to-many relationship is not optional; remove the '?', it is empty where nothing is held"
    )
    public static func check(_ type: OptionalRelationship) {}

    /// Unavailable: several references are stored as ``References``.
    @available(
        *,
        unavailable,
        message:
            "a to-many relationship by reference is 'References<Model>', not a collection of references"
    )
    public static func check(_ type: CollectedReferences) {}

    /// Unavailable: related models are a list, a set or references.
    @available(
        *,
        unavailable,
        message: "a to-many relationship is a list, a set or references, not a collection of others"
    )
    public static func check(_ type: NestedModels) {}
}
