import DBClientCore

/// An observer that a case asks for one change after another, and that keeps a copy by the positions
/// it is told.
struct Observer<Model: StoredConvertible> {
    private var iterator: ChangeStream<Model>.AsyncIterator
    private(set) var copy = ObservedCopy<Model>()

    /// Begins to observe and takes the values as they are.
    init(_ stream: ChangeStream<Model>) async throws {
        iterator = stream.makeAsyncIterator()
        guard case .initial = try await next() else {
            throw ConformanceFailure("the first element is not the initial one")
        }
    }

    /// Takes the next change set, waiting for it.
    mutating func update() async throws -> ChangeSet<Model> {
        guard case .update(let changes) = try await next() else {
            throw ConformanceFailure("a second initial element came")
        }
        return changes
    }

    private mutating func next() async throws -> Change<Model> {
        guard let change = try await iterator.next() else {
            throw ConformanceFailure("nothing was delivered in time")
        }
        try copy.apply(change)
        return change
    }

    /// Takes change sets until the copy is what a request finds.
    mutating func settle(_ fetch: () async throws -> [Model]) async throws {
        let expected = try await fetch().map { try ObservedForm($0) }
        while copy.rows != expected { _ = try await update() }
    }
}

/// Runs a body that waits for deliveries, and cancels it when they do not come.
func watched(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await body() }
    let watchdog = Task {
        try await Task.sleep(for: .seconds(60))
        task.cancel()
    }
    defer { watchdog.cancel() }
    try await task.value
}

/// Returns a case that waits for deliveries, for a time.
func observing(
    _ name: String,
    requires requirements: Set<Capability> = [],
    run: @escaping @Sendable (any DBClient) async throws -> Void
) -> ConformanceCase {
    ConformanceCase(.observation, name, requires: requirements.union([.observation])) { context in
        let client = context.client
        try await watched { try await run(client) }
    }
}
