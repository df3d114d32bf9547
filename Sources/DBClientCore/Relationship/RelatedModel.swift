/// The operations on the values of a related model, without naming its type.
final class RelatedModel: RelatedEntity, @unchecked Sendable {
    /// Makes a place for loaded values; says whether it tells what each is made of.
    let makeLoaded: @Sendable (Bool) -> LoadedEntity
    /// Makes a place for values on their way to the store.
    let makeCollection: @Sendable () -> any CollectedModels

    init<Model: Stored>(_ type: Model.Type) {
        makeLoaded = { Loaded<Model>(tellsContents: $0) }
        makeCollection = { Collected<Model>() }
        super.init { Model.schema.entity }
    }
}

extension RelationshipSchema {
    /// The model whose values are held; nil for a relationship known from the store alone.
    var relatedModel: RelatedModel? {
        // Only models declare relationships with an entity.
        related.map { unsafeDowncast($0, to: RelatedModel.self) }
    }
}
