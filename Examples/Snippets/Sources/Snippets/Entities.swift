import DBClientCore
import DBClientSQL

func neutralise(on client: any DBClient) async throws {
    // snippet: entities
    try await client.write { transaction in
        let context = try transaction.entities
        for hero in try context.fetch(Character.where { $0.realName == nil }) {
            try hero.set(\Character.alignment, to: .neutral)
        }
    }
    // end snippet
}

/// Where somebody was seen; two rows with a relational client.
struct Sighting: StoredConvertible {
    let identifier: Int
    var place: String

    var primaryKey: Int { identifier }
}

extension Sighting {
    init(storage: SightingRecord) {
        self.init(identifier: storage.identifier, place: storage.place)
    }

    func storage(existing: SightingRecord?) -> SightingRecord {
        SightingRecord(identifier: identifier, place: place)
    }
}

@Stored struct SightingRecord {
    @PrimaryKey let identifier: Int
    var place: String
}

@Stored struct SightingRow {
    @PrimaryKey let identifier: Int
    var place: Int
}

@Stored struct PlaceRow {
    @PrimaryKey(.generated) var identifier: Int = 0
    @Unique var name: String
}

// snippet: managed-entity
extension Sighting: ManagedEntityConvertible {
    init(entity: ManagedEntity) throws {
        let place = try entity.context.find(
            PlaceRow.self,
            key: entity.value(\SightingRow.place)
        )
        self.init(
            identifier: try entity.value(\SightingRow.identifier),
            place: try place?.value(\PlaceRow.name) ?? ""
        )
    }

    func upsert(in context: EntityContext, existing: ManagedEntity?) throws -> ManagedEntity {
        var row = try context.fetch(PlaceRow.where { $0.name == place }).first
        if row == nil { row = try context.insert(PlaceRow(name: place)) }
        try context.flush()  // The store makes the key of a new place.
        let entity = try existing ?? context.insert(SightingRow.self, key: identifier)
        try entity.set(\SightingRow.place, to: row?.value(\PlaceRow.identifier) ?? 0)
        return entity
    }
}
// end snippet

extension Sighting {
    typealias Entity = SightingRow
}
