/// A value that is read from a store, and each value that it takes later, as an asynchronous sequence.
///
/// Each iteration is an observation of its own. It ends as a ``ChangeStream`` does. Every value is one
/// that the store had at some commit, no value comes twice in a row, and the last commit's is always
/// told; a listener that is slower than the writer gets the newest.
public struct ValueStream<Value: Sendable>: AsyncSequence, Sendable {
    /// Each element is the value after a change to it.
    public typealias Element = Value

    let begin: @Sendable () async throws -> any ValueSource<Value>
    private let upkeep: @Sendable () throws -> Upkeep

    init(
        upkeep: @escaping @Sendable () throws -> Upkeep = { .readAgain(.closure) },
        begin: @escaping @Sendable () async throws -> any ValueSource<Value>
    ) {
        self.upkeep = upkeep
        self.begin = begin
    }

    /// Describes how the value follows commits, for a person: that it is kept and changed by the rows that commits
    /// write, or that it is read again after commits that concern it, and why.
    ///
    /// - Throws: `.invalidRequest` for a request that makes no sense.
    public func explain() throws -> String { try upkeep().description }

    /// Returns an iterator that begins to observe when its first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self)
    }

    /// One observation, which ends when its iterator is released or its task is cancelled.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: ValueStream
        private var source: (any ValueSource<Value>)?
        private var isEnded = false

        fileprivate init(stream: ValueStream) {
            self.stream = stream
        }

        /// Returns the value the first time, then each other one; nil once the task is cancelled.
        ///
        /// - Throws: What reading the value throws, and `.closed` when the client was closed. The
        ///   sequence has then ended.
        public mutating func next() async throws -> Value? {
            if isEnded || Task.isCancelled { return nil }
            do {
                if source == nil { source = try await stream.begin() }
                if let value = try await source?.next() { return value }
            } catch {
                end()
                if Task.isCancelled { return nil }
                throw error
            }
            end()
            return nil
        }

        private mutating func end() {
            source = nil
            isEnded = true
        }
    }
}

@available(*, unavailable)
extension ValueStream.AsyncIterator: Sendable {}

/// The source of the values of one observation, which ends when its last reference is released.
protocol ValueSource<Value>: AnyObject {
    associatedtype Value: Sendable

    /// Returns the next value, waiting for it; nil when the observation was cancelled.
    func next() async throws -> Value?
}

/// A value that is recomputed after commits.
final class ComputedValue<Value: Sendable>: ValueSource {
    private let mailbox: ValueMailbox<Value>
    /// Removes the observer from the hub, which ends the observation.
    private let detach: @Sendable () -> Void

    /// Begins to observe.
    ///
    /// - Parameters:
    ///   - value: What is observed, for this observer alone unless it has an ID.
    ///   - id: The identity by which equal observations share it.
    ///   - mailbox: The observer's.
    ///   - hub: The hub that serves it.
    init(
        _ value: LiveValue<Value>,
        sharedBy id: SharedValueID?,
        _ mailbox: ValueMailbox<Value>,
        _ hub: ChangeHub
    ) {
        self.mailbox = mailbox
        hub.perform(inTurn: true) { $0.attach(mailbox, to: value, sharedBy: id) }
        detach = { hub.perform(inTurn: true) { $0.detach(mailbox, from: value, sharedBy: id) } }
    }

    deinit {
        mailbox.end(nil)
        detach()
    }

    func next() async throws -> Value? {
        try await mailbox.next()
    }
}

/// A number that is kept for all its observers.
final class CountedValue: ValueSource {
    private let subscriber: CountSubscriber
    private let query: RowQuery
    private let hub: ChangeHub

    init(_ subscriber: CountSubscriber, _ query: RowQuery, _ hub: ChangeHub) {
        self.subscriber = subscriber
        self.query = query
        self.hub = hub
        hub.perform(inTurn: true) { registry in
            registry.attach(subscriber, to: query) { LiveCount(query, hub) }
        }
    }

    deinit {
        subscriber.mailbox.end(nil)
        hub.perform(inTurn: true) { [subscriber, query] in $0.detach(subscriber, from: query) }
    }

    func next() async throws -> Int? {
        try await subscriber.mailbox.next()
    }
}

/// The first value of an observed request; nil while there is none.
final class FirstValue<Model: StoredConvertible>: ValueSource {
    typealias Value = Model?

    private var changes: ChangeStream<Model>.AsyncIterator

    init(_ changes: ChangeStream<Model>) {
        self.changes = changes.makeAsyncIterator()
    }

    func next() async throws -> Model?? {
        guard let change = try await changes.next() else { return nil }
        return .some(change.objects.first)
    }
}
