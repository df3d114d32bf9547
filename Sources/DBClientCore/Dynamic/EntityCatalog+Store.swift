// Catalogs of what a store has, for a program that has no models.
extension EntityCatalog {
    /// Creates a catalog of the entities that a store has, as the store itself tells of them.
    ///
    /// ```swift
    /// let catalog = try await EntityCatalog(storedIn: client)
    /// for entity in catalog.entities {
    ///     print(entity.name, try await client.count(DynamicRequest(entity)))
    /// }
    /// ```
    ///
    /// The entities are in the order of their names. They have the fields, the key, the indexes and the relationships
    /// that are stored. The links of to-many relationships are in ``RelationshipSchema/link`` and are no entities of
    /// the catalog; the library's own entities, such as the names of migrations, are left out. What no field can hold
    /// is in ``omissions``. A store without a model's declaration does not tell all of it: a key is taken for one that
    /// the caller gives where nothing says that the store makes it.
    ///
    /// The call reads and creates nothing.
    ///
    /// - Throws: `.unsupported` for an engine that does not know what it stores; `.corrupt` for a damaged description.
    public init(storedIn client: some DBClient) async throws {
        self = try await client.read { try EntityCatalog(storedIn: $0) }
    }

    /// Creates a catalog of the entities that a transaction sees.
    ///
    /// - Throws: `.unsupported` for an engine that does not know what it stores; `.corrupt` for a damaged description.
    public init(storedIn transaction: ReadTransaction) throws {
        let reader = try transaction.reader()
        let registry = RelationshipRegistry()
        let shapes = try reader.shapes()
        var found = CatalogBuilder(shapes, try registry.owners(in: reader))
        for shape in shapes.sorted(by: { EntityName($0.name) < EntityName($1.name) }) {
            found.add(shape)
        }
        self.init(entities: found.entities, omissions: found.omissions)
    }

    /// A part of a store that a catalog leaves out.
    public struct Omission: Hashable, Sendable {
        /// The stored name of the entity.
        public let entity: String
        /// The stored name of the field or relationship; nil where the whole entity is left out.
        public let field: String?
        /// Why it is left out, as a sentence.
        public let reason: String
    }
}

extension RelationshipRegistry {
    /// Returns the entities with relationships, as the store keeps them.
    fileprivate func owners(in reader: any EngineReader) throws -> [EntitySchema] {
        _ = try kept(Self.entity, in: reader)
        return owners
    }
}

/// Puts the entities of a catalog together from shapes and what the store keeps of relationships.
private struct CatalogBuilder {
    private(set) var entities: [EntitySchema] = []
    private(set) var omissions: [EntityCatalog.Omission] = []
    private let shapes: [EntityName: StoredShape]
    /// The entities that relationships lead to, once they are made.
    private let targets = CatalogTargets()
    /// What tells the catalog from one whose relationships lead to other shapes.
    private let signature: String
    private let owners: [EntityName: EntitySchema]
    /// The names of what is no entity of the user's: links, and what the library keeps for itself.
    private let hidden: Set<EntityName>
    /// Where the command notes a copy that is made in parts until it is whole.
    private static let unfinishedCopies = EntityName("dbclient_copies")

