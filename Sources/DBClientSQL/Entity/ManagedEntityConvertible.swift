public import DBClientCore

/// A model that a relational client keeps as a managed entity, for those whose mapping needs live
/// objects: rows of several entities, made and changed together.
///
/// ```swift
/// extension Hero: ManagedEntityConvertible {
///     init(entity: ManagedEntity) throws {
///         id = try entity.value(\HeroRecord.id)
///         name = try entity.value(\HeroRecord.name)
///     }
///
///     func upsert(in context: EntityContext, existing: ManagedEntity?) throws -> ManagedEntity {
///         let entity = try existing ?? context.insert(HeroRecord.self, key: id)
///         try entity.set(\HeroRecord.name, to: name)
///         return entity
///     }
/// }
/// ```
///
/// An app calls its client as for any model. A client of another engine keeps the model as its
/// `Storage`, whose fields requests name; they are found in `Entity` by their stored names.
public protocol ManagedEntityConvertible: EngineConvertible {
    /// The shape of the entity's row; the model's `Storage` unless it says otherwise.
    associatedtype Entity: Stored = Storage where Entity.PrimaryKey == PrimaryKey

    /// Creates the value from its entity.
    ///
    /// - Throws: As `StoredConvertible.init(storage:)`.
    init(entity: ManagedEntity) throws

    /// Makes or changes the value's entity, and whatever else belongs to it.
    ///
    /// - Parameters:
    ///   - context: The transaction's live rows.
    ///   - existing: The entity with the value's primary key; nil when nothing is stored, and for an
    ///     insert. Of `upsert(_:by:)` it is the entity with the same unique values as the value's storage,
    ///     whose key stays. A call that writes many values reads all of them at once.
    /// - Returns: The value's entity.
    /// - Throws: As `StoredConvertible.storage(existing:)`; everything that the call did is undone.
    func upsert(in context: EntityContext, existing: ManagedEntity?) throws -> ManagedEntity
}

extension ManagedEntityConvertible {
    /// The stored name of the entity.
    public static var entityName: String { Entity.schema.entity.name }
}

extension SQLDBClient {
    /// Returns the mapping of a model that is a `ManagedEntityConvertible`.
    public static func mapping<Model: EngineConvertible>(
        of model: Model.Type
    ) -> (any ModelMapping<Model>)? {
        func mapping<Known: ManagedEntityConvertible>(_ model: Known.Type) -> Any {
            ManagedEntityMapping<Known>()
        }
        guard let model = model as? any ManagedEntityConvertible.Type else { return nil }
        return mapping(model) as? any ModelMapping<Model>
    }
}
