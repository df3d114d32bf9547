#if Macros
import DBClientCore
import DBClientTesting
import Foundation
import Testing

private enum Stage: String, StorableValue, PrimaryKeyValue, Codable {
    case draft
    case proof
    case final
}

@Stored private struct Rule: Equatable {
    @PrimaryKey let stage: Stage
    var text: String
    var isOpen = true
}

@Stored private struct Parcel: Equatable {
    let id: UUID
    @Indexed var town: String
    var weight = 0.5
    var next: UUID?
}

@Stored private struct Visit: Equatable {
    @PrimaryKey(.generated) var id: UUID = Self.unmade
    var page: String

    static let unmade = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

@Stored private struct Sheet: Equatable {
    var note = ""
    @PrimaryKey let book: UUID
    @PrimaryKey let stage: Stage
    @PrimaryKey let number: Int
}

@Stored private struct Crew: Equatable, Codable {
    let id: Int
    var name = ""
}

@Stored private struct Ship: Equatable {
    @PrimaryKey let yard: Int
    @PrimaryKey let number: Int
    var name = ""
}

@Stored private struct Watch: Equatable {
    @PrimaryKey @Relationship(onDelete: .cascade) let crew: Reference<Crew>
    @PrimaryKey let ship: Reference<Ship>
    @PrimaryKey let stage: Stage
    var note = ""
}

/// There once for each watch at most.
@Stored private struct Log: Equatable {
    @PrimaryKey @Relationship(onDelete: .cascade) let watch: Reference<Watch>
    var text = ""
    var former: Watch?
}

/// Models of keys that are no integers, with the code of a macro.
struct KeyedModelTests {
    private func withClient(
        of backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await body(client)
    }

    /// Returns the UUID with a first byte, by which they are ordered.
    private func uuid(_ first: UInt8) -> UUID {
        UUID(uuid: (first, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))
    }

    /// Expects that two values of ascending keys are found, refused a second time, told apart from a third
    /// with a greater key in an upsert, and deleted by their keys.
    private func expectKept<Model: Stored & Equatable>(
        _ values: [Model],
        changed: Model,
        third: Model,
        in client: any DBClient
    ) async throws {
        let entity = Model.schema.entity.name
        #expect(try await client.insert(values) == values)
        #expect(try await client.fetch(Model.all) == values)
        #expect(try await client.find(Model.self, key: values[1].primaryKey) == values[1])
        #expect(try await client.find(Model.self, key: third.primaryKey) == nil)
        let keys = [third, values[1], values[0]].map(\.primaryKey)
        #expect(try await client.find(Model.self, keys: keys) == [values[1], values[0]])

        let duplicate = await #expect(throws: DBClientError.self) {
            try await client.insert([third, changed])
        }
        #expect(duplicate?.code == .duplicateKey)
        #expect(duplicate?.entity == entity)
        let missing = await #expect(throws: DBClientError.self) {
            try await client.update([changed, third])
        }
        #expect(missing?.code == .notFound)
        #expect(try await client.fetch(Model.all) == values)

