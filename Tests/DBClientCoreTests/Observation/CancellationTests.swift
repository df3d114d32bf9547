import DBClientTesting
import Synchronization
import Testing

@testable import DBClientCore

struct CancellationTests {
    @Test("What an observation needs is let go when it is cancelled")
    func freesEverything() async throws {
        let client = InMemoryDBClient()
        let hub = try #require(client.observation.hub)
        let source = Source()
        hub.add(source)
        var generator = SeededGenerator(seed: 1)
        let wanted = Probe.where { $0.integer > 0 }
        for round in 0..<3 {
            var changes = Optional(client.observe(Probe.all).makeAsyncIterator())
            _ = try await changes?.next()
            var counts = Optional(client.observeCount(wanted).makeAsyncIterator())
            _ = try await counts?.next()
            var sums = Optional(
                client.observe(wanted) { try $0.count(wanted) }.makeAsyncIterator()
            )
            _ = try await sums?.next()
            var feed = Optional(client.changes(of: Probe.self).makeAsyncIterator())
            let token = client.observe(
                wanted,
                onFailure: { Issue.record($0) },
                { _ in }
            )
            let loop = Task { for try await _ in client.observe(Probe.all) {} }
            try await client.insert(try Sample.probe(Sample.row(round, using: &generator)))
            #expect(source.isWatched)
            #expect(hub.makeRecorder(hub.watchGeneration) != nil)
            _ = try await feed?.next()
            token.cancel()
            loop.cancel()
            (changes, counts, sums, feed) = (nil, nil, nil, nil)
            let deadline = ContinuousClock.now + .seconds(300)
            while ContinuousClock.now < deadline, await !isEmpty(hub) || source.isWatched {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(await isEmpty(hub))
            #expect(hub.makeRecorder(hub.watchGeneration) == nil)
            // The timer ends with the watching, so the source is looked at no more. Nothing comes after a look that is
            // not taken, so it is waited for as long as several would need.
            #expect(!source.isWatched)
            let looks = source.looks
            try await Task.sleep(for: .milliseconds(80))
            #expect(source.looks <= looks + 1)
        }
    }

    @Test("A task that is cancelled while its observation begins ends the loop")
    func endsWhileItBegins() async throws {
        let base = InMemoryDBClient()
        let source = ObservationSource(engine: base.engine, client: CancellingClient(base: base))
        let request = FetchRequest<Reading>()
        let changes = Task {
            for try await _ in ChangeStream(source: source, request: request) {}
        }
        try await changes.value
        let counts = Task {
            for try await _ in ValueStream(begin: { try await source.count(request) }) {}
        }
        try await counts.value
    }

    private func isEmpty(_ hub: ChangeHub) async -> Bool {
        await withCheckedContinuation { continuation in
            hub.perform { continuation.resume(returning: $0.isEmpty) }
        }
    }

    private final class Source: ForeignCommits {
        private let state = Mutex((isWatched: false, looks: 0))

        var isWatched: Bool { state.withLock { $0.isWatched } }
        var looks: Int { state.withLock { $0.looks } }

        func beginWatching() { state.withLock { $0.isWatched = true } }
        func look() { state.withLock { $0.looks += 1 } }
        func endWatching() { state.withLock { $0.isWatched = false } }
    }
}

/// A model that converts, so that a client is asked for its stored shape.
private struct Reading: StoredConvertible {
    let primaryKey: Int

    init(storage: Probe) { primaryKey = storage.identifier }

    func storage(existing: Probe?) throws -> Probe {
        throw DBClientError(.unsupported, "It is only read.")
    }
}

/// Cancels the task of a read before it reads.
private struct CancellingClient: DBClient {
    let base: InMemoryDBClient
    var observation: ObservationSource { base.observation }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await base.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await base.write(body)
    }

    func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
        try base.readBlocking(body)
    }

    func writeBlocking<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        try base.writeBlocking(body)
    }

    func close() throws { try base.close() }
}
