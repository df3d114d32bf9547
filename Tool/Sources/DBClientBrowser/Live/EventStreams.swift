import HTTPTypes
import Synchronization

/// The streams of events that are open, one for each window of the page.
final class EventStreams: Sendable {
    private struct State {
        var next = 1
        var open: [Int: EventStream] = [:]
    }

    private let state = Mutex(State())

    /// Makes a stream, which is found by the number that is returned with it.
    func open() -> (number: Int, stream: EventStream) {
        state.withLock { state in
            let stream = EventStream()
            defer { state.next += 1 }
            state.open[state.next] = stream
            return (state.next, stream)
        }
    }

    /// Ends a stream and its observations.
    func close(_ number: Int) {
        state.withLock { $0.open.removeValue(forKey: number) }?.end()
    }

    /// Returns the stream with a number.
    ///
    /// - Throws: ``PageFailure`` where it is not open.
    func stream(_ number: Int) throws -> EventStream {
        guard let stream = state.withLock({ $0.open[number] }) else {
            throw PageFailure(
                .notFound,
                "noStream",
                "The stream of events must be open; it has ended, or is of another run."
            )
        }
        return stream
    }
}
