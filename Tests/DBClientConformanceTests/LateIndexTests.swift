import DBClientCore
import DBClientTesting
import Foundation
import Testing

/// An index that a model gets when many values are stored, on each engine that keeps them.
@Suite struct LateIndexTests {
    private static let backends = Backends.chosen.filter { $0.name != "in-memory" }

    private func withParcels(
        _ count: Int,
        on backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert((1...count).map { FormerParcel($0) })
        try await body(client)
    }

    @Test("No write builds it; the migration does, and pending changes say so", arguments: backends)
    func many(_ backend: ConformanceBackend) async throws {
        try await withParcels(15_000, on: backend) { client in
            let steps: [Migration] = [.adapt(IndexedParcel.self)]
            try await client.insert(IndexedParcel(-1))
            try await client.update(IndexedParcel.self, key: 5) { $0.set(\.label, to: "changed") }
            #expect(
                try await client.fetch(IndexedParcel.where { $0.label == "changed" }).count == 1
            )
            #expect(
                try await client.pendingChanges(of: steps).map(\.kinds) == [[.indexed([["label"]])]]
            )
            #expect(try await client.migrate(steps).map(\.kinds) == [[.indexed([["label"]])]])
            #expect(try await client.pendingChanges(of: steps).isEmpty)
            #expect(try await client.migrate(steps).isEmpty)
            try await client.insert(IndexedParcel(-2))
            #expect(
                try await client.fetch(IndexedParcel.where { $0.label == "changed" }).count == 1
            )
            #expect(try await client.count(FormerParcel.all) == 15_002)
        }
    }

    @Test("A unique one refuses writes until it is there, and nothing else", arguments: backends)
    func unique(_ backend: ConformanceBackend) async throws {
        try await withParcels(15_000, on: backend) { client in
            let steps: [Migration] = [.adapt(UniqueParcel.self)]
            for write: (any DBClient) async throws -> Void in [
                { try await $0.insert(UniqueParcel(-1)) },
                { try await $0.upsert(UniqueParcel(7)) },
                { _ = try await $0.delete(UniqueParcel.self, key: 7) },
                { try await $0.update(UniqueParcel.self, key: 5) { $0.set(\.code, to: -5) } },
            ] {
                let error = await #expect(throws: DBClientError.self) { try await write(client) }
                #expect(error?.code == .migrationRequired)
                #expect(error?.field == "code")
            }
            #expect(try await client.count(UniqueParcel.all) == 15_000)
            try await client.insert(FormerParcel(-1))
            // Two values of one code.
            try await client.update(FormerParcel.self, key: 5) { $0.set(\.code, to: 6) }
            let error = await #expect(throws: DBClientError.self) {
                try await client.migrate(steps)
            }
            #expect(error?.code == .uniqueViolation)
            #expect(try await client.pendingChanges(of: steps).count == 1)
            try await client.update(FormerParcel.self, key: 5) { $0.set(\.code, to: 5) }
            try await client.migrate(steps)
            try await client.insert(UniqueParcel(-2))
            let violation = await #expect(throws: DBClientError.self) {
                try await client.update(UniqueParcel.self, key: 5) { $0.set(\.code, to: 6) }
            }
            #expect(violation?.code == .uniqueViolation)
        }
    }

    @Test("A migration that also adds a property has it at once", arguments: backends)
    func withProperty(_ backend: ConformanceBackend) async throws {
        try await withParcels(15_000, on: backend) { client in
            try await client.migrate([.adapt(WeighedParcel.self)])
            #expect(try await client.pendingChanges(of: [.adapt(WeighedParcel.self)]).isEmpty)
            try await client.insert(WeighedParcel(-1))
            #expect(try await client.count(WeighedParcel.where { $0.weight == 3 }) == 15_001)
        }
    }

    @Test("Few values are indexed by the next write", arguments: backends)
    func few(_ backend: ConformanceBackend) async throws {
        try await withParcels(100, on: backend) { client in
            try await client.insert(UniqueParcel(-1))
            #expect(try await client.pendingChanges(of: [.adapt(UniqueParcel.self)]).isEmpty)
            let violation = await #expect(throws: DBClientError.self) {
                try await client.update(UniqueParcel.self, key: 5) { $0.set(\.code, to: 6) }
            }
            #expect(violation?.code == .uniqueViolation)
        }
    }
}

/// Long enough for a table of over 1 MB.
private func label(_ id: Int) -> String { "parcel \(id) " + String(repeating: "-", count: 100) }

@Stored("Parcel") private struct FormerParcel {
    let id: Int
    var label: String
    var code: Int

    init(_ number: Int) {
        id = number
        label = DBClientConformanceTests.label(number)
        code = number
    }
}

@Stored("Parcel") private struct IndexedParcel {
    let id: Int
    @Indexed var label: String
    var code: Int

    init(_ number: Int) {
        id = number
        label = DBClientConformanceTests.label(number)
        code = number
    }
}

@Stored("Parcel") private struct UniqueParcel {
    let id: Int
    var label: String
    @Unique var code: Int

    init(_ number: Int) {
        id = number
        label = DBClientConformanceTests.label(number)
        code = number
    }
}

@Stored("Parcel") private struct WeighedParcel {
    let id: Int
    @Indexed var label: String
    var code: Int
    @Indexed var weight = 3

    init(_ number: Int) {
        id = number
        label = DBClientConformanceTests.label(number)
        code = number
    }
}
