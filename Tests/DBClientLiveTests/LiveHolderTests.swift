import DBClientCore
import Testing

@testable import DBClientLive
@testable import DBClientTesting

/// What `@Live` does, without SwiftUI.
@MainActor
struct LiveHolderTests {
    @Test func aViewThatIsMadeAnewKeepsItsObject() async throws {
        let client = InMemoryDBClient()
        try await client.insert([Hero(1, "Abe"), Hero(2, "Bea")])
        let holder = LiveHolder<Hero>()
        let first = holder.results(Hero.all, nil, client)
        await eventually { first.count == 2 }
        #expect(holder.results(Hero.all, nil, client) === first)
        #expect(first.state.isReady)

        // What code asks for stays until the view asks for something else.
        first.request = Hero.where { $0.id == 1 }
        await eventually { first.count == 1 && first.state.isReady }
        #expect(holder.results(Hero.all, nil, client) === first)
        #expect(first.state.isReady)
        #expect(holder.results(Hero.where { $0.id > 1 }, nil, client) === first)
        await eventually { first.first?.id == 2 }

        let other = InMemoryDBClient()
        #expect(holder.results(Hero.where { $0.id > 1 }, nil, other) !== first)
        try client.close()
        try other.close()
    }

    @Test func withoutAClientItSaysWhatIsMissing() async throws {
        let holder = LiveHolder<Hero>()
        let live = holder.results(Hero.all, nil, nil)
        await eventually { live.error?.code == .unsupported }
        #expect(live.error?.hint?.contains("dbClient(_:)") == true)
        #expect(live.isEmpty)
        let client = InMemoryDBClient()
        #expect(holder.results(Hero.all, nil, client) !== live)
        try client.close()
    }
}
