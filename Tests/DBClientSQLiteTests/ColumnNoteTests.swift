import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// What a table of the library's own says of its columns, and tables of which nothing is said.
@Suite struct ColumnNoteTests {
    @Stored("Event") struct Event {
        let id: Int
        var at: Int
        var tags: String
        var isDone: Bool
        var note: String?
    }

    @Stored("Event") struct DatedEvent {
        let id: Int
        var at: Date
        var tags: String
        var isDone: Bool
        var note: String?
    }

    @Stored("Event") struct ListedEvent {
        let id: Int
        var at: Int
        var tags: [String]
        var isDone: Bool
        var note: String
    }

    private static let toLists = Migration.convert(Event.self, to: ListedEvent.self) { event in
        ListedEvent(
            id: event.id,
            at: event.at,
            tags: event.tags.split(separator: ",").map(String.init),
            isDone: event.isDone,
            note: event.note ?? "-"
        )
    }

    private let client: SQLDBClient

    init() throws {
        client = try SQLDBClient.sqlite(.inMemory)
    }

    private func insertEvents() throws {
        try client.blocking.insert([
            Event(id: 1, at: 1_700, tags: "a,b", isDone: true, note: nil),
            Event(id: 2, at: 5, tags: "", isDone: false, note: "n"),
        ])
    }

    @Test("A column that another program renames keeps its note, and goes by what it is then")
    func renamed() throws {
        try insertEvents()
        try client.blocking.execute(
            """
            ALTER TABLE "Event" RENAME COLUMN "at" TO "was, ""at"" (old)"
            """
        )
        try client.blocking.execute(
            """
            ALTER TABLE "Event" ADD COLUMN "at" INTEGER DEFAULT (7 /* dbclient date */)
            """
        )
        // The new column is of another's making, so it is what an integer can be.
        // The former one is required of new rows.
        let event = Event(id: 3, at: 1, tags: "", isDone: false, note: nil)
        #expect(code { try client.blocking.insert(event) } == .schemaMismatch)
        try client.blocking.execute("ALTER TABLE \"Event\" DROP COLUMN \"was, \"\"at\"\" (old)\"")
        #expect(try client.blocking.findAll(Event.self).map(\.at) == [7, 7])
        let dated = try client.blocking.findAll(DatedEvent.self)
        #expect(dated.map(\.at.microsecondsSince1970) == [7, 7])
        #expect(code { _ = try client.blocking.findAll(ListedEvent.self) } == .schemaMismatch)
    }

    @Test("A table that another program made is taken for what its columns can hold")
    func adopted() throws {
        try client.blocking.execute(
            """
            CREATE TABLE "Event" ("id" INTEGER PRIMARY KEY, "at" INTEGER, "tags" TEXT,
                "isDone" INTEGER, "note" TEXT)
            """
        )
        try client.blocking.execute("INSERT INTO \"Event\" VALUES (1, 1000000, 'a,b', 1, 'n')")
        #expect(try client.blocking.findAll(Event.self).map(\.tags) == ["a,b"])
        #expect(
            try client.blocking.findAll(DatedEvent.self).map(\.at)
                == [Date(timeIntervalSince1970: 1)]
        )
        #expect(code { _ = try client.blocking.findAll(ListedEvent.self) } == .decoding)
        let tables = try client.blocking.rows(
            "SELECT name FROM sqlite_schema WHERE name LIKE 'dbclient%'"
        )
        #expect(tables.isEmpty)
    }

    @Test("A store of a former version of the library is converted where its values say so")
    func withoutNotes() throws {
        // As it made the table, without notes.
        try client.blocking.execute(
            """
            CREATE TABLE "Event" ("id" INTEGER PRIMARY KEY NOT NULL, "at" INTEGER NOT NULL, \
            "tags" TEXT NOT NULL, "isDone" INTEGER NOT NULL CHECK ("isDone" IN (0, 1)), \
            "note" TEXT) STRICT
            """
        )
        try insertEvents()
        #expect(try client.blocking.pendingChanges(of: [Self.toLists]).count == 1)
        #expect(try client.blocking.migrate([Self.toLists]).count == 1)
        #expect(try client.blocking.findAll(ListedEvent.self).map(\.tags) == [["a", "b"], []])
        #expect(try client.blocking.migrate([Self.toLists]).isEmpty)
    }

    @Test("A store without notes that has the new model's values is left alone")
    func convertedWithoutNotes() throws {
        try client.blocking.execute(
            """
            CREATE TABLE "Event" ("id" INTEGER PRIMARY KEY NOT NULL, "at" INTEGER NOT NULL, \
            "tags" TEXT NOT NULL, "isDone" INTEGER NOT NULL CHECK ("isDone" IN (0, 1)), \
            "note" TEXT NOT NULL) STRICT
            """
        )
        let event = ListedEvent(id: 1, at: 1, tags: ["a"], isDone: true, note: "")
        try client.blocking.insert(event)
        #expect(try client.blocking.migrate([Self.toLists]).isEmpty)
        #expect(try client.blocking.findAll(ListedEvent.self).map(\.tags) == [["a"]])
    }

    @Test("A table that is dropped and made by another program is no more the library's")
    func madeAnew() throws {
        try insertEvents()
        try client.blocking.execute("DROP TABLE \"Event\"")
        try client.blocking.execute(
            """
            CREATE TABLE "Event" ("id" INTEGER PRIMARY KEY, "at" INTEGER, "tags" TEXT,
                "isDone" INTEGER, "note" TEXT)
            """
        )
        try client.blocking.execute("INSERT INTO \"Event\" VALUES (1, 1000000, 'a,b', 1, 'n')")
        #expect(try client.blocking.count(DatedEvent.all) == 1)
        #expect(try client.blocking.findAll(DatedEvent.self).count == 1)
    }

    @Test("A client that runs with the former model writes nothing of it after a conversion")
    func convertedUnderAClient() throws {
        let folder = try TemporaryFolder()
        let former = try SQLDBClient.sqlite(at: folder.store)
        let newer = try SQLDBClient.sqlite(at: folder.store)
        for id in 1...3 {
            try former.blocking.insert(
                Event(id: id, at: 1, tags: "a,b", isDone: true, note: nil)
            )
        }
        try newer.blocking.migrate([Self.toLists])
        let event = Event(id: 9, at: 1, tags: "c", isDone: true, note: "n")
        #expect(code { try former.blocking.insert(event) } == .schemaMismatch)
        #expect(code { try former.blocking.insert([event]) } == .schemaMismatch)
        #expect(
            code { try former.blocking.update(Event.self, key: 1) { $0.set(\.tags, to: "c") } }
                == .schemaMismatch
        )
        let found = try newer.blocking.findAll(ListedEvent.self)
        #expect(found.map(\.tags) == [["a", "b"], ["a", "b"], ["a", "b"]])
    }

    @Test("An added column is held to what it was added as, and stays so when it may be absent")
    func added() throws {
        try client.blocking.insert(Bare(id: 1))
        try client.blocking.migrate([
            .adapt(Event.self) {
                $0.set(\.at, to: 3)
                $0.set(\.tags, to: "x")
                $0.set(\.isDone, to: true)
            }
        ])
        #expect(try client.blocking.findAll(Event.self).map(\.tags) == ["x"])
        #expect(code { _ = try client.blocking.findAll(DatedEvent.self) } == .schemaMismatch)
        #expect(code { _ = try client.blocking.findAll(ListedEvent.self) } == .schemaMismatch)
    }

    @Stored("Event") struct Bare {
        let id: Int
    }
}
