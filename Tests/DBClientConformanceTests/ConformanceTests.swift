import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Testing

/// Serialised, so that a case that measures waiting is not held up by a hundred others.
@Suite(.serialized)
struct ConformanceTests {
    @Test(
        "A backend keeps the promise",
        arguments: Backends.chosen.filter { !$0.isServer },
        Backends.chosenCases
    )
    func conforms(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await ConformanceSuite.run(promise, on: backend)
    }

    @Test("A preview keeps the promises of a store", arguments: Backends.chosenCases)
    func previewConforms(_ promise: ConformanceCase) async throws {
        let backend = ConformanceBackend.memory(
            "preview",
            excluding: [.migrations: "It shows a store in the shape that it has."]
        ) {
            try ObjectStoreDBClient(.inMemory).preview()
        }
        try await ConformanceSuite.run(promise, on: backend)
    }

    @Test("Every case has a name of its own")
    func namesDiffer() {
        let names = ConformanceSuite.cases.map(\.description)
        #expect(Set(names).count == names.count)
    }
}

/// Beside those of the embedded engines: the cases of a server wait for its disk most of their time.
@Suite(.serialized)
struct ServerConformanceTests {
    @Test(
        "A server keeps the promise",
        arguments: Backends.chosen.filter(\.isServer),
        Backends.chosenCases
    )
    func conforms(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await ConformanceSuite.run(promise, on: backend)
    }

    /// The concerns in which it matters what a column holds.
    private static let concernsOfColumns: Set<ConformanceConcern> = [
        .values, .keys, .crud, .insert, .update, .upsert, .entities, .partialUpdate, .conditions,
        .textConditions, .ordering, .paging, .aggregates, .distinct, .select, .grouping, .dynamic,
        .observation, .hostileText, .limits,
    ]

    @Test(
        "Columns of another program keep the promise",
        arguments: Backends.chosenWithAdopted.filter {
            $0.name == Backends.adoptedPostgreSQL?.name
        },
        Backends.chosenCases.filter { concernsOfColumns.contains($0.concern) }
    )
    func adopts(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await ConformanceSuite.run(promise, on: backend)
    }
}

extension ConformanceBackend {
    fileprivate var isServer: Bool { name == "PostgreSQL" }
}
