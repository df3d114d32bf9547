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
    /// The engine, which keeps every value in memory.
    public let engine: any Engine

    /// Creates a client of a new and empty store in memory.
    public init() {
        engine = MemoryEngine()
    }

    init(engine: MemoryEngine) {
        self.engine = engine
    }
}
