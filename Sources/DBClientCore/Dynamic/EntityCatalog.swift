/// Entities by their stored names, for a program that works on whatever models there are.
///
/// It is made of models, or of what a store itself says of its entities.
///
/// ```swift
/// let catalog = try EntityCatalog([Character.self, Publisher.self])
/// let heroes = try catalog.entity(named: "Character")
/// let rows = try await client.fetch(DynamicRequest(heroes).filter(.field("year", .less, 1970)))
/// ```
public struct EntityCatalog: Sendable {
    /// The entities in the order of the models, or of their names where a store tells of them.
    public let entities: [EntitySchema]
    /// What a store has that no entity of the catalog can show, with the reasons; empty for a catalog of models.
    public let omissions: [Omission]

    init(entities: [EntitySchema], omissions: [Omission]) {
        self.entities = entities
        self.omissions = omissions
    }

    /// Creates a catalog of models.
    ///
    /// - Throws: `.invalidSchema` when a model is malformed or two have one stored name.
    public init(_ models: [any Stored.Type]) throws {
        self.init(entities: models.map { Self.entity(of: $0) }, omissions: [])
        var names = Set<EntityName>()
        for entity in entities {
            try entity.validate()
            guard names.insert(entity.exactName).inserted else {
                throw DBClientError(
                    .invalidSchema,
                    "The models of a catalog must have different stored names; two have this one.",
                    entity: entity.name
                )
            }
        }
    }

    /// Returns the entity with a stored name.
    ///
    /// - Throws: `.invalidRequest` when there is none.
    public func entity(named name: String) throws -> EntitySchema {
        guard let entity = entities.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw DBClientError(
                .invalidRequest,
                "The stored name must be that of an entity in the catalog.",
                entity: name,
                hint: entities.isEmpty
                    ? "The catalog has no entities."
                    : "The entities are \(entities.map(\.name).joined(separator: ", "))."
            )
        }
        return entity
    }

    private static func entity<Model: Stored>(of model: Model.Type) -> EntitySchema {
        model.schema.entity
    }
}
