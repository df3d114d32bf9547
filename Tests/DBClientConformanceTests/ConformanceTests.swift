import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Testing
import TrustRow

/// Serialised, so that a case that measures waiting is not held up by a hundred others.
@Suite(.serialized)
struct ConformanceTests {
    @Test(
        "A backend in a file keeps the promise",
        arguments: Backends.chosen.filter { !$0.isServer && !$0.isInMemory },
        Backends.chosenCases
    )
    func conforms(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await keep(promise, on: backend)
    }

    @Test("Every case has a name of its own")
    func namesDiffer() {
        let names = ConformanceSuite.cases.map(\.description)
        #expect(Set(names).count == names.count)
    }
}

/// Beside those in files, so that the suites take about as long.
@Suite(.serialized)
struct MemoryConformanceTests {
    @Test(
        "A backend in memory keeps the promise",
        arguments: Backends.chosen.filter(\.isInMemory),
        Backends.chosenCases
    )
    func conforms(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await keep(promise, on: backend)
    }

    @Test("A preview keeps the promises of a store", arguments: Backends.chosenCases)
    func previewConforms(_ promise: ConformanceCase) async throws {
        let backend = ConformanceBackend.memory(
            "preview",
            excluding: [.migrations: "It shows a store in the shape that it has."]
        ) {
            try ObjectStoreDBClient(.inMemory).preview()
        }
        try await keep(promise, on: backend)
    }
}

/// Beside those of the embedded engines, in suites of which each takes about as long: the cases of a server wait for
/// it most of their time.
@Suite(.serialized)
struct ServerConformanceTests {
    @Test(
        "A server keeps the promise",
        arguments: Backends.chosen.filter(\.isServer),
        Backends.chosenCases.filter { !ServerShapeConformanceTests.concerns.contains($0.concern) }
    )
    func conforms(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await keep(promise, on: backend)
    }
}

/// The cases that make and change many tables.
@Suite(.serialized)
struct ServerShapeConformanceTests {
    static let concerns: Set<ConformanceConcern> = [.relationships, .migrations]

    @Test(
        "A server keeps the promise about shapes",
        arguments: Backends.chosen.filter(\.isServer),
        Backends.chosenCases.filter { concerns.contains($0.concern) }
    )
    func conforms(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await keep(promise, on: backend)
    }
}

/// The cases about values on tables of another program.
@Suite(.serialized)
struct AdoptedConformanceTests {
    /// The concerns in which it matters what a column holds.
    private static let concernsOfColumns: Set<ConformanceConcern> = [
        .values, .keys, .crud, .insert, .update, .upsert, .entities, .partialUpdate, .conditions,
        .textConditions, .expressions, .parts, .ordering, .paging, .aggregates, .distinct, .select,
        .trees, .grouping, .dynamic,
        .observation, .hostileText, .limits,
    ]

    @Test(
        "Columns of another program keep the promise",
        arguments: Backends.chosenWithAdopted.filter { backend in
            Backends.adopted.contains { $0.name == backend.name }
        },
        Backends.chosenCases.filter { concernsOfColumns.contains($0.concern) }
    )
    func adopts(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await keep(promise, on: backend)
    }
}

/// Runs a case, and tells the scoreboard of those of made-up text, which each seed runs once.
private func keep(_ promise: ConformanceCase, on backend: ConformanceBackend) async throws {
    let start = ContinuousClock.now
    let outcome = try await ConformanceSuite.run(promise, on: backend)
    guard outcome == .kept, promise.name.hasPrefix("made-up text") else { return }
    let row = TrustRow("R10")
    row.report(row.size("DBCLIENT_HOSTILE_ROUNDS", short: 1), of: backend.name, since: start)
}

extension ConformanceBackend {
    fileprivate var isServer: Bool { name == "PostgreSQL" }
    fileprivate var isInMemory: Bool { name.hasSuffix("memory") }
}
