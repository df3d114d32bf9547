import DBClientCore
import Foundation

// snippet: relationships
@Stored struct Studio: Hashable {
    @PrimaryKey let id: Int
    @Indexed var name: String
}

@Stored struct Power: Hashable {
    @PrimaryKey let name: String
    var level: Int
}

@Stored struct Fighter: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var studio: Studio?  // to-one: its key is in the fighter's row
    var powers: [Power]  // to-many, in order; `Set<Power>` for no order
    var mentor: Reference<Fighter>?  // the key alone, loaded when asked for
    @Relationship(onDelete: .weak) var rivals: References<Fighter>
}
// end snippet

// snippet: relationship-keys
@Stored struct Contract: Equatable {
    @PrimaryKey @Relationship(onDelete: .cascade) let fighter: Reference<Fighter>
    @PrimaryKey @Relationship(onDelete: .cascade) let studio: Reference<Studio>
    var since: Date
}
// end snippet

// snippet: relationship-shards
@Stored struct Fan: Equatable {
    @ShardKey @PrimaryKey let club: Int
    @PrimaryKey let number: Int
    var name: String
}

@Stored struct Ticket: Equatable {
    @ShardKey @PrimaryKey let club: Int
    @PrimaryKey let number: Int
    var fan: Reference<Fan>?  // of the same club
}
// end snippet

/// Saves fighters with what they hold, and returns how many are found through it.
func relationships(on client: any DBClient) async throws -> Int {
    // snippet: relationship-saving
    let marvel = Studio(id: 1, name: "Marvel")
    let flight = Power(name: "flight", level: 3)
    try await client.insert([
        Fighter(id: 1, name: "Iron Man", studio: marvel, powers: [flight], mentor: nil, rivals: []),
        Fighter(id: 2, name: "Nova", studio: marvel, powers: [flight], mentor: nil, rivals: [7]),
    ])
    let nova = try await client.find(Fighter.self, key: 2)
    print(nova?.studio?.name ?? "none", nova?.powers.map(\.level) ?? [])
    // end snippet

    // snippet: relationship-references
    try await client.update(Fighter.self, key: 2) { $0.set(\.mentor, to: Reference(1)) }
    let mentor = try await client.load(Reference<Fighter>(1))
    // end snippet

    try await client.insert(
        Contract(fighter: Reference(1), studio: Reference(1), since: Date(timeIntervalSince1970: 0))
    )
    // snippet: relationship-keys-use
    let key = Contract.PrimaryKey(fighter: Reference(1), studio: Reference(1))
    let contract = try await client.find(Contract.self, key: key)
    let ofNova = try await client.fetch(Contract.where { $0.fighter.name == "Nova" })
    // end snippet
    precondition(contract != nil && ofNova.isEmpty)

    // snippet: relationship-conditions
    let strong = Fighter.where {
        $0.studio.name == "Marvel" && $0.powers.contains { $0.level > 2 } && $0.powers.count < 5
    }
    let fighters = try await client.fetch(strong)
    let strongest = try await client.fetch(Fighter.where { $0.powers.sum(\.level) > 10 })
    let ofMarvel = try await client.count(marvel.inverse(of: \Fighter.studio))
    let flying = try await client.fetch(flight.inverse(of: \Fighter.powers))
    // end snippet
    return fighters.count + strongest.count + ofMarvel + flying.count + (mentor == nil ? 0 : 1)
}

// snippet: inverse-types
@Stored struct Album: Equatable {
    let id: Int
    var title: String
    @Inverse(\AlbumTrack.album) var tracks: [AlbumTrack]
}

@Stored struct AlbumTrack: Equatable {
    let id: Int
    var album: Reference<Album>
    var title: String
    var seconds: Int
}
// end snippet

func albums(on client: any DBClient) async throws -> Int {
    // snippet: inverse
    let long = Album.where { $0.tracks.count > 20 || $0.tracks.sum(\.seconds) > 3600 }
    let albums = try await client.fetch(long.sorted { $0.title }.including(\.tracks))
    for album in albums { print(album.title, album.tracks.map(\.title)) }
    // end snippet
    // snippet: annotated
    let lengths = Album.all.sorted { $0.title }
        .annotated { ($0.tracks.count, $0.tracks.sum(\.seconds), $0.tracks.max(\.seconds)) }
    for (album, tracks, seconds, longest) in try await client.fetch(lengths) {
        print(album.title, tracks, seconds, longest ?? 0)
    }
    // end snippet
    return albums.count
}
