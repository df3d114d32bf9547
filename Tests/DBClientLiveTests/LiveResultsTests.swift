import DBClientCore
import DBClientLive
import Testing

@testable import DBClientTesting

@MainActor
struct LiveResultsTests {
    private func heroes(_ count: Int) -> [Hero] { (0..<count).map { Hero($0, power: Double($0)) } }

    @Test(arguments: Stores.allCases)
    func itBeginsEmptyAndFollowsTheStore(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert(heroes(3))
        let live = client.live(Hero.all.sorted { $0.power.descending })
        #expect(live.state.isLoading)
        #expect(live.isEmpty)
        #expect(live.values.isEmpty)
        await eventually { live.state.isReady }
        #expect(live.map(\.id) == [2, 1, 0])
        #expect(live.lastChange == LiveChange(insertions: [0, 1, 2]))
        #expect(live.previous.isEmpty)

        try await client.update(Hero.self, key: 0) { $0.set(\.power, to: 9) }
        await eventually { live.revision == 2 }
        #expect(live.map(\.id) == [0, 2, 1])
        #expect(live[0].power == 9)
        #expect(live.change(since: 1) == live.lastChange)
        #expect(live.change(since: 2) == LiveChange())
        #expect(live.change(since: 0) == nil)
        #expect(live.previous.map(\.id) == [2, 1, 0])
        #expect(
            live.lastChange
                == LiveChange(
                    deletions: [2],
                    insertions: [0],
                    modifications: [RowMove(from: 2, to: 0)],
                    moves: [RowMove(from: 2, to: 0)]
                )
        )
        try client.close()
    }

    @Test func whatIsReadIsTracked() async throws {
        let client = InMemoryDBClient()
        let live = client.live(Hero.all)
        let values = Tracker { _ = live.count }
        let state = Tracker { _ = live.state }
        let pause = Tracker { _ = live.isPaused }
        await eventually { live.state.isReady }
        await eventually { values.changes == 1 && state.changes == 1 && pause.changes == 1 }
        try await client.insert(Hero(1))
        await eventually { live.count == 1 }
        await eventually { values.changes == 2 }
        // The state stays as it is, and what reads it alone is not drawn again.
        #expect(state.changes == 1)
        live.pause()
        await eventually { pause.changes == 2 }
        try client.close()
    }

    @Test func anotherRequestTakesThePlaceOfOne() async throws {
        let client = InMemoryDBClient()
        try await client.insert(heroes(6))
        let live = client.live(Hero.where { $0.power < 4 }.sorted { $0.power })
        await eventually { live.count == 4 }
        live.request = Hero.where { $0.power >= 2 }.sorted { $0.power.descending }
        // What was shown stays until the new is there.
        #expect(live.state.isLoading)
        #expect(live.map(\.id) == [0, 1, 2, 3])
        await eventually { live.state.isReady }
        #expect(live.map(\.id) == [5, 4, 3, 2])
        var copy = Array(live.previous)
        #expect(copy.map(\.id) == [0, 1, 2, 3])
        let change = try #require(live.lastChange)
        change.apply(to: &copy, from: live)
        #expect(copy == Array(live))
        // One of the two that are in both has passed the other.
        #expect(change.moves.count == 1)
        #expect(change.modifications.isEmpty)
        try client.close()
    }

    @Test func aFailureKeepsWhatWasShownAndARetryGoesOn() async throws {
        let client = InMemoryDBClient()
        try await client.insert(heroes(2))
        let live = client.live(Hero.all)
        await eventually { live.count == 2 }
        live.request = Hero.all.limit(-1)
        await eventually { live.state.error?.code == .invalidRequest }
        #expect(live.map(\.id) == [0, 1])
        #expect(live.error?.code == .invalidRequest)
        try await client.insert(Hero(7))
        live.request = Hero.all
        await eventually { live.state.isReady }
        #expect(live.map(\.id) == [0, 1, 7])
        #expect(live.lastChange == LiveChange(insertions: [2]))
        try client.close()
        await eventually { live.state.error?.code == .closed }
        #expect(live.map(\.id) == [0, 1, 7])
        live.retry()
        #expect(live.state.isLoading)
        await eventually { live.state.error?.code == .closed }
    }

    @Test func whileItIsPausedItStandsStillAndThenCatchesUpExactly() async throws {
        let client = InMemoryDBClient()
        try await client.insert(heroes(3))
        let live = client.live(Hero.all)
        await eventually { live.state.isReady }
        live.pause()
        #expect(live.isPaused)
        let before = live.revision
        for key in 10..<30 { try await client.insert(Hero(key)) }
        try await client.delete(Hero.self, key: 1)
        try await Task.sleep(for: .milliseconds(50))
        #expect(live.revision == before)
        #expect(live.count == 3)
        live.resume()
        await eventually { live.count == 22 }
        #expect(Array(live) == (try await client.fetch(Hero.all)))
        // The one that was on its way, and all others as one.
        #expect(live.revision <= before + 2)
        // A pause that is called off does not come.
        live.pause(after: .milliseconds(20))
        live.resume()
        try await Task.sleep(for: .milliseconds(60))
        #expect(!live.isPaused)
        live.pause(after: .milliseconds(5))
        await eventually { live.isPaused }
        // Another request waits as well.
        live.request = Hero.all.limit(1)
        try await Task.sleep(for: .milliseconds(30))
        #expect(live.count == 22)
        live.resume()
        await eventually { live.count == 1 }
        try client.close()
    }

    @Test func itEndsWhenItIsReleased() async throws {
        let client = InMemoryDBClient()
        try await client.insert(heroes(3))
        weak var released: LiveResults<Hero>?
        weak var paused: LiveResults<Hero>?
        do {
            let live = client.live(Hero.all)
            await eventually { live.state.isReady }
            let other = client.live(Hero.all)
            other.pause()
            released = live
            paused = other
            withExtendedLifetime((live, other)) {}
        }
        await eventually { released == nil && paused == nil }
        #expect(released == nil)
        #expect(paused == nil)
        try client.close()
    }

    @Test(arguments: Stores.allCases)
    func pagesGrowUntilAllIsShown(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert(heroes(100))
        let live = client.live(Hero.all.sorted { $0.power.descending }, page: 10)
        await eventually { live.state.isReady }
        #expect(live.count == 10)
        #expect(live.hasMore)
        var steps = 0
        while live.hasMore {
            let before = live.count
            live.loadMore(after: before - 7)
            #expect(!live.isLoadingMore)
            live.loadMore(after: before - 1)
            #expect(live.isLoadingMore)
            #expect(live.state.isReady)
            live.loadMore()
            await eventually { !live.isLoadingMore }
            #expect(live.count == min(2 * before, 100))
            #expect(live.lastChange == LiveChange(insertions: Array(before..<live.count)))
            steps += 1
        }
        #expect(steps == 4)
        #expect(live.map(\.id) == Array((0..<100).reversed()))
        // A request of its own limit has no more than that, and begins with a page again.
        live.request = Hero.all.limit(15)
        await eventually { live.state.isReady }
        #expect(live.count == 10)
        live.loadMore()
        await eventually { live.count == 15 }
        #expect(!live.hasMore)
        let whole = client.live(Hero.all)
        await eventually { whole.count == 100 }
        #expect(!whole.hasMore)
        try client.close()
    }

    /// Answers of many requests in quick succession: the last one alone stays.
    @Test(arguments: Stores.allCases)
    func aLateAnswerNeverOvertakesANewerRequest(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert(heroes(200))
        let live = client.live(Hero.all)
        for round in 0..<200 {
            live.request = Hero.where { $0.id < round }
            if round % 7 == 0 { try await Task.sleep(for: .microseconds(300)) }
            if round % 31 == 0 { await eventually { live.state.isReady } }
            // What is shown is always the whole answer of one request.
            #expect(live.map(\.id) == Array(0..<live.count))
        }
        await eventually { live.state.isReady }
        #expect(live.count == 199)
        try await Task.sleep(for: .milliseconds(30))
        #expect(live.count == 199)
        try client.close()
    }
}
