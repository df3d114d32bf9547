/// The commits that write values of a model, in order, as an asynchronous sequence.
///
/// Each iteration listens for itself, from the moment its iterator is made. A listener that falls behind gets
/// several commits as one, with the values before the first and after the last, and what is kept for it grows
/// with the values that were written, not with the number of writes. No commit is left out, but not of each
/// are the values known: those of other processes are not, nor those of custom SQL, nor, when
/// writers are so far ahead that 262,144 written rows wait to be delivered, those that wait. The feed then
/// says ``CommitChanges/hasUntrackedChanges``.
///
/// Rows are the whole values of a model that holds no others and does not convert. Any other model's values
/// are all read, and kept, when the iterator is made, on the caller's thread, which waits: what the first
/// commit replaces must be known before it. ``begin()`` makes such an iterator without holding up a thread. A
/// commit has the values that it concerns read again, so commits in quick succession may be delivered as one,
/// and nothing is unseen.
public struct CommitFeed<Model: StoredConvertible>: AsyncSequence, Sendable {
    /// Each element is the changes of one commit.
    public typealias Element = CommitChanges<Model>

    let source: ObservationSource

    /// Returns an iterator that listens from now on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            Result {
                if let listener = try Self.rowListener(source) { return listener }
                return try ResultListener<Model>(source)
            }
        )
    }

    /// Returns an iterator that listens from the return of this call on, and suspends until the values
    /// are read that it has to know.
    ///
    /// ```swift
    /// var commits = try await client.changes(of: Character.self).begin()
    /// while let commit = try await commits.next() { index.take(commit) }
    /// ```
    ///
    /// - Throws: What reading the values throws; otherwise as ``AsyncIterator/next()``.
    public func begin() async throws -> sending AsyncIterator {
        if let listener = try Self.rowListener(source) { return AsyncIterator(.success(listener)) }
        return AsyncIterator(.success(try await ResultListener<Model>(awaiting: source)))
    }

    /// Returns what listens to rows; nil where they are not the whole values.
    private static func rowListener(
        _ source: ObservationSource
    ) throws -> (any CommitListener<Model>)? {
        func listener<Plain: Stored>(_ type: Plain.Type) throws -> (any CommitListener<Model>)? {
            let entity = Plain.schema.entity
            guard entity.isFlat else { return nil }
            return RowListener(try source.feedReader(entity)) { row in
                var reader = row.reader(at: 0)
                guard let model = try Plain(row: &reader) as? Model else {
                    throw DBClientError(.decoding, "A row must fit the model.", entity: entity.name)
                }
                return model
            }
        }
        guard let type = Model.self as? any Stored.Type else { return nil }
        return try listener(type)
    }

    /// One listener, which is told of the commits since it began.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var listener: Result<any CommitListener<Model>, any Error>?

        fileprivate init(_ listener: Result<any CommitListener<Model>, any Error>) {
            self.listener = listener
        }

        /// Returns what the next commit did, waiting for it; nil once the task is cancelled.
        ///
        /// - Throws: `.unsupported` when the client cannot be observed, `.closed` when it was closed,
        ///   `.decoding` when a stored value does not fit the model, `.invalidRequest` when the iterator
        ///   of a model that holds others was made inside a transaction. The sequence has then ended.
        public mutating func next() async throws -> CommitChanges<Model>? {
            guard let listener else { return nil }
            do {
                if let changes = try await listener.get().next() { return changes }
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

/// The part of a listener that ends when its last reference is released.
private protocol CommitListener<Model>: AnyObject {
    associatedtype Model: StoredConvertible

    func next() async throws -> CommitChanges<Model>?
}

/// Takes rows as they were captured.
private final class RowListener<Model: StoredConvertible>: CommitListener {
    private let subscriber: FeedSubscriber
    private let model: (RowBatch) throws -> Model

    init(_ subscriber: FeedSubscriber, _ model: @escaping (RowBatch) throws -> Model) {
        self.subscriber = subscriber
        self.model = model
        subscriber.begin()
    }

    deinit {
        subscriber.cancel()
    }

    func next() async throws -> CommitChanges<Model>? {
        guard let unit = try await subscriber.next() else { return nil }
        return try CommitChanges(unit, model)
    }
}

/// Compares versions of a result with all values.
private final class ResultListener<Model: StoredConvertible>: CommitListener {
    private let subscriber: ResultSubscriber
    private let result: RefetchingLiveQuery
    private let hub: ChangeHub

    init(_ source: ObservationSource) throws {
        (hub, subscriber) = try source.subscriber(ObserverIdentity())
        guard TransactionFrame.current(of: subscriber.engine) == nil else {
            throw DBClientError(
                .invalidRequest,
                "A feed of values with relationships must begin outside transactions."
            )
        }
        let query = try subscriber.client.readBlocking { try Model.shapeQuery(Model.all, in: $0) }
        result = RefetchingLiveQuery(query, ConvertingCoder<Model>(), hub)
        try result.loadBlocking(for: subscriber)
    }

    init(awaiting source: ObservationSource) async throws {
        (hub, subscriber) = try source.subscriber(ObserverIdentity())
        let query = try await subscriber.client.read { try Model.shapeQuery(Model.all, in: $0) }
        result = RefetchingLiveQuery(query, ConvertingCoder<Model>(), hub)
        try await result.load(for: subscriber)
    }

    deinit {
        subscriber.cancel()
        hub.perform { [result] in $0.remove(feed: result) }
    }

    func next() async throws -> CommitChanges<Model>? {
        while let step = try await subscriber.next() {
            let changes = CommitChanges<Model>(step, ContentComparison(sections: nil))
            if let changes { return changes }
        }
        return nil
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
    public func changes<Model: StoredConvertible>(of type: Model.Type) -> CommitFeed<Model> {
        CommitFeed(source: observation)
    }
}
