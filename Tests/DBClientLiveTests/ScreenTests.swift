import DBClientCore
import DBClientInMemory
import DBClientLive
import Testing

/// The models of a small app: journeys with their stops, and tickets of each stop.
private enum Trips {
    @Stored("TripJourney") struct Journey: Hashable, Identifiable {
        @PrimaryKey let id: Int
        var name: String
        var isDone = false
    }

    @Stored("TripStop") struct Stop: Hashable, Identifiable {
        @PrimaryKey let id: Int
        @Indexed var journey: Int
        @Unique var place: String
        var nights: Int
    }

    static let journeys = [
        Journey(id: 1, name: "Alps"), Journey(id: 2, name: "Baltic"),
        Journey(id: 3, name: "Café tour", isDone: true),
    ]
    static let stops = (1...9).map {
        Stop(id: $0, journey: $0 % 3 + 1, place: "place \($0)", nights: $0 % 4)
    }
}

/// The screens of an app, as its author writes them.
@MainActor
struct ScreenTests {
    /// A preview is a client in memory with some values.
    private func seeded() throws -> InMemoryDBClient {
        let client = InMemoryDBClient()
        try client.blocking.insert(Trips.journeys)
        try client.blocking.insert(Trips.stops)
        return client
    }

    /// One request for the list and its counts: rows of a left join, in groups.
    @Test func aListHasItsCountsInOneResult() async throws {
        let client = try seeded()
        let rows = Trips.Journey.leftJoin(Trips.Stop.self) { $0.id == $1.journey }
            .grouped { journey, stop in (journey.id, journey.name) }
        let counted = rows.select { group in
            group.sum { journey, stop in stop.nights }
        }
        let list = client.live(counted)
        await eventually { list.state.isReady }
        #expect(list.map { $0.0.1 } == ["Alps", "Baltic", "Café tour"])
        #expect(list.map { $0.1 } == [6, 4, 3])
        try await client.insert(Trips.Stop(id: 20, journey: 1, place: "Chur", nights: 4))
        await eventually { list.first?.1 == 10 }
        #expect(try client.observe(counted).explain().hasPrefix("kept"))
    }

    /// The list in sections, searched as one types, and paused while it is not shown.
    @Test func aListIsSearchedAndPaused() async throws {
        let client = try seeded()
        let sections = client.live(
            Trips.Journey.all.sorted { [$0.isDone, $0.name] },
            page: 50,
            sections: \.isDone
        )
        await eventually { sections.results.state.isReady }
        #expect(sections.map(\.key) == [false, true])
        for text in ["c", "ca", "cafe"] {
            sections.request = Trips.Journey.where { $0.name.containsFolding(text) }
                .sorted { [$0.isDone, $0.name] }
        }
        await eventually { sections.map(\.count) == [1] }
        #expect(sections.first?.first?.name == "Café tour")
        sections.results.pause()
        try await client.update(Trips.Journey.self, key: 3) { $0.set(\.name, to: "Cafés") }
        try await client.insert(Trips.Journey(id: 4, name: "Cafe crawl"))
        #expect(sections.first?.first?.name == "Café tour")
        sections.results.resume()
        await eventually { sections.first?.first?.name == "Cafe crawl" }
        #expect(sections.map(\.key) == [false, true])
    }

    /// The detail: a draft of the value, its parts beside it, and what is refused shown.
    @Test func aDetailShowsItsPartsAndWhatIsRefused() async throws {
        let client = try seeded()
        let journey = client.live(Trips.Journey.self, key: 1)
        let stops = client.live(Trips.Stop.where { $0.journey == 1 }.sorted { $0.place })
        let nights = client.liveCount(Trips.Stop.where { $0.journey == 1 && $0.nights > 1 })
        await eventually { journey.value != nil && stops.count == 3 && nights.value == 2 }
        let first = try #require(stops.first)
        let draft = client.draft(of: first)
        draft.place = "place 1"
        try? await draft.flush()
        #expect((draft.error as? DBClientError)?.code == .uniqueViolation)
        #expect(draft.place == "place 1")
        draft.place = "Zermatt"
        try await draft.flush()
        #expect(draft.error == nil)
        await eventually { stops.first?.place == "Zermatt" }
        try await client.delete(Trips.Stop.self, key: first.id)
        await eventually { draft.isDeleted && stops.count == 2 }
    }

    /// The best of each kind, as rows that follow the store.
    @Test func theBestOfEachKindFollow() async throws {
        let client = try seeded()
        let best = Trips.Stop.all.select { stop in
            let journey = Window(of: stop, by: stop.journey).sorted(by: stop.nights.descending)
            return (stop.journey, stop.place, journey.rank)
        }
        .filter { journey, place, rank in rank == 1 }
        let live = client.live(best)
        await eventually { live.state.isReady }
        #expect(live.map { $0.1 } == ["place 2", "place 3", "place 7"])
        try await client.update(Trips.Stop.self, key: 9) { $0.set(\.nights, to: 8) }
        await eventually { live.map { $0.1 } == ["place 2", "place 7", "place 9"] }
        #expect(try client.observe(best).explain().hasPrefix("kept"))
    }
}
