import DBClientTesting
import Dispatch
import Synchronization
import Testing

@testable import DBClientCore

struct EqualRequestTests {
    @Test("An observer that comes while an equal request is read again gets its values")
    func joinsAReading() async throws {
        let client = InMemoryDBClient()
        let link = Link(id: 1, next: nil)
        try await client.insert([link, Link(id: 2, next: 1)])
        let query = try Link.where { $0.next.isMarked == false }.rowQuery()
        var first = client.observe(Link.where { $0.next.isMarked == false }).makeAsyncIterator()
        _ = try await first.next()
        let (hub, subscriber) = try client.observation.subscriber(ObserverIdentity())
        let gate = DispatchSemaphore(value: 0)
        hub.perform { _ in gate.wait() }
        // The result has to look, and will find nothing new.
        try await client.write { transaction in
            try transaction.update(Link.self, key: 1) { $0.set(\.isMarked, to: true) }
            try transaction.update(Link.self, key: 1) { $0.set(\.isMarked, to: false) }
        }
        let coder = ConvertingCoder<Link>()
        let second = ObservedResult(
            (hub, subscriber),
            ObserverRegistry.ResultID(query: query, coder),
            ContentComparison(sections: nil)
        ) { RefetchingLiveQuery(query, coder, $0) }
        gate.signal()
        let watchdog = Task {
            try await Task.sleep(for: .seconds(10))
            subscriber.cancel()
        }
        let step = try await second.subscriber.next()
        watchdog.cancel()
        #expect(step?.new.range.count == 1)
    }

    @Test("Observers of an equal function through one client share its work")
    func sharesValues() async throws {
        let client = InMemoryDBClient()
        let reads = Mutex(0)
        func observe(
            _ client: InMemoryDBClient,
            _ function: AggregateFunction,
            of request: FetchRequest<Link>
        ) async throws -> any ValueSource<Int?> {
            try await client.observation.value(request, function, \.id) { transaction in
                reads.withLock { $0 += 1 }
                return try transaction.max(\.id, of: request)
            } _: {
                try $0.decode()
            }
        }
        // With a limit it is read again, so that readings can be counted.
        let marked = Link.where { $0.isMarked == false }.limit(9)
        let first = try await observe(client, .maximum, of: marked)
        #expect(try await first.next() == .some(nil))
        let second = try await observe(client, .maximum, of: marked)
        #expect(try await second.next() == .some(nil))
        #expect(reads.withLock { $0 } == 1)
        try await client.insert(Link(id: 1, next: nil))
        #expect(try await first.next() == 1)
        #expect(try await second.next() == 1)
        #expect(reads.withLock { $0 } == 2)
        // Another function, another request: a value of its own.
        let others: [(AggregateFunction, FetchRequest<Link>)] = [
            (.minimum, marked), (.maximum, Link.all.limit(9)),
        ]
        for (function, request) in others {
            let other = try await observe(client, function, of: request)
            #expect(try await other.next() == 1)
        }
        #expect(reads.withLock { $0 } == 4)
    }

    @Test("A value that nobody observes any more is let go")
    func endsWithTheLast() async throws {
        let client = InMemoryDBClient()
        for _ in 0..<2 {
            let value = try await client.observation.value(Link.all, .maximum, \.id) {
                try $0.max(\.id, of: Link.all)
            } _: {
                try $0.decode()
            }
            #expect(try await value.next() == .some(nil))
        }
        let hub = try #require(client.observation.hub)
        let isEmpty = await withCheckedContinuation { continuation in
            hub.perform { continuation.resume(returning: $0.isEmpty) }
        }
        #expect(isEmpty)
    }
}

/// Refers to its own kind.
@Stored struct Link {
    let id: Int
    var isMarked: Bool
    var next: Reference<Link>?

    init(id: Int, next: Int?) {
        self.id = id
        self.next = next.map { Reference($0) }
        self.isMarked = false
    }
}
