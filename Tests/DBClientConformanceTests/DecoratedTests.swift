import DBClientCore
import DBClientObservability
import DBClientTesting
import Testing

/// What a backend promises it promises through decorators.
@Suite(.serialized)
struct DecoratedTests {
    /// Those in files: an engine in memory is another one below the decorators alone.
    private static let backends = Backends.chosen.filter { !"\($0)".hasSuffix(" in memory") }.map {
        backend in
        let exclusions = backend.exclusions.merging(
            [.rowWrites: "A client that validates lets nobody write past its rules."]
        ) { reason, _ in reason }
        return ConformanceBackend("\(backend), decorated", excluding: exclusions) {
            let store = try backend.makeStore()
            return ConformanceStore(
                open: { decorated(try await store.open()) },
                remove: store.remove
            )
        }
    }

    private static let concerns: Set<ConformanceConcern> = [
        .crud, .insert, .update, .upsert, .delete, .partialUpdate, .relationships, .transactions,
        .savepoints, .observation,
    ]

    private static func decorated(_ client: any DBClient) -> any DBClient {
        var client: any DBClient = ValidatingDBClient(client, rules: [])
        client = SpyDBClient(client)
        #if Observability
        client = InstrumentedDBClient(client, .metrics(), .tracing())
        #endif
        return RetryingDBClient(client)
    }

    /// What a value holds is written by the core, to which a decorated server is as SQLite is.
    private static let runs: [(ConformanceBackend, ConformanceCase)] = backends.flatMap { backend in
        ConformanceSuite.cases.filter { promise in
            concerns.contains(promise.concern) && !promise.requirements.contains(.migrations)
                && !(promise.concern == .relationships && backend.name.hasPrefix("PostgreSQL"))
        }
        .map { (backend, $0) }
    }

    @Test("A decorated backend keeps the promise", arguments: runs)
    func conforms(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await ConformanceSuite.run(promise, on: backend)
    }
}