        let outcome = try await client.upsert([third, changed])
        #expect(outcome.inserted == [third])
        #expect(outcome.updated == [changed])
        #expect(try await client.fetch(Model.all) == [values[0], changed, third])
        #expect(try await client.delete(Model.self, key: changed.primaryKey))
        #expect(try await client.delete(Model.self, key: changed.primaryKey) == false)
        #expect(try await client.fetch(Model.all) == [values[0], third])
    }

    @Test("References are a key, or the parts of one", arguments: Backends.chosen)
    func referenceKeys(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            try await client.insert([Crew(id: 1, name: "a"), Crew(id: 2, name: "b")])
            try await client.insert([Ship(yard: 1, number: 1), Ship(yard: 1, number: 2)])
            func watch(_ crew: Int, _ ship: Int, _ note: String = "") -> Watch {
                Watch(
                    crew: Reference(crew),
                    ship: Reference(.init(yard: 1, number: ship)),
                    stage: .draft,
                    note: note
                )
            }
            #expect(Watch.PrimaryKey.columnCount == 4)
            try await expectKept(
                [watch(1, 1), watch(1, 2)],
                changed: watch(1, 2, "own"),
                third: watch(2, 2, "x"),
                in: client
            )
            let log = Log(watch: Reference(to: watch(2, 2)), text: "t", former: watch(1, 1))
            try await client.insert(log)
            #expect(try await client.find(Log.self, key: log.watch) == log)
            #expect(try await client.fetch(Log.where { $0.watch.note == "x" }) == [log])
            // What is in the way of a watch goes with its crew, and the log with the watch.
            #expect(try await client.delete(Crew.self, key: 2))
            #expect(try await client.count(Log.all) == 0)
            #expect(try await client.fetch(Watch.all) == [watch(1, 1)])
        }
    }

    @Test("An enum is a key", arguments: Backends.chosen)
    func enumKeys(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            // By their raw values.
            try await expectKept(
                [Rule(stage: .draft, text: "a"), Rule(stage: .final, text: "b", isOpen: false)],
                changed: Rule(stage: .final, text: "c"),
                third: Rule(stage: .proof, text: "d"),
                in: client
            )
            #expect(
                try await client.fetch(Rule.where { $0.stage == .proof })
                    == [Rule(stage: .proof, text: "d")]
            )
            #expect(try await client.count(Rule.where { $0.stage.isIn([.draft, .final]) }) == 1)
            try await client.update(Rule.self, key: .draft) { $0.set(\.isOpen, to: false) }
            #expect(
                try await client.find(Rule.self, key: .draft)
                    == Rule(stage: .draft, text: "a", isOpen: false)
            )
        }
    }

    @Test("A UUID is a key", arguments: Backends.chosen)
    func uuidKeys(_ backend: ConformanceBackend) async throws {
        let ids = [uuid(1), uuid(0x7F), uuid(0xFF)]
        try await withClient(of: backend) { client in
            try await expectKept(
                [Parcel(id: ids[0], town: "x"), Parcel(id: ids[1], town: "y", next: ids[0])],
                changed: Parcel(id: ids[1], town: "x", weight: 2),
                third: Parcel(id: ids[2], town: "x", next: ids[1]),
                in: client
            )
            for request in [Parcel.where { $0.id == ids[2] }, Parcel.where { $0.next == ids[1] }] {
                #expect(try await client.fetch(request).map(\.id) == [ids[2]])
            }
            try await client.update(Parcel.self, keys: [ids[0], ids[2]]) { assignments, key in
                assignments.set(\.next, to: key)
            }
            #expect(
                try await client.fetch(Parcel.where { $0.town == "x" })
                    == [
                        Parcel(id: ids[0], town: "x", next: ids[0]),
                        Parcel(id: ids[2], town: "x", next: ids[2]),
                    ]
            )
        }
    }

    @Test("A UUID is made where none is given", arguments: Backends.chosen)
    func generatedUUIDKeys(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            let given = Visit(id: uuid(7), page: "given")
            let made = try await client.insert([Visit(page: "a"), given, Visit(page: "b")])
            #expect(made.map(\.page) == ["a", "given", "b"])
            #expect(made[1] == given)
            #expect(Set(made.map(\.id) + [Visit.unmade]).count == 4)
            #expect(try await client.find(Visit.self, keys: made.map(\.id)) == made)
            #expect(try await client.fetch(Visit.where { $0.id == made[2].id }) == [made[2]])

            let duplicate = await #expect(throws: DBClientError.self) {
                try await client.insert([Visit(page: "c"), made[0]])
            }
            #expect(duplicate?.code == .duplicateKey)
            let outcome = try await client.upsert([
                Visit(page: "d"), Visit(id: made[0].id, page: "e"),
            ])
            #expect(outcome.inserted.map(\.page) == ["d"])
            #expect(outcome.updated == [Visit(id: made[0].id, page: "e")])
            try await client.update(Visit.self, key: made[2].id) { $0.set(\.page, to: "f") }
            let pages = try await client.fetch(Visit.all.sorted { $0.page }).map(\.page)
            #expect(pages == ["d", "e", "f", "given"])
            #expect(try await client.delete(Visit.self, key: outcome.inserted[0].id))
            #expect(try await client.count(Visit.all) == 3)
        }
    }

    @Test("A UUID, an enum and a number are a key together", arguments: Backends.chosen)
    func compositeKeys(_ backend: ConformanceBackend) async throws {
        let books = [uuid(1), uuid(2)]
        try await withClient(of: backend) { client in
            try await expectKept(
                [
                    Sheet(note: "a", book: books[0], stage: .final, number: 10),
                    Sheet(note: "b", book: books[1], stage: .draft, number: -1),
                ],
                changed: Sheet(book: books[1], stage: .draft, number: -1),
                third: Sheet(note: "c", book: books[1], stage: .draft, number: 2),
                in: client
            )
            try await client.insert(
                (3...6).map { Sheet(note: "n\($0)", book: books[0], stage: .proof, number: $0) }
            )
            let some = Sheet.where {
                $0.book == books[0] && $0.stage == .proof && $0.number.isIn([4, 6])
            }
            #expect(try await client.fetch(some).map(\.note) == ["n4", "n6"])
            let key = Sheet.PrimaryKey(book: books[0], stage: .proof, number: 5)
            try await client.update(Sheet.self, key: key) { $0.set(\.note, to: "new") }
            #expect(
                try await client.find(Sheet.self, key: key)
                    == Sheet(note: "new", book: books[0], stage: .proof, number: 5)
            )
            let other = Sheet.PrimaryKey(book: books[0], stage: .draft, number: 5)
            #expect(try await client.find(Sheet.self, key: other) == nil)
            #expect(try await client.delete(Sheet.where { $0.stage == .proof }) == 4)
            #expect(try await client.fetch(Sheet.all).map(\.note) == ["a", "c"])
        }
    }
}
#endif
