public import DBClientCore

/// A store in memory, gone with the client: for tests and previews, and the reference that every
/// other engine is compared with.
///
/// ```swift
/// let client: any DBClient = InMemoryDBClient()
/// ```
///
/// It is built to be obviously right: dictionaries of rows, a full look at them for each request, no
/// index but those that keep a value unique. A read sees the state as it was when it began, and does
/// not hold a writer up.
public final class InMemoryDBClient: EngineBackedClient {
    /// The engine.
    public let engine: any Engine

    /// Creates an empty store.
    public init() {
        engine = MemoryEngine()
    }

    init(engine: MemoryEngine) {
        self.engine = engine
    }
}
