import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// Tables whose triggers and constraints leave a change out without an error: an insert that `RAISE(IGNORE)` left out
/// was acknowledged.
@Suite struct SwallowedWriteTests {
    private let folder: TemporaryFolder
    private let client: SQLDBClient

    init() throws {
        folder = try TemporaryFolder()
        client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert([Hero(id: 1, name: "kept"), Hero(id: 2, name: "other")])
        for verb in ["INSERT", "UPDATE"] {
            try client.blocking.execute(
                """
                CREATE TRIGGER ignore\(raw: verb) BEFORE \(raw: verb) ON "Hero" WHEN NEW.name = 'ignored'
                BEGIN SELECT RAISE(IGNORE); END
                """
            )
        }
        try client.blocking.execute(
            """
            CREATE TRIGGER ignoreDelete BEFORE DELETE ON "Hero" WHEN OLD.name = 'kept'
            BEGIN SELECT RAISE(IGNORE); END
            """
        )
    }

    private func expectRefusal(_ body: () throws -> Void) {
        let error = failure(body)
        #expect(error?.code == .constraintViolation)
        #expect(error?.entity == "Hero")
        #expect(error?.hint != nil)
    }

    @Test func anInsertIsNotAcknowledged() throws {
        expectRefusal { try client.blocking.insert(Hero(id: 3, name: "ignored")) }
        expectRefusal {
            try client.blocking.insert(
                (3...2_000).map { Hero(id: $0, name: $0 == 1_500 ? "ignored" : "A") }
            )
        }
        #expect(try client.blocking.count(Hero.all) == 2)
    }

    @Test func anUpsertIsNotAcknowledged() throws {
        expectRefusal { _ = try client.blocking.upsert(Hero(id: 3, name: "ignored")) }
        expectRefusal { _ = try client.blocking.upsert(Hero(id: 2, name: "ignored")) }
        expectRefusal {
            _ = try client.blocking.upsert([Hero(id: 5, name: "A"), Hero(id: 2, name: "ignored")])
        }
        #expect(try client.blocking.fetch(Hero.all).map(\.name) == ["kept", "other"])
    }

    @Test func anUpdateIsNotTakenForARowThatIsMissing() throws {
        expectRefusal { try client.blocking.update(Hero(id: 2, name: "ignored")) }
        expectRefusal {
            try client.blocking.update(Hero.self, key: 2) { $0.set(\.name, to: "ignored") }
        }
        #expect(code { try client.blocking.update(Hero(id: 9, name: "ignored")) } == .notFound)
        #expect(try client.blocking.find(Hero.self, key: 2)?.name == "other")
    }

    @Test func aDeleteIsNotTakenForARowThatIsMissing() throws {
        expectRefusal { try client.blocking.delete(Hero.self, keys: [1]) }
        #expect(try client.blocking.count(Hero.all) == 2)
    }

    @Test func aKeyThatWasNotMadeIsNotGiven() throws {
        try client.blocking.insert(Note(code: "A"))
        try client.blocking.execute(
            """
            CREATE TRIGGER ignoreNote BEFORE INSERT ON "Note" WHEN NEW.code = 'ignored'
            BEGIN SELECT RAISE(IGNORE); END
            """
        )
        #expect(
            code { try client.blocking.insert(Note(code: "ignored")) } == .constraintViolation
        )
        #expect(
            code { _ = try client.blocking.upsert(Note(code: "ignored")) } == .constraintViolation
        )
    }

    /// A table of another's making may leave a second row out by itself.
    @Test func aConflictThatTheTableIgnoresIsTold() throws {
        let file = folder.url.appending(path: "adopted.sqlite")
        #expect(
            RawConnection(file).run(
                """
                CREATE TABLE Note (
                    id INTEGER PRIMARY KEY ON CONFLICT IGNORE AUTOINCREMENT,
                    code TEXT NOT NULL UNIQUE ON CONFLICT IGNORE
                )
                """
            ) == 0
        )
        let adopted = try SQLDBClient.sqlite(at: file)
        try adopted.blocking.insert(Note(id: 1, code: "A"))
        #expect(code { try adopted.blocking.insert(Note(id: 1, code: "B")) } == .duplicateKey)
        #expect(code { try adopted.blocking.insert(Note(code: "A")) } == .constraintViolation)
        #expect(try adopted.blocking.fetch(Note.all).map(\.code) == ["A"])
        try adopted.close()
    }
}
