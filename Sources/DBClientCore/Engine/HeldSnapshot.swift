import Synchronization

/// A snapshot that is a reader taken from where an engine keeps them, given back when it is released.
///
/// The reader is used by one thread at a time, under the lock.
public final class HeldSnapshot<Reader: EngineReader>: EngineSnapshot {
    private let held: Mutex<HeldEntry?>
    private let check: @Sendable () throws -> Void

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
        held = Mutex(HeldEntry(reader: reader) { giveBack(reader) })
        self.check = check
    }

    deinit {
        release()
    }

    /// Runs a body on the snapshot.
    ///
    /// - Returns: What the body returns; nil when the snapshot was released.
    /// - Throws: `.closed` when the client was closed.
    public func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value? {
        var result: Value?
        _ = try visit { result = try body($0) }
        return result
    }

    /// Runs a body without a result on the snapshot, and returns whether the snapshot is still open.
    ///
    /// - Throws: `.closed` when the client was closed.
    public func visit(_ body: (any EngineReader) throws -> Void) throws -> Bool {
        try check()
        return try held.withLock { held in
            guard let held else { return false }
            try body(held.reader)
            return true
        }
    }

    /// Releases the snapshot, once its last reader has ended.
    public func release() {
        held.withLock { held in
            held?.giveBack()
            held = nil
        }
    }
}

/// A reader and the way back, without its type: what is done for each value is compiled once for all.
private struct HeldEntry: @unchecked Sendable {
    let reader: any EngineReader
    let giveBack: () -> Void
}
