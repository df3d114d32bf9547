import Synchronization

/// A snapshot that is a reader taken from where an engine keeps them, given back when it is let go.
///
/// The reader is used by one thread at a time, under the lock.
public final class HeldReader<Reader: EngineReader>: EngineSnapshot {
    private struct Held: @unchecked Sendable {
        let reader: Reader
    }

    private let held: Mutex<Held?>
    private let check: @Sendable () throws -> Void
    private let giveBack: @Sendable (Reader) -> Void

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - reader: The reader, which nothing else uses until it is given back.
    ///   - check: Throws `.closed` when the client was closed.
    ///   - giveBack: Takes the reader back.
    public init(
        _ reader: sending Reader,
        check: @escaping @Sendable () throws -> Void,
        giveBack: @escaping @Sendable (Reader) -> Void
    ) {
        held = Mutex(Held(reader: reader))
        self.check = check
        self.giveBack = giveBack
    }

    deinit {
        release()
    }

    /// Runs a body on the snapshot.
    ///
    /// - Returns: What the body returns; nil when the snapshot was let go.
    /// - Throws: `.closed` when the client was closed.
    public func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value? {
        try check()
        nonisolated(unsafe) var result: Value?
        try held.withLock { held in
            if let held { result = try body(held.reader) }
        }
        return result
    }

    /// Lets the snapshot go, once nobody reads it.
    public func release() {
        held.withLock { held in
            if let reader = held?.reader { giveBack(reader) }
            held = nil
        }
    }
}
