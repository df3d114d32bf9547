/// The values of a request and their changes, as long as someone listens.
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
/// Commits come in order, none twice. A listener that is slower than the writer gets what it missed as
/// one change set, relative to what it last got; it never holds a writer up, and what it missed is not
/// kept.
public struct ChangeStream<Model: Stored>: AsyncSequence, Sendable {
    /// What the listener is told.
    public typealias Element = Change<Model>

    let source: ObservationSource
    let request: FetchRequest<Model>
    /// The fields whose modifications are told; nil for all.
    var columns: Result<[Int], any Error>?
    var identity = ObserverIdentity()

    /// Returns an iterator that begins to observe when its first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self)
    }

    /// One observation.
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
            if isEnded { return nil }
            do {
                let observation = try observation ?? begin()
                self.observation = observation
                while let step = try await observation.reader.next() {
                    guard let old = step.old else { return .initial(ResultCollection(step.new)) }
                    let difference = ResultDifference(from: old, to: step.new) {
                        observation.comparison.isSame($0, $1)
                    }
                    if difference.isEmpty { continue }
                    return .update(ChangeSet(difference, from: old, to: step.new))
                }
            } catch {
                end()
                throw error
            }
            end()
            return nil
        }

        private func begin() throws -> ObservedResult {
            let query = try stream.request.rowQuery()
            guard query.dependencies.count == 1, query.entity.isFlat else {
                throw DBClientError(
                    .unsupported,
                    "Change sets are told of values that hold no others, by their own fields.",
                    entity: query.entity.name,
                    hint: "Observe a count, an aggregate or another value of the request."
                )
            }
            return ObservedResult(
                try stream.source.reader(stream.identity),
                query,
                ModelCoder<Model>(),
                ModelComparison<Model>(columns: try stream.columns?.get())
            )
        }

        private mutating func end() {
            observation = nil
            isEnded = true
        }
    }
}

@available(*, unavailable)
extension ChangeStream.AsyncIterator: Sendable {}

/// The part of an observation that ends with the last one who holds it.
final class ObservedResult {
    let reader: ResultReader
    let comparison: any EntryComparison
    private let hub: ChangeHub
    private let query: RowQuery
    private let coder: any EntryCoder

    init(
        _ source: (hub: ChangeHub, reader: ResultReader),
        _ query: RowQuery,
        _ coder: any EntryCoder,
        _ comparison: any EntryComparison
    ) {
        (hub, reader) = source
        self.query = query
        self.coder = coder
        self.comparison = comparison
        hub.perform { [hub, reader, query, coder] in
            $0.attach(reader, to: query, coder, of: hub)
        }
    }

    deinit {
        reader.cancel()
        hub.perform { [hub, reader, query, coder] in
            $0.detach(reader, from: query, coder, of: hub)
        }
    }
}
