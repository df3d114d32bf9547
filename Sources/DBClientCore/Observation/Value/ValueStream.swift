/// A value that is read from a store, and each value that it takes later, as long as someone listens.
///
/// Each iteration is an observation of its own. It ends as a ``ChangeStream`` does. Every value is one
/// that the store had at some commit, no value comes twice in a row, and the last commit's is always
/// told; a listener that is slower than the writer gets the newest.
public struct ValueStream<Value: Sendable>: AsyncSequence, Sendable {
    /// What the listener is told.
    public typealias Element = Value

    let begin: @Sendable () throws -> ValueReader<Value>
    let hub: ChangeHub?

    /// Returns an iterator that begins to observe when its first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self)
    }

    /// One observation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: ValueStream
        private var observation: ObservedValue<Value>?
        private var isEnded = false

        fileprivate init(stream: ValueStream) {
            self.stream = stream
        }

        /// Returns the value the first time, then each other one; nil once the task is cancelled.
        ///
        /// - Throws: What reading the value throws, and `.closed` when the client was closed. The
        ///   sequence has then ended.
        public mutating func next() async throws -> Value? {
            if isEnded { return nil }
            do {
                let observation = try observation ?? ObservedValue(stream.begin(), stream.hub)
                self.observation = observation
                if let value = try await observation.reader.mailbox.next() { return value }
            } catch {
                end()
                throw error
            }
            end()
            return nil
        }

        private mutating func end() {
            observation = nil
            isEnded = true
        }
    }
}

@available(*, unavailable)
extension ValueStream.AsyncIterator: Sendable {}

/// The part of an observation that ends with the last one who holds it.
private final class ObservedValue<Value: Sendable> {
    let reader: ValueReader<Value>
    private let hub: ChangeHub?

    init(_ reader: ValueReader<Value>, _ hub: ChangeHub?) {
        self.reader = reader
        self.hub = hub
        hub?.perform { desk in
            desk.add(reader)
            reader.begin()
        }
    }

    deinit {
        reader.mailbox.end(nil)
        hub?.perform { [reader] desk in
            desk.remove(reader)
            reader.finish()
        }
    }
}
