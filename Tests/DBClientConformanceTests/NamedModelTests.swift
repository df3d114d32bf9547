#if Macros
import DBClientCore
import DBClientTesting
import Testing

private enum Shelf {
    @Stored struct Book: Equatable {
        enum Kind: Int { case novel, poem }

        let id: Int
        var kind: Kind
        var place: Place

        enum Row {
            @Stored struct Seat: Equatable {
                @PrimaryKey let row: Int
                @PrimaryKey let number: Int
                var kind: Kind?
            }
        }
    }

    @Embedded struct Place: Equatable {
        var room: String
    }
}

extension Shelf {
    @Stored fileprivate struct Box: Equatable {
        let id: Int
        var kind: Book.Kind
    }
}

private enum Store {}

extension Store {
    @Stored fileprivate struct Crate: Equatable {
        let id: Int
        var weight: Double
    }
}

/// Has the names of what the macros declare and of what is in reach where they do.
@Stored private struct Odd: Equatable {
    let id: Int
    var schema: String
    var indexes: Int
    var row: Int
    var `init`: Int
    var `class`: String
    var `inout`: Int
    var `nil`: Int?
    var `two words`: String
    var read: Int
    var write: Int
    static var primaryKey: Int { 3 }
    static func schema(of version: Int) -> Int { version }
    func primaryKey(of version: Int) -> Int { version }
}

@Embedded private struct OddPart: Equatable {
    var schema: String
    var primaryKey: Int
    var columnCount: Int
}

@Stored private struct OddOwner: Equatable {
    @PrimaryKey let primaryKey: Int
    var part: OddPart?
}

/// Models that are hard to write an extension for, compiled and kept.
@Suite(.serialized)
struct NamedModelTests {
    private func expectRoundTrip<Model: Stored & Equatable>(
        _ values: [Model],
        _ backend: ConformanceBackend
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert(values)
        #expect(try await client.find(Model.self, keys: values.map(\.primaryKey)) == values)
        #expect(try await client.fetch(Model.all) == values)
    }

    @Test("A model in a type that its file hides is kept", arguments: Backends.chosen)
    func hiddenModels(_ backend: ConformanceBackend) async throws {
        try await expectRoundTrip(
            [Shelf.Book(id: 1, kind: .poem, place: Shelf.Place(room: "a"))],
            backend
        )
        try await expectRoundTrip(
            [Shelf.Book.Row.Seat(row: 1, number: 2, kind: .novel)],
            backend
        )
        try await expectRoundTrip([Shelf.Box(id: 1, kind: .novel)], backend)
        try await expectRoundTrip([Store.Crate(id: 1, weight: 2.5)], backend)
    }

    @Test("A field with the name of something generated is a field", arguments: Backends.chosen)
    func oddNames(_ backend: ConformanceBackend) async throws {
        let odd = Odd(
            id: 1,
            schema: "a",
            indexes: 2,
            row: 3,
            init: 5,
            class: "b",
            `inout`: 6,
            nil: 7,
            `two words`: "c",
            read: 8,
            write: 9
        )
        try await expectRoundTrip([odd], backend)
        try await expectRoundTrip(
            [
                OddOwner(
                    primaryKey: 1,
                    part: OddPart(schema: "a", primaryKey: 2, columnCount: 3)
                ),
                OddOwner(primaryKey: 2, part: nil),
            ],
            backend
        )
    }

    @Test("A condition names such a field", arguments: Backends.chosen)
    func oddConditions(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        let owner = OddOwner(
            primaryKey: 1,
            part: OddPart(schema: "a", primaryKey: 2, columnCount: 3)
        )
        try await client.insert(owner)
        let request = OddOwner.where { $0.part.schema == "a" && $0.primaryKey == 1 }
        #expect(try await client.fetch(request) == [owner])
    }
}
#endif
