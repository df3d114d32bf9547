/// One relationship of an entity, as engines and observers see it: which columns hold whose keys.
public final class RelationshipSchema: Sendable {
    /// The cardinality of the relationship: one value, a list or a set.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// At most one: its key is in columns of the owner's row.
        case toOne
        /// Any number, in order: each is a row of the link entity, with its position.
        case list
        /// Any number, in no order and none twice: each is a row of the link entity.
        case set
    }

    /// The stored name of the field.
    public let name: String
    /// The cardinality of the relationship: one value, a list or a set.
    public let kind: Kind
    /// The positions of the owner's columns with the related key, in key order; empty for to-many.
    public let columns: [Int]
    /// The schema of the links that store a to-many relationship; nil for to-one.
    public let link: LinkSchema?
    /// The action taken on the owner when the related value is deleted.
    public let rule: DeleteRule
    /// The related entity's values; nil for a relationship known from the store alone.
    let related: RelatedEntity?
    private let storedTarget: String
    /// Whether only keys are read and written with the owner.
    let isByReference: Bool
    /// The position of the field's first slot as `init(row:)` and `write(to:)` see it.
    let slot: Int
    /// The way to the values that lead to the owner, of a property that has them and is not stored; nil for a relationship
    /// that is kept.
    let inverse: (@Sendable () throws(DBClientError) -> [RowMatch])?

    init(
        name: String,
        kind: Kind,
        columns: [Int],
        link: LinkSchema?,
        rule: DeleteRule,
        related: RelatedEntity?,
        storedTarget: String = "",
        isByReference: Bool,
        slot: Int,
        inverse: (@Sendable () throws(DBClientError) -> [RowMatch])? = nil
    ) {
        self.name = name
        self.kind = kind
        self.columns = columns
        self.link = link
        self.rule = rule
        self.related = related
        self.storedTarget = storedTarget
        self.isByReference = isByReference
        self.slot = slot
        self.inverse = inverse
    }

    /// The entity whose values are held; nil for a relationship known from the store alone.
    public var target: EntitySchema? { related?.entity() }

    /// Whether an owner whose value is not there, since another program deleted it, reads as one without it.
    ///
    /// That is what its rule makes of it, or says of it. Otherwise the owner could not be, so it cannot be read.
    var readsWithoutMissing: Bool { rule == .weak || rule == .nullify }

    /// Whether a key may be stored of a value that is not there and is then read as if it were not
    /// stored either.
    var mayHoldNothing: Bool { rule == .weak && !isByReference }

    /// The stored name of the entity whose values are held.
    public var targetName: String { related?.entity().name ?? storedTarget }
}

/// The entity of a relationship's values, found when it is first asked for: entities refer to each other.
///
/// The subclass knows the model of the entity.
class RelatedEntity: @unchecked Sendable {
    final let entity: @Sendable () -> EntitySchema

    init(_ entity: @escaping @Sendable () -> EntitySchema) {
        self.entity = entity
    }
}

/// The owner of links: the rows with the key that is in the first columns of a link.
public struct LinkOwner: Sendable {
    /// The stored name of the entity.
    public let entity: String
    /// The names of the fields of its primary key.
    public let key: [String]
}

/// The entity that keeps a to-many relationship: a row for each element, an ordinary entity to
/// engines.
public struct LinkSchema: Sendable {
    /// The entity of the links, one row for each element.
    public let entity: EntitySchema
    /// The positions of the columns with the owner's key.
    public let owner: [Int]
    /// The position of the column with the element's place in its list; nil for a set.
    public let position: Int?
    /// The positions of the columns with the element's key.
    public let target: [Int]

    /// Describes the links of a field.
    ///
    /// - Parameters:
    ///   - name: The stored name of the link entity.
    ///   - ownerName: The stored name of the entity that has the field.
    ///   - ownerKey: The fields of the owner's primary key.
    ///   - targetKey: The fields of the related primary key, named by their parts.
    ///   - isOrdered: Whether elements have places, so that one may occur several times.
    ///   - shard: The place of the owner's shard key in its primary key; nil where it has none.
    ///   - targetShard: Returns the place of the target's shard key in its primary key, where that is the owner's.
    init(
        name: String,
        ownerName: String,
        ownerKey: [FieldSchema],
        targetKey: [FieldSchema],
        isOrdered: Bool,
        shard: Int? = nil,
        targetShard: @escaping @Sendable () -> Int? = { nil }
    ) {
        func columns(_ prefix: String, _ key: [FieldSchema]) -> [FieldSchema] {
            key.map { part in
                FieldSchema(
                    name: key.count == 1 ? prefix : "\(prefix)_\(part.name)",
                    type: part.type,
                    isOptional: false,
                    form: part.form
                )
            }
        }
        let owners = columns("owner", ownerKey)
        let places =
            isOrdered
            ? [
                FieldSchema(
                    name: "position",
                    type: .integer(bits: 64, signed: true),
                    isOptional: false
                )
            ] : []
        let targets = columns("target", targetKey)
        owner = Array(owners.indices)
        position = isOrdered ? owners.count : nil
        let firstTarget = owners.count + places.count
        target = Array(firstTarget..<firstTarget + targets.count)
        entity = EntitySchema(
            name: name,
            fields: owners + places + targets,
            primaryKey: owner + (position.map { [$0] } ?? target),
            keyGeneration: .given,
            indexes: [IndexSchema(fields: target, isUnique: false)],
            linkOwner: LinkOwner(entity: ownerName, key: ownerKey.map(\.name)),
            shardKey: shard,
            shardKeyOfTarget: { targetShard().map { firstTarget + $0 } },
            failure: nil
        )
    }

    /// Throws where links lead to values of another shard key than their owner's.
    ///
    /// - Parameters:
    ///   - links: The rows of links.
    ///   - owner: The entity of the owners.
    ///   - relationship: The name of the field.
    /// - Throws: `.invalidValue` with the relationship.
    func checkShards(of links: RowBuffer, owner: EntitySchema, _ relationship: String) throws {
        guard let shardKey = entity.shardKey, let target = entity.shardKeyOfTarget?() else {
            return
        }
        let batch = links.batch
        for row in 0..<batch.count
        where Slot.compare(batch[row, shardKey], batch[row, target]) != 0 {
            throw owner.otherShard(relationship)
        }
    }

    /// Whether the keys of both sides are more than an index has fields.
    var hasTooManyKeys: Bool { entity.primaryKey.count > EntitySchema.maximumIndexedFields }

    /// Rebuilds links from what the store says of them; nil when these are none.
    init?(entity: EntitySchema, ownerKey: [FieldSchema], isOrdered: Bool) {
        let firstTarget = ownerKey.count + (isOrdered ? 1 : 0)
        guard firstTarget < entity.fields.count else { return nil }
        self.entity = entity
        owner = Array(ownerKey.indices)
        position = isOrdered ? ownerKey.count : nil
        target = Array(firstTarget..<entity.fields.count)
        let ownerTypes = entity.fields[..<ownerKey.count].map(\.type.slotKind)
        guard ownerTypes == ownerKey.map(\.type.slotKind),
            entity.primaryKey == owner + (position.map { [$0] } ?? target),
            position.map({ entity.fields[$0].type.slotKind == .integer }) ?? true,
            entity.fields.allSatisfy({ !$0.isOptional })
        else { return nil }
    }

    /// Returns the name of the link entity of a field: both names, the end of long ones replaced by a
    /// hash.
    static func name(owner: String, field: String) -> String {
        EntitySchema.shortened("\(owner)_\(field)")
    }
}
