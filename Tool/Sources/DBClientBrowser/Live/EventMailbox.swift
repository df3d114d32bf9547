import DBClientCore
import Synchronization

/// What a page is told of an observation.
enum PageEvent: Sendable {
    /// The rows of the observed range, as they are now; they are sorted by these fields.
    case rows([DynamicRow], sorts: [String])
    /// The number of rows of an entity or of a filter of it.
    case count(entity: String, Int)
    /// What has ended the observation.
    case failure(PageFailure)
}

/// Takes what several observations tell, and gives it to one writer, which gets the newest of each where it is slower.
final class EventMailbox: Sendable {
    /// What has come of an observation since it was delivered.
    private struct News {
        var rows: PageEvent?
        var counts: [(entity: String, event: PageEvent)] = []
        var failure: PageEvent?

        var events: [PageEvent] {
            (rows.map { [$0] } ?? []) + counts.map(\.event) + (failure.map { [$0] } ?? [])
        }
    }

    /// The news of each observation that goes on, by its number.
    private let news = Mutex<[Int: News]>([:])
    private let wakes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes events of an observation from now on.
    func open(_ number: Int) {
        news.withLock { $0[number] = News() }
    }

    /// Takes no more events of an observation, and drops those that were not delivered.
    func close(_ number: Int) {
        news.withLock { $0[number] = nil }
    }

    /// Takes an event of an observation, unless it was closed.
    func post(_ event: PageEvent, of number: Int) {
        news.withLock { news in
            switch event {
            case .rows: news[number]?.rows = event
            case .count(let entity, _):
                news[number]?.counts.removeAll { $0.entity == entity }
                news[number]?.counts.append((entity, event))
            case .failure: news[number]?.failure = event
            }
        }
        continuation.yield()
    }

    /// Wakes the writer without an event, to find out whether there still is a reader.
    func beat() { continuation.yield() }

    /// Calls a function with what has come of each observation that goes on, once for each time that something did,
    /// until the task is cancelled.
    func deliver(to body: ([Int: [PageEvent]]) async throws -> Void) async throws {
        for await _ in wakes {
            let events = news.withLock { news in
                let events = news.mapValues(\.events)
                for number in news.keys { news[number] = News() }
                return events
            }
            try await body(events)
        }
    }
}
