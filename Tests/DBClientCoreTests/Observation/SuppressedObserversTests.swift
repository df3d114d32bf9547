import DBClientTesting
import Synchronization
import Testing

@testable import DBClientCore

@Suite("Who need not be told of a change that is read again")
struct SuppressedObserversTests {
    @Test(
        "A reading that has what others committed is told to whoever wrote beside them",
        arguments: [true, false]
    )
    func ofRelatedRows(isForeign: Bool) async throws {
        let client = InMemoryDBClient()
        try await client.insert([Link(id: 1, next: nil), Link(id: 2, next: 1)])
        try await check(client, Link.where { $0.next.isMarked == false }, isForeign) {
            try $0.update(Link.self, key: 1) { $0.set(\.isMarked, to: true) }
        }
    }

    @Test(
        "A window that runs short is told to whoever emptied it if others may have had a part",
        arguments: [true, false]
    )
    func ofAWindow(isForeign: Bool) async throws {
        let client = InMemoryDBClient()
        try await client.insert((1...100).map { Link(id: $0, next: nil) })
        try await check(client, Link.all.limit(1), isForeign) {
            _ = try $0.delete(Link.where { $0.id <= 60 })
        }
    }

    /// Checks that a unit is told to its own observer exactly if others have committed beside it.
    private func check(
        _ client: InMemoryDBClient,
        _ request: FetchRequest<Link>,
        _ isForeign: Bool,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Void
    ) async throws {
        let hub = try #require(client.observation.hub)
        let source = LateSource(hub)
        hub.add(source)
        let listener = Listener()
        let token = client.observe(
            request,
            on: listener,
            onFailure: { _, error in Issue.record(error) },
            { $0.take($1) }
        )
        try await listener.wait(for: 1)
        source.hasCommitted.store(isForeign, ordering: .relaxed)
        try await client.write(withoutNotifying: token, body: body)
        if isForeign { try await listener.wait(for: 2) }
        let deadline = ContinuousClock.now + .seconds(300)
        while source.count.load(ordering: .relaxed) == 0, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(source.count.load(ordering: .relaxed) > 0)
        // All observers are told of this one.
        let told = await listener.changes.count
        try await client.insert(Link(id: 0, next: 0))
        try await listener.wait(for: told + 1)
        #expect(await listener.changes.count == (isForeign ? 3 : 2))
        token.cancel()
    }

    private actor Listener {
        private(set) var changes: [Change<Link>] = []

        func take(_ change: Change<Link>) { changes.append(change) }

        func wait(for count: Int) async throws {
            let deadline = ContinuousClock.now + .seconds(300)
            while changes.count < count {
                try #require(ContinuousClock.now < deadline, "\(count) changes did not come")
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// Finds what others have committed only when it is asked to wait for it.
    private final class LateSource: ForeignCommits {
        let hasCommitted = Atomic(false)
        let count = Atomic(0)
        private let hub: ChangeHub

        init(_ hub: ChangeHub) { self.hub = hub }

        func beginWatching() {}
        func look() {}
        func endWatching() {}

        func settle() async {
            if hasCommitted.exchange(false, ordering: .relaxed) { hub.noteForeignCommit() }
            count.add(1, ordering: .relaxed)
        }
    }
}
