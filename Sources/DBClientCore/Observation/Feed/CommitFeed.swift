/// The commits that write values of a model, in order, as long as someone listens.
///
/// Each iteration listens for itself, from the moment its iterator is made. A listener that falls behind
/// gets several commits as one, with the values before the first and after the last; none is left out,
/// and what is kept for it grows with the values that were written, not with the number of writes.
public struct CommitFeed<Model: Stored>: AsyncSequence, Sendable {
    /// What the listener is told.
    public typealias Element = CommitChanges<Model>

    let source: ObservationSource

    /// Returns an iterator that listens from now on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source)
    }

    /// One listener.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var listener: Result<Listener, any Error>?

        fileprivate init(_ source: ObservationSource) {
            listener = Result { Listener(try source.feedReader(Model.schema.entity)) }
        }

        /// Returns what the next commit did, waiting for it; nil once the task is cancelled.
        ///
        /// - Throws: `.unsupported` when the client cannot be observed, `.closed` when it was closed,
        ///   `.decoding` when a stored value does not fit the model. The sequence has then ended.
        public mutating func next() async throws -> CommitChanges<Model>? {
            guard let listener else { return nil }
            do {
                if let unit = try await listener.get().reader.next() {
                    return try CommitChanges(unit)
                }
            } catch {
                self.listener = nil
                throw error
            }
            self.listener = nil
            return nil
        }
    }
}

@available(*, unavailable)
extension CommitFeed.AsyncIterator: Sendable {}

/// The part of a listener that ends with the last one who holds it.
private final class Listener {
    let reader: FeedReader

    init(_ reader: FeedReader) {
        self.reader = reader
        reader.begin()
    }

    deinit {
        reader.cancel()
    }
}

extension DBClient {
    /// Returns the commits that write values of a model from now on, each with the values before and
    /// after.
    ///
    /// ```swift
    /// for try await commit in client.changes(of: Character.self) {
    ///     for hero in commit.deleted { index.remove(hero) }
    /// }
    /// ```
    public func changes<Model: Stored>(of type: Model.Type) -> CommitFeed<Model> {
        CommitFeed(source: observation)
    }
}