    init(_ shapes: [StoredShape], _ owners: [EntitySchema]) {
        self.shapes = Dictionary(
            shapes.map { (EntityName($0.name), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.owners = Dictionary(
            owners.map { ($0.exactName, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        signature = shapes.map(\.signature).sorted().joined(separator: "\0")
        let links = owners.flatMap(\.relationships).compactMap { $0.link?.entity.exactName }
        hidden = Set(
            links + [
                RelationshipRegistry.entity.exactName, PerformedSteps.entity.exactName,
                Self.unfinishedCopies,
            ]
        )
    }

    mutating func add(_ shape: StoredShape) {
        let name = EntityName(shape.name)
        if hidden.contains(name) { return }
        for omission in shape.omissions {
            omit(shape, omission.field, omission.reason)
        }
        if shape.primaryKey.isEmpty {
            if !shape.omissions.contains(where: { $0.field == nil }) {
                omit(shape, nil, "No primary key can be told.")
            }
            return
        }
        let entity = make(shape)
        if let failure = entity.failure {
            omit(shape, failure.field, failure.message)
        } else {
            let shared = StoredEntities.shared(entity, in: entity.isFlat ? "" : signature)
            entities.append(shared)
            targets.add(shared)
        }
    }

    private mutating func omit(_ shape: StoredShape, _ field: String?, _ reason: String) {
        omissions.append(
            EntityCatalog.Omission(entity: shape.name, field: field, reason: reason)
        )
    }

    private mutating func make(_ shape: StoredShape) -> EntitySchema {
        guard let kept = owners[EntityName(shape.name)] else {
            return EntitySchema(shape, keyGeneration: shape.keyGeneration)
        }
        guard var laidOut = shape.laidOut(like: kept) else {
            for relationship in kept.relationships {
                omit(
                    shape,
                    relationship.name,
                    "The stored fields differ from those that the relationship was declared with."
                )
            }
            return EntitySchema(shape, keyGeneration: kept.keyGeneration)
        }
        // In the order in which the store keeps them with the relationships, so that both stay alike.
        laidOut.indexes =
            kept.indexes.filter(laidOut.indexes.contains)
            + laidOut.indexes.filter { !kept.indexes.contains($0) }
        return EntitySchema(
            laidOut,
            keyGeneration: kept.keyGeneration,
            relationships: kept.relationships.map {
                $0.ofStore(in: laidOut, of: kept, shapes, targets)
            }
        )
    }
}

extension StoredShape {
    /// Returns the shape in the layout of an entity; nil where it has other fields or another key.
    fileprivate func laidOut(like entity: EntitySchema) -> StoredShape? {
        guard let shape = ordered(by: entity.fields.map(\.name)),
            shape.primaryKey == entity.primaryKey,
            zip(shape.fields, entity.fields).allSatisfy({
                $0.type == $1.type && $0.isOptional == $1.isOptional
            })
        else { return nil }
        return shape
    }
}

extension EntitySchema {
    fileprivate convenience init(
        _ shape: StoredShape,
        keyGeneration: PrimaryKeyGeneration,
        relationships: [RelationshipSchema] = [],
        linkOwner: LinkOwner? = nil
    ) {
        self.init(
            name: shape.name,
            fields: shape.fields,
            primaryKey: shape.primaryKey,
            keyGeneration: keyGeneration,
            indexes: shape.indexes,
            relationships: relationships,
            linkOwner: linkOwner,
            failure: nil
        )
    }
}

extension RelationshipSchema {
    /// Returns the relationship as one that is known from the store alone, with links in the form in which they are
    /// stored.
    fileprivate func ofStore(
        in shape: StoredShape,
        of owner: EntitySchema,
        _ shapes: [EntityName: StoredShape],
        _ targets: CatalogTargets
    ) -> RelationshipSchema {
        var link = link
        if let kept = link?.entity, let stored = shapes[kept.exactName]?.laidOut(like: kept) {
            let key = owner.primaryKey.map { shape.fields[$0] }
            let linkOwner = LinkOwner(entity: owner.name, key: key.map(\.name))
            let entity = EntitySchema(stored, keyGeneration: .given, linkOwner: linkOwner)
            link = LinkSchema(
                entity: StoredEntities.shared(entity, in: ""),
                ownerKey: key,
                isOrdered: kind == .list
            )
        }
        let target = EntityName(targetName)
        var related: RelatedEntity?
        if let shape = shapes[target], !shape.primaryKey.isEmpty {
            related = RelatedEntity { targets.entity(target, like: shape) }
        }
        return RelationshipSchema(
            name: name,
            kind: kind,
            columns: columns,
            link: link ?? self.link,
            rule: rule,
            related: related,
            storedTarget: targetName,
            isByReference: true,
            slot: 0
        )
    }
}

extension StoredShape {
    /// Tells the shape from every other one.
    fileprivate var signature: String {
        let columns = fields.flatMap { [$0.name, $0.form.note, $0.isOptional ? "?" : ""] }
        return ([name] + columns + ["\(primaryKey)"]).joined(separator: "\0")
    }
}

/// The entities of a catalog by their names: relationships lead from one to another, in circles as well.
private final class CatalogTargets: Sendable {
    private let entities = UnfairMutex<[EntityName: EntitySchema]>([:])

    func add(_ entity: EntitySchema) {
        entities.withLock { $0[entity.exactName] = entity }
    }

    /// Returns the entity with a name, or one that is malformed for a shape of which none could be made.
    func entity(_ name: EntityName, like shape: StoredShape) -> EntitySchema {
        entities.withLock { entities in
            if let entity = entities[name] { return entity }
            let entity = EntitySchema(shape, keyGeneration: shape.keyGeneration)
            entities[name] = entity
            return entity
        }
    }
}

/// Entities of stores, one for each shape: engines cache what they derive of an entity by its identity.
private enum StoredEntities {
    private static let known = UnfairMutex<[String: EntitySchema]>([:])

    /// Returns the entity of this shape that was made first in a catalog of a signature.
    static func shared(_ entity: EntitySchema, in signature: String) -> EntitySchema {
        let description = describe(entity) + "\0\0" + signature
        return known.withLock { known in
            if let first = known[description] { return first }
            known[description] = entity
            return entity
        }
    }

    private static func describe(_ entity: EntitySchema) -> String {
        var parts = [entity.name, "\(entity.keyGeneration)", "\(entity.primaryKey)"]
        for field in entity.fields {
            parts += [field.name, field.type.name, field.isOptional ? "?" : "", field.form.note]
        }
        parts += entity.indexes.map { "\($0.fields)\($0.isUnique)" }
        for relationship in entity.relationships {
            parts += [
                relationship.name, relationship.kind.rawValue, "\(relationship.columns)",
                relationship.rule.rawValue, relationship.targetName,
            ]
            parts += relationship.link.map { [describe($0.entity)] } ?? []
        }
        if let owner = entity.linkOwner { parts += [owner.entity] + owner.key }
        // No name has a NUL.
        return parts.joined(separator: "\0")
    }
}
