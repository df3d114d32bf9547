import DBClientCore
import DBClientTool
import Synchronization

/// What the page asks of a store, one call for each.
final class StoreBrowser: Sendable {
    let store: Store
    let isReadOnly: Bool
    let edits = EditLog()
    private let known: Mutex<StoreMap>

    /// - Throws: What reading the store's entities throws.
    init(_ store: Store, isReadOnly: Bool) async throws {
        self.store = store
        self.isReadOnly = isReadOnly
        known = Mutex(try await StoreMap(of: store))
    }

    var client: any DBClient { store.client }

    /// The entities as they were last read.
    var map: StoreMap { known.withLock { $0 } }

    /// Reads the entities anew and describes them.
    func description() async throws -> StoreDescription {
        let map = try await StoreMap(of: store)
        known.withLock { $0 = map }
        return StoreDescription(
            address: "\(store.address)",
            engine: store.address.engine,
            isReadOnly: isReadOnly,
            followsOthers: map.followsOthers,
            entities: map.catalog.entities.map { Self.description(of: $0, map) },
            omissions: map.catalog.omissions.map { omission in
                let name = [omission.entity, omission.field].compactMap(\.self)
                return "\(name.joined(separator: ".")): \(omission.reason)"
            }
        )
    }

    private static func description(
        of entity: EntitySchema,
        _ map: StoreMap
    ) -> StoreDescription.Entity {
        StoreDescription.Entity(
            name: entity.name,
            fields: entity.fields.map {
                StoreDescription.Field(
                    name: $0.name,
                    type: $0.type.name,
                    isOptional: $0.isOptional,
                    isComputed: map.computed.contains($0.name, of: entity),
                    form: FieldText.form(of: $0.type)
                )
            },
            key: entity.primaryKey,
            makesKeys: entity.keyGeneration == .generated,
            indexes: entity.indexes.map {
                StoreDescription.Index(fields: $0.fields, isUnique: $0.isUnique)
            },
            references: map.references(of: entity).map {
                StoreDescription.Link(
                    name: $0.name,
                    kind: $0.kind.rawValue,
                    target: $0.target.name,
                    fields: $0.columns,
                    rule: $0.rule.rawValue,
                    isForeignKey: $0.isForeignKey,
                    leadsToKey: $0.targetColumns == $0.target.primaryKey
                )
            },
            label: entity.labelPosition
        )
    }
}
