import DBClientCore
import DBClientLive
import Testing

@testable import DBClientTesting

@MainActor
struct LiveSectionsTests {
    private func hero(_ id: Int, _ name: String) -> Hero { Hero(id, name) }

    @Test(arguments: Stores.allCases)
    func valuesOfOneKeyAreASection(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert([
            hero(1, "Abe"), hero(2, "Ada"), hero(3, "Cato"), hero(4, "Dora"), hero(5, "Dan"),
        ])
        let live = client.live(Hero.all.sorted { $0.name }) { $0.name.prefix(1) }
        #expect(live.isEmpty)
        await eventually { live.state.isReady }
        #expect(live.map(\.key) == ["A", "C", "D"])
        #expect(live.map { $0.map(\.id) } == [[1, 2], [3], [5, 4]])
        #expect(live.map(\.range) == [0..<2, 2..<3, 3..<5])
        try await client.write { transaction in
            try transaction.delete(Hero.self, key: 3)
            try transaction.insert(Hero(6, "Bea"))
            try transaction.update(Hero.self, key: 2) { $0.set(\.name, to: "Dab") }
        }
        await eventually { live.results.revision == 2 }
        #expect(live.map(\.key) == ["A", "B", "D"])
        #expect(live.map { $0.map(\.id) } == [[1], [6], [2, 5, 4]])
        live.request = Hero.where { $0.name > "C" }.sorted { $0.name }
        await eventually { live.count == 1 }
        #expect(live[0].key == "D")
        try client.close()
    }
}
