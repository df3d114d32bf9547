import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// A player, found by a nickname as well, whose club is a row of its own.
private struct Player: ManagedEntityConvertible, Equatable {
    let id: Int
    var nickname: String?
    var club: String

    var primaryKey: Int { id }

    init(_ id: Int, _ nickname: String?, club: String) {
        self.id = id
        self.nickname = nickname
        self.club = club
    }

    init(storage: PlayerRecord) {
        self.init(storage.id, storage.nickname, club: storage.club)
    }

    func storage(existing: PlayerRecord?) throws -> PlayerRecord {
        if nickname == "unstorable" { throw Refusal() }
        return PlayerRecord(id: id, nickname: nickname, club: club)
    }

    init(entity: ManagedEntity) throws {
        self.init(
            try entity.value(\PlayerRow.id),
            try entity.value(\PlayerRow.nickname),
            club: try entity.entity(\PlayerRow.club).value(\ClubRow.name)
        )
    }

    func upsert(in context: EntityContext, existing: ManagedEntity?) throws -> ManagedEntity {
        let found = try context.fetch(ClubRow.where { $0.name == club }).first
        let row = try found ?? context.insert(ClubRow(name: club))
        let entity = try existing ?? context.insert(PlayerRow.self, key: id)
        try entity.set(\PlayerRow.origin, to: existing == nil ? "inserted" : "updated")
        try entity.set(\PlayerRow.nickname, to: nickname)
        try entity.set(\PlayerRow.club, to: row)
        return entity
    }

    typealias Entity = PlayerRow

    struct Refusal: Error {}
}

@Stored private struct PlayerRecord {
    let id: Int
    @Unique var nickname: String?
    var club: String
}

@Stored private struct PlayerRow: Equatable {
    let id: Int
    var origin: String
    @Unique var nickname: String?
    @StoredName("clubId") var club: ClubRow
}

@Stored private struct ClubRow: Equatable {
    @PrimaryKey(.generated) var id: Int = 0
    @Unique var name: String

    init(name: String) { self.name = name }
}

@Suite("Models kept as managed entities, found by what is unique")
struct ManagedEntityUpsertTests {
    private func with(
        _ backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        try await client.insert([
            Player(1, "ace", club: "x"), Player(2, "bee", club: "y"), Player(3, nil, club: "x"),
        ])
        try await body(client)
        try client.close()
    }

    @Test("Stored keys stay, and the last of equal values counts", arguments: Backends.chosen)
    func keysStay(_ backend: ConformanceBackend) async throws {
        try await with(backend) { client in
            let outcome = try await client.upsert(
                [
                    Player(7, "bee", club: "z"), Player(8, "new", club: "x"),
                    Player(9, nil, club: "y"), Player(10, "ace", club: "lost"),
                    Player(11, "ace", club: "z"),
                ],
                by: \.nickname
            )
            #expect(outcome.updated == [Player(2, "bee", club: "z"), Player(1, "ace", club: "z")])
            #expect(outcome.inserted == [Player(8, "new", club: "x"), Player(9, nil, club: "y")])
            #expect(
                try await client.findAll(Player.self) == [
                    Player(1, "ace", club: "z"), Player(2, "bee", club: "z"),
                    Player(3, nil, club: "x"), Player(8, "new", club: "x"),
                    Player(9, nil, club: "y"),
                ]
            )
            let one = try await client.upsert(Player(12, "new", club: "y"), by: \.nickname)
            #expect(one.value == Player(8, "new", club: "y"))
            #expect(one.isUpdated)
            let byKey = try await client.upsert(
                [Player(3, "key", club: "x"), Player(20, "far", club: "x")],
                by: \.id
            )
            #expect(byKey.updated == [Player(3, "key", club: "x")])
            #expect(byKey.inserted == [Player(20, "far", club: "x")])
            let none = try await client.upsert([Player](), by: \.nickname)
            #expect(none.inserted.isEmpty && none.updated.isEmpty)
            guard client is SQLDBClient else { return }
            let rows = try await client.findAll(PlayerRow.self)
            #expect(
                rows.map(\.origin)
                    == ["updated", "updated", "updated", "updated", "inserted", "inserted"]
            )
            #expect(try await client.count(ClubRow.all) == 3)
        }
    }

    @Test("A call that fails leaves everything as it was", arguments: Backends.chosen)
    func failuresAreWhole(_ backend: ConformanceBackend) async throws {
        try await with(backend) { client in
            let before = try await client.findAll(Player.self)
            for (value, code) in [
                (Player(1, "taken key", club: "z"), DBClientError.Code.duplicateKey),
                (Player(30, "unstorable", club: "z"), .invalidValue),
            ] {
                let error = await #expect(throws: DBClientError.self) {
                    try await client.upsert([Player(40, "bee", club: "w"), value], by: \.nickname)
                }
                #expect(error?.code == code)
                #expect(try await client.findAll(Player.self) == before)
            }
            let error = await #expect(throws: DBClientError.self) {
                try await client.upsert(Player(1, "a", club: "x"), by: \.club)
            }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test("What waits in the transaction's entities is found", arguments: Backends.chosen)
    func waitingEntities(_ backend: ConformanceBackend) async throws {
        try await with(backend) { client in
            guard client is SQLDBClient else { return }
            let result = try await client.write { transaction in
                let held = try #require(
                    try transaction.entities.find(PlayerRow.self, key: 2)
                )
                try held.set(\PlayerRow.nickname, to: "moth")
                let found = try transaction.upsert(Player(50, "moth", club: "x"), by: \.nickname)
                let free = try transaction.upsert(Player(51, "bee", club: "x"), by: \.nickname)
                #expect(try held.value(\PlayerRow.origin) == "updated")
                return (found, free)
            }
            #expect(result.0.value == Player(2, "moth", club: "x"))
            #expect(result.0.isUpdated)
            #expect(result.1.value == Player(51, "bee", club: "x"))
            #expect(!result.1.isUpdated)
        }
    }
}
