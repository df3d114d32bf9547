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

/// Moves fighters from one studio to another, with their powers.
func merge(_ first: Studio, into second: Studio, on client: any DBClient) async throws {
    // snippet: entity-relationships
    try await client.write { transaction in
        let context = try transaction.entities
        let studio = try context.find(Studio.self, key: second.id)
        for fighter in try context.fetch(first.inverse(of: \Fighter.studio)) {
            try fighter.set(\Fighter.studio, to: studio)
            // The powers of all fighters are loaded at once, and each is one object.
            for power in try fighter.entities(\Fighter.powers) {
                try power.set(\Power.level, to: 0)
            }
            let fusion = Power(name: "fusion", level: 9)
            try fighter.set(\Fighter.powers, to: fighter.value(\Fighter.powers) + [fusion])
        }
    }
    // end snippet
}

/// Where a character was seen; two rows with a relational client.
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
    var place: PlaceRow
}

@Stored struct PlaceRow {
    @PrimaryKey(.generated) var identifier: Int = 0
    @Unique var name: String
}

// snippet: managed-entity
extension Sighting: ManagedEntityConvertible {
    init(entity: ManagedEntity) throws {
        let place = try entity.entity(\SightingRow.place)
        self.init(
            identifier: try entity.value(\SightingRow.identifier),
            place: try place.value(\PlaceRow.name)
        )
    }

    func upsert(in context: EntityContext, existing: ManagedEntity?) throws -> ManagedEntity {
        let known = try context.fetch(PlaceRow.where { $0.name == place }).first
        let entity = try existing ?? context.insert(SightingRow.self, key: identifier)
        try entity.set(\SightingRow.place, to: known ?? context.insert(PlaceRow(name: place)))
        return entity
    }
}
// end snippet

extension Sighting {
    typealias Entity = SightingRow
}
