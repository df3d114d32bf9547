import DBClientCore
import DBClientLive
import Testing

@testable import DBClientTesting

@MainActor
struct LiveRowsTests {
    @Test(arguments: Stores.allCases)
    func groupsFollowTheStore(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert((0..<6).map { Hero($0, publisherId: $0 % 3, power: 1) })
        let groups = Hero.all.grouped(by: \.publisherId).select(.count, .sum(\.power))
        let live = client.live(groups, of: Hero.all, id: { $0.key })
        #expect(live.isEmpty)
        await eventually { live.state.isReady }
        #expect(live.map(\.key) == [0, 1, 2])
        #expect(live.map(\.values.0) == [2, 2, 2])
        try await client.insert(Hero(7, publisherId: 1, power: 5))
        await eventually { live.lastChange?.modifications.count == 1 }
        #expect(live.lastChange == LiveChange(modifications: [RowMove(from: 1, to: 1)]))
        #expect(live[1].values.0 == 3)
        #expect(live[1].values.1 == 7)
        #expect(live.previous[1].values.1 == 2)
        try await client.delete(Hero.where { $0.publisherId == 0 })
        await eventually { live.count == 2 }
        #expect(live.lastChange == LiveChange(deletions: [0]))
        live.request = Hero.where { $0.power < 5 }.grouped(by: \.publisherId)
            .sorted { $0.count.descending }.select(.count, .sum(\.power))
        await eventually { live.first?.values.0 == 2 && live.state.isReady }
        #expect(live.map(\.values.0) == [2, 2])
        try client.close()
    }

    @Test func rowsWithoutAnIdentityAreToldByTheirPositions() async throws {
        let client = InMemoryDBClient()
        try await client.insert([Hero(1, "A"), Hero(2, "B"), Hero(3, "C")])
        let live = client.live(Hero.all.select(\.name, \.power), of: Hero.all)
        await eventually { live.count == 3 }
        let before = live.revision
        // It changes nothing that is selected, so nothing is told.
        try await client.update(Hero.self, key: 2) { $0.set(\.bio, to: "of no concern") }
        try await client.delete(Hero.self, key: 1)
        await eventually { live.count == 2 }
        #expect(live.revision == before + 1)
        #expect(
            live.lastChange
                == LiveChange(
                    deletions: [2],
                    modifications: [RowMove(from: 0, to: 0), RowMove(from: 1, to: 1)]
                )
        )
        try client.close()
    }

    @Test func aJoinFollowsBothItsModels() async throws {
        let client = InMemoryDBClient()
        try await client.insert([Hero(1, "Tony", publisherId: 7), Hero(7, "Marvel")])
        let pairs = Hero.all.join(Hero.self) { $0.publisherId == $1.id }
        let names = pairs.select { ($0.id, $0.name, $1.name) }
        let live = client.live(names, of: pairs, id: { $0.0 })
        await eventually { live.first?.2 == "Marvel" }
        try await client.update(Hero.self, key: 7) { $0.set(\.name, to: "Timely") }
        await eventually { live.first?.2 == "Timely" }
        #expect(live.lastChange == LiveChange(modifications: [RowMove(from: 0, to: 0)]))
        try client.close()
    }

    @Test(arguments: Stores.allCases)
    func groupsAreKeptWithoutBeingToldWhatTheyAreOf(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert((0..<6).map { Hero($0, publisherId: $0 % 3, power: Double($0)) })
        let best = Hero.all.grouped(by: \.publisherId).sorted { $0.sum(\.power).descending }
        let live = client.live(best.select(.sum(\.power)))
        await eventually { live.state.isReady }
        #expect(live.map(\.key) == [2, 1, 0])
        try await client.insert(Hero(7, publisherId: 0, power: 50))
        await eventually { live.first?.key == 0 }
        #expect(live.lastChange?.moves == [RowMove(from: 2, to: 0)])
        #expect(live.map(\.values) == [53, 7, 5])
        try client.close()
    }

    @Test(arguments: Stores.allCases)
    func aJoinIsKeptWithoutBeingToldWhatItIsOf(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert([Hero(1, "Tony", publisherId: 7), Hero(7, "Marvel")])
        let live = client.live(Hero.all.leftJoin(Hero.self) { $0.publisherId == $1.id })
        await eventually { live.count == 2 }
        #expect(live.map(\.0.name) == ["Tony", "Marvel"])
        try await client.delete(Hero.self, key: 7)
        await eventually { live.count == 1 }
        #expect(live[0].1 == nil)
        try client.close()
    }
}
