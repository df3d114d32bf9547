/// The values of a request and their changes, as an asynchronous sequence.
///
/// ```swift
/// for try await change in client.observe(Character.where { $0.power > 9000 }) {
///     switch change {
///     case .initial(let heroes): show(heroes)
///     case .update(let changes): apply(changes)
///     }
/// }
/// ```
///
/// Each iteration is an observation of its own: it begins with the first element that is asked for,
/// misses no commit from then on, and ends when its task is cancelled, when the loop is left, when the
/// client is closed (`.closed`) or when a value no longer fits the model (`.decoding`).
///
/// A value changes when one that it contains does, at any depth; a value that it only refers to is not part
/// of it. A model that converts is delivered when what is stored of it changes, or a value that this
/// contains, but not when something changes that its conversion looks up by itself.
///
/// Commits come in order, none twice. A listener that is slower than the writer gets what it missed as
/// one change set, relative to what it last got; it never holds a writer up, and what it missed is not
/// kept.
public struct ChangeStream<Model: StoredConvertible>: AsyncSequence, Sendable {
    /// Each element is the initial values or a change to them.
    public typealias Element = Change<Model>

    let source: ObservationSource
    let request: FetchRequest<Model>
    /// The fields whose modifications are delivered; nil for all.
    var fields: [any PartialKeyPath<Model.Storage> & Sendable]?
    var identity = ObserverIdentity()

    /// Describes how the values follow commits, for a person: that they are kept and changed by the rows that commits write,
    /// or that those which a commit concerns are read again, and why.
    ///
    /// - Throws: `.invalidRequest` for a request that makes no sense.
    public func explain() throws -> String { try Upkeep.ofValues(request).description }

    /// Returns an iterator that begins to observe when its first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self)
    }

    /// One observation, which ends when its iterator is released or its task is cancelled.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: ChangeStream
        private var observation: ObservedResult?
        private var isEnded = false

        fileprivate init(stream: ChangeStream) {
            self.stream = stream
        }

        /// Returns the values the first time, then what changed; nil once the task is cancelled.
        ///
        /// - Throws: `.invalidRequest` for a request that makes no sense, `.unsupported` when the
        ///   client cannot be observed, `.closed` when it was closed, `.decoding` when a stored value
        ///   does not fit the model. The sequence has then ended.
        public mutating func next() async throws -> Change<Model>? {
            if isEnded || Task.isCancelled { return nil }
            do {
                if observation == nil { observation = try await begin() }
                guard let observation else { return nil }
                while let step = try await observation.subscriber.next() {
                    guard let old = step.old else { return .initial(ResultCollection(step.new)) }
                    let difference = ResultDifference(from: old, to: step.new) {
                        observation.comparison.isSame($0, $1)
                    }
                    if difference.isEmpty { continue }
                    return .update(
                        ChangeSet(difference, from: old, to: step.new) {
                            observation.comparison.isSame($0, $1)
                        }
                    )
                }
            } catch {
                end()
                if Task.isCancelled { return nil }
                throw error
            }
            end()
            return nil
        }

        private func begin() async throws -> ObservedResult {
            let source = try stream.source.subscriber(stream.identity)
            let query = try await stream.request.shapeQuery(through: source.subscriber.client)
            if query.isOfOwnRows, let type = Model.self as? any Stored.Type {
                return try begin(type, query, source)
            }
            let sections = try stream.fields.map {
                try ContentComparison.sections(of: $0, Model.Storage.self, in: query.entity)
            }
            let coder = ConvertingCoder<Model>()
            return ObservedResult(
                source,
                ObserverRegistry.ResultID(query: query, coder),
                ContentComparison(sections: sections)
            ) { RefetchingLiveQuery(query, coder, $0) }
        }

        private func begin<Plain: Stored>(
            _ type: Plain.Type,
            _ query: RowQuery,
            _ source: (hub: ChangeHub, subscriber: ResultSubscriber)
        ) throws -> ObservedResult {
            let coder = ModelCoder<Plain>()
            let columns = try stream.fields?.flatMap { try Plain.columns(of: $0) }
            return ObservedResult(
                source,
                ObserverRegistry.ResultID(query: query, coder),
                ModelComparison<Plain>(columns: columns)
            ) { IncrementalLiveQuery(query, coder, $0) }
        }

        private mutating func end() {
            observation = nil
            isEnded = true
        }
    }
}

@available(*, unavailable)
extension ChangeStream.AsyncIterator: Sendable {}

/// The part of an observation that ends when its last reference is released.
final class ObservedResult {
    let subscriber: ResultSubscriber
    let comparison: any EntryComparison
    private let hub: ChangeHub
    private let id: ObserverRegistry.ResultID

    init(
        _ source: (hub: ChangeHub, subscriber: ResultSubscriber),
        _ id: ObserverRegistry.ResultID,
        _ comparison: any EntryComparison,
        _ make: @escaping @Sendable (ChangeHub) -> LiveQuery
    ) {
        (hub, subscriber) = source
        self.id = id
        self.comparison = comparison
        hub.perform(inTurn: true) { [hub, subscriber, id] registry in
            registry.attach(subscriber, to: id) { make(hub) }
        }
    }

    deinit {
        subscriber.cancel()
        hub.perform(inTurn: true) { [subscriber, id] in $0.detach(subscriber, from: id) }
    }
}

extension FetchRequest {
    /// Returns the query for what a client keeps of the model.
    func shapeQuery(through client: any DBClient) async throws -> RowQuery {
        // A stored model is its own shape, which no client need be asked for.
        if Model.self is any Stored.Type { return try rowQuery() }
        return try await client.read { try Model.shapeQuery(self, in: $0) }
    }
}
