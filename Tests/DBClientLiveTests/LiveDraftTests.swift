import DBClientCore
import DBClientLive
import Testing

@testable import DBClientTesting

@MainActor
struct LiveDraftTests {
    private struct Refusal: Error {}

    private func stored(_ client: any DBClient) async throws -> Hero? {
        try await client.find(Hero.self, key: 1)
    }

    @Test(arguments: Stores.allCases)
    func editsAreShownAtOnceAndWrittenTogether(_ store: Stores) async throws {
        let client = try store.open()
        let spy = SpyDBClient(client)
        try await client.insert(Hero(1, "Tony", power: 1))
        let draft = spy.draft(of: Hero(1, "Tony", power: 1), debounce: .milliseconds(60))
        let tracker = Tracker { _ = draft.name }
        draft.name = "Ton"
        draft.name = "Tony S"
        draft.power = 7
        #expect(draft.name == "Tony S")
        #expect(draft.isEdited)
        #expect(!draft.isSaving)
        #expect(try await stored(client)?.name == "Tony")
        await eventually { tracker.changes > 0 }
        // Another property that others write meanwhile stays, and is shown.
        try await client.update(Hero.self, key: 1) { $0.set(\.bio, to: "by others") }
        await eventually { draft.bio == "by others" }
        #expect(draft.name == "Tony S")
        await eventually { !draft.isEdited }
        let written = try #require(try await stored(client))
        #expect(written == Hero(1, "Tony S", power: 7, bio: "by others"))
        #expect(draft.value == written)
        try await client.update(Hero.self, key: 1) { $0.set(\.name, to: "Iron Man") }
        await eventually { draft.name == "Iron Man" }
        try client.close()
    }

    /// An observation tells of others' changes a little later, also of those before a write of the draft.
    @Test(arguments: Stores.allCases)
    func whatWasWrittenIsNotTakenBack(_ store: Stores) async throws {
        let client = try store.open()
        try await client.insert(Hero(1, "Tony"))
        let draft = client.draft(of: Hero(1, "Tony"), debounce: .seconds(60))
        for round in 0..<100 {
            try await client.update(Hero.self, key: 1) { $0.set(\.bio, to: "\(round)") }
            draft.name = "Tony \(round)"
            try await draft.flush()
            for _ in 0..<20 {
                #expect(draft.name == "Tony \(round)")
                await Task.yield()
            }
        }
        try client.close()
    }

    @Test func flushWritesNowAndWhatIsRefusedStays() async throws {
        let client = ValidatingDBClient(
            InMemoryDBClient(),
            rules: [.rule(Hero.self) { if $0.name.isEmpty { throw Refusal() } }]
        )
        try await client.insert(Hero(1, "Tony"))
        let draft = client.draft(of: Hero(1, "Tony"), debounce: .seconds(60))
        draft.name = ""
        await #expect(throws: Refusal.self) { try await draft.flush() }
        #expect(draft.error is Refusal)
        #expect(draft.name.isEmpty)
        #expect(draft.isEdited)
        #expect(try await stored(client)?.name == "Tony")
        draft.name = "T"
        #expect(draft.error == nil)
        try await draft.flush()
        #expect(!draft.isEdited)
        #expect(try await stored(client)?.name == "T")
        draft.name = ""
        await #expect(throws: Refusal.self) { try await draft.flush() }
        draft.revert()
        #expect(draft.name == "T")
        #expect(draft.error == nil)
        try client.close()
    }

    /// A binding of `@Bindable` reaches a property by a key path through the subscript.
    @Test func keyPathsReachProperties() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Hero(1, "Tony"))
        let draft = client.draft(of: Hero(1, "Tony"), debounce: .seconds(60))
        let path: ReferenceWritableKeyPath<LiveDraft<Hero>, String> = \.name
        draft[keyPath: path] = "Ton"
        draft[keyPath: path] = "Tony S"
        #expect(draft.name == "Tony S")
        #expect(path == \LiveDraft<Hero>.name)
        try await client.update(Hero.self, key: 1) { $0.set(\.bio, to: "by others") }
        try await draft.flush()
        #expect(try await stored(client) == Hero(1, "Tony S", bio: "by others"))
        try client.close()
    }

    @Test func whatIsDeletedIsTold() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Hero(1, "Tony"))
        let draft = client.draft(of: Hero(1, "Tony"), debounce: .seconds(60))
        #expect(!draft.isDeleted)
        try await client.delete(Hero.self, key: 1)
        await eventually { draft.isDeleted }
        draft.value.name = "late"
        await #expect(throws: DBClientError.self) { try await draft.flush() }
        #expect((draft.error as? DBClientError)?.code == .notFound)
        try client.close()
    }

    @Test func editsThatWaitAreWrittenWhenTheDraftGoes() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Hero(1, "Tony"))
        do {
            let draft = client.draft(of: Hero(1, "Tony"), debounce: .seconds(60))
            draft.name = "at last"
        }
        var name: String?
        for _ in 0..<3_000 where name != "at last" {
            name = try await stored(client)?.name
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(name == "at last")
        try client.close()
    }
}
