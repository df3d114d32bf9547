import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Foundation
import Testing

/// Stores of real engines, copied from one to the next.
@Suite(.serialized)
struct CopyTests {
    /// Those with files or a server, each after the one whose store it gets.
    private static let backends = Backends.chosen.filter { $0.exclusions[.persistence] == nil }

    private static let pairs = backends.flatMap { source in backends.map { (source, $0) } }
        .filter { $0.name != $1.name }

    @Test("A store is the same after it went from engine to engine and back", arguments: backends)
    func roundTrip(_ first: ConformanceBackend) async throws {
        let others = Self.backends.filter { $0.name != first.name }
        let stores = try ([first] + others + [first]).map { try $0.makeStore() }
        defer { for store in stores { store.remove() } }
        var source = try await stores[0].open()
        try await fill(source)
        let before = try await contents(source)
        for store in stores.dropFirst() {
            let target = try await store.open()
            let copied = try await target.copy(Guild.self, Letter.self, Coin.self, from: source)
            #expect(copied.entities.map(\.name) == ["Guild", "Letter", "Coin", "Fellow", "Rank"])
            #expect(copied.entities.map(\.inserted) == [40, 3_000, 4, 200, 7])
            try source.close()
            source = target
        }
        #expect(try await contents(source) == before)
        // Whatever was in between, keys go on after the greatest.
        #expect(try await source.insert(Coin(name: "next")).id == 101)
        try source.close()
    }

    @Test("What one engine has is merged into another", arguments: pairs)
    func merge(_ first: ConformanceBackend, _ second: ConformanceBackend) async throws {
        let stores = try [first, second].map { try $0.makeStore() }
        defer { for store in stores { store.remove() } }
        let (source, target) = (try await stores[0].open(), try await stores[1].open())
        try await fill(source)
        try await fill(target)
        try await target.update(Fellow.self, key: "f3") { $0.set(\.note, to: "changed") }
        try await target.delete(Fellow.self, key: "f4")
        try await target.update(Guild.self, key: 1) { $0.set(\.fellows, to: []) }
        let refused = await #expect(throws: DBClientError.self) {
            try await target.copy(Guild.self, from: source)
        }
        #expect(refused?.code == .duplicateKey)
        let copied = try await target.copy(Guild.self, from: source, onConflict: .replace)
        #expect(copied["Fellow"]?.inserted == 1)
        #expect(copied["Fellow"]?.updated == 199)
        #expect(copied["Guild"]?.updated == 40)
        #expect(try await contents(target) == contents(source))
        try source.close()
        try target.close()
    }

    @Test("A copy is a sound file of the object store, with every index", arguments: backends)
    func verified(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let source = try await store.open()
        try await fill(source)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("store")
        let target = try ObjectStoreDBClient(at: url)
        try await target.copy(Guild.self, Letter.self, Coin.self, from: source)
        try await target.copy(Guild.self, Letter.self, from: source, onConflict: .replace)
        try target.close()
        try source.close()
        try ObjectStoreDBClient.verify(at: url)
    }

    private func fill(_ client: any DBClient) async throws {
        let ranks = (0..<7).map { Rank(id: $0, title: "rank \($0)") }
        let fellows = (0..<200).map { fellow($0, ranks) }
        let guilds = (0..<40).map { guild($0, fellows, ranks) }
        try await client.insert(ranks)
        try await client.upsert(fellows)
        try await client.upsert(guilds)
        try await client.insert((0..<3_000).map { Letter(from: "f\($0 % 200)", number: $0) })
        try await client.insert((1...3).map { Coin(name: "coin \($0)") })
        try await client.insert(Coin(id: 100, name: "coin 100"))
    }

    private func fellow(_ index: Int, _ ranks: [Rank]) -> Fellow {
        let days = Double(index) * 86_400.123_456
        return Fellow(
            id: "f\(index)",
            note: index % 3 == 0 ? nil : "Ünïcode 🦸 \(index)",
            joined: Date(timeIntervalSince1970: days),
            worth: Decimal(index) / 8,
            tags: (0..<index % 4).map { "tag \($0)" },
            rank: index % 5 == 0 ? nil : ranks[index % 7]
        )
    }

    private func guild(_ index: Int, _ fellows: [Fellow], _ ranks: [Rank]) -> Guild {
        // Backwards and some twice, so that an order of keys would show.
        let places = (0..<index % 9).map { (place: Int) -> Int in
            (199 - place / 2 * index % 200) % 200
        }
        let seal = (0..<index).map { UInt8(($0 * 7) % 256) }
        return Guild(
            id: index,
            token: UUID(uuid: (UInt8(index), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)),
            seal: Data(seal),
            fellows: places.map { fellows[$0] },
            ranks: Set(ranks.prefix(index % 6)),
            allies: References((0..<index % 3).map { 39 - $0 })
        )
    }

    /// Every value, as it is stored.
    private func contents(_ client: any DBClient) async throws -> [String] {
        var found: [String] = []
        found += try await client.fetch(Rank.all).map { "\($0)" }
        found += try await client.fetch(Fellow.all).map { "\($0)" }
        found += try await client.fetch(Guild.all).map {
            "\($0.id) \($0.token) \(Array($0.seal)) \($0.fellows) \($0.ranks.map(\.id).sorted()) \($0.allies)"
        }
        found += try await client.fetch(Letter.all).map { "\($0)" }
        found += try await client.fetch(Coin.where { $0.id <= 100 }).map { "\($0)" }
        return found
    }
}

@Stored struct Rank: Hashable {
    @PrimaryKey let id: Int
    @Unique var title: String
}

@Stored struct Fellow: Equatable {
    @PrimaryKey let id: String
    var note: String?
    @Indexed var joined: Date
    var worth: Decimal
    var tags: [String]
    var rank: Rank?
}

@Stored struct Guild: Equatable {
    @PrimaryKey let id: Int
    var token: UUID
    var seal: Data
    var fellows: [Fellow]
    var ranks: Set<Rank>
    var allies: References<Guild>
}

@Stored struct Letter: Equatable {
    @PrimaryKey let from: String
    @PrimaryKey let number: Int
}

@Stored struct Coin: Equatable {
    @PrimaryKey(.generated) var id: Int = 0
    var name: String
}
