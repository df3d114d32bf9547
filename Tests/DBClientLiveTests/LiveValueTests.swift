import DBClientCore
import DBClientLive
import Testing

@testable import DBClientTesting

@MainActor
struct LiveValueTests {
    @Test(arguments: Stores.allCases)
    func countsTotalsAndModelsFollowTheStore(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert([Hero(1, power: 3), Hero(2, power: 4)])
        let count = client.liveCount(Hero.where { $0.power > 3 })
        let exists = client.liveExists(Hero.where { $0.power > 8 })
        let hero = client.live(Hero.self, key: 1)
        let most = LiveValue(client.observeMax(\.power, of: Hero.all), initial: nil)
        let isCrowded = client.live(Hero.all, initial: false) { try $0.count(Hero.all) > 2 }
        #expect(count.value == 0)
        #expect(!exists.value)
        #expect(hero.value == nil)
        #expect(most.value == nil)
        await eventually {
            count.value == 1 && hero.value?.power == 3 && most.value == 4
                && isCrowded.state.isReady
        }
        #expect(!isCrowded.value)
        let tracker = Tracker { _ = count.value }
        try await client.write { transaction in
            try transaction.update(Hero.self, key: 1) { $0.set(\.power, to: 9) }
            try transaction.insert(Hero(3, power: 5))
        }
        await eventually {
            count.value == 3 && hero.value?.power == 9 && most.value == 9 && isCrowded.value
                && exists.value
        }
        await eventually { tracker.changes == 1 }
        try await client.delete(Hero.self, key: 1)
        await eventually { hero.value == nil }
        count.follow(client.observeCount(Hero.where { $0.power < 5 }))
        await eventually { count.state.isReady && count.value == 1 }
        try client.close()
        await eventually { count.error?.code == .closed }
        #expect(count.value == 1)
    }

    @Test func errorsThatPassAreRetried() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Hero(1))
        let failing = Failing()
        let live = client.live(
            Hero.all,
            initial: 0,
            retry: LiveRetry(codes: [.busy], first: .milliseconds(5))
        ) { transaction in
            try failing.check()
            return try transaction.count(Hero.all)
        }
        await eventually { live.error?.code == .busy }
        #expect(live.value == 0)
        failing.end()
        await eventually { live.state.isReady }
        #expect(live.value == 1)

        let ending = client.live(Hero.all, initial: 0, retry: .never) { _ in
            throw DBClientError(.busy, "It is.")
        }
        await eventually { ending.error?.code == .busy }
        try await Task.sleep(for: .milliseconds(50))
        #expect(ending.error?.code == .busy)
        try client.close()
    }
}
